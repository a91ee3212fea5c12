// What a statement reads at each level. Everything that must stay unread at the default level is a word of the
// originals that no sanitized text has.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "query/sql/levels/readable.h"
#include "query/sql/sql_shell.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class LevelsTest : public testing::SmallStoreTest {
 protected:
  LevelsTest() {
    namespace from = ingest::testing;
    // As it was: the record's own text, under the same number.
    from::VectorSource<ingest::VariantRow> same(
        {from::variant("a", "Maria keeps bees in Graz. She has asthma since childhood.")});
    ingest::ingest_run(store(), "d", "same", {}, same, from::file("/data/same"));
    const auto row = [&](const char* sql) {
      storage::Statement statement = store().db().prepare(sql);
      EXPECT_TRUE(statement.step()) << sql;
      return std::to_string(statement.integer(0));
    };
    tom_ = row("SELECT text_id FROM record WHERE key = 'b'");
    aspirin_ = row("SELECT c.text_id FROM claim c JOIN record r ON r.id = c.record_id WHERE r.key = 'b' AND c.n = 2");
    query_ = row("SELECT q.text_id FROM auxiliary_query q JOIN record r ON r.id = q.record_id WHERE r.key = 'b'");
    store().db().run(
        ("UPDATE record SET task_id = " + aspirin_ + ", meta_id = " + query_ + " WHERE key = 'b'").c_str());
    store().db().run(
        "INSERT INTO attempt (vote, n, model, host, loopback, sent_at, bytes, body, state, reason) VALUES "
        "(x'01', 1, 'm', 'h', 1, 0, 0, CAST('aspirin' AS BLOB), 'refused', 'aspirin');"
        "UPDATE variant SET error = 'no aspirin' WHERE error IS NOT NULL;"
        "INSERT INTO vote_text VALUES (CAST('aspirin' AS BLOB), CAST('aspirin' AS BLOB))");
    store_.reset();  // nothing may be open in the process that forks
    options_.store = dir_ / ".residue";
  }

  // All cells of the answer and, if it ends with one, the error, as one text.
  std::string ask(std::string_view sql, ReadLevel level) {
    options_.level = level;
    std::string all;
    SqlSink sink;
    sink.columns = [](const std::vector<std::string>&) {};
    sink.row = [&](const std::vector<SqlValue>& row) {
      for (const SqlValue& value : row) {
        if (const auto* text = std::get_if<std::string>(&value)) all += *text;
        if (const auto* blob = std::get_if<SqlBlob>(&value)) all += blob->bytes;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) all += std::to_string(*whole);
        all += std::holds_alternative<std::monostate>(value) ? "NULL|" : "|";
      }
    };
    try {
      run_statement(options_, sql, sink);
    } catch (const Error& error) {
      all += std::string("error: ") + error.what() + "; " + error.hint();
    }
    return all;
  }
  std::string ask(std::string_view sql) { return ask(sql, ReadLevel::kReleased); }

  std::string tom_, aspirin_, query_;  // numbers of texts: an original, a claim, an attacker's query
  SqlOptions options_;
};

const char* const kUnread =
    "error: sql: text(id): no text of this number can be read; texts of runs can be read; --claims adds claims, labels "
    "and answers, --originals everything";

TEST_F(LevelsTest, EachReadsItsClassesAndThoseBelow) {
  const std::string released = "SELECT text(variant_text) FROM variants WHERE run = 'r' AND record = 'a'";
  const std::string claim = "SELECT text(" + aspirin_ + ")";
  const std::string original = "SELECT text(" + tom_ + ")";
  using enum ReadLevel;
  for (const ReadLevel level : kReadLevels) {
    SCOPED_TRACE(name_of(level));
    EXPECT_EQ(ask(released, level), "A person keeps bees. She has asthma since childhood.|");
    EXPECT_EQ(ask("SELECT text(0), text(NULL)", level), "|NULL|");
    EXPECT_EQ(ask(claim, level), level == kReleased ? kUnread : "He takes aspirin every morning.|");
    EXPECT_EQ(ask(original, level),
              level == kOriginals ? "Tom repairs clocks in Bern. He takes aspirin every morning.|" : kUnread);
    EXPECT_EQ(ask("SELECT error FROM variants WHERE run = 'r' AND record = 'b'", level),
              level == kOriginals ? "no aspirin|" : "failed|");
    EXPECT_EQ(read_level(name_of(level)), level);
  }
  EXPECT_EQ(read_level("all"), std::nullopt);
}

// An original that a run released as it was can be read, by whichever row.
TEST_F(LevelsTest, AnUnchangedTextIsReleased) {
  EXPECT_EQ(ask("SELECT text(record_text) FROM records WHERE record = 'a'"),
            "Maria keeps bees in Graz. She has asthma since childhood.|");
  EXPECT_EQ(ask("SELECT text(record_text) FROM records WHERE record = 'b'"), kUnread);
}

// A number that nobody has, one that no row names, and one that is refused.
TEST_F(LevelsTest, ARefusedTextLooksLikeOneThatIsNotThere) {
  for (const std::string& id : {tom_, aspirin_, std::string("987654321"), std::string("-1")}) {
    EXPECT_EQ(ask("SELECT text(" + id + ")"), kUnread) << id;
  }
  EXPECT_EQ(ask("SELECT text(987654321)", ReadLevel::kOriginals), kUnread);
}

TEST_F(LevelsTest, TablesOfTheIndexAreOfTheirTextsLevel) {
  using enum ReadLevel;
  EXPECT_EQ(ask("SELECT record FROM bm25('d/r', 'bees')"), "a|");
  for (const ReadLevel level : {kReleased, kClaims}) {
    EXPECT_EQ(ask("SELECT record FROM bm25('d/none', 'aspirin')", level),
              "error: sql: bm25: the texts of this run are the originals; --originals reads them; ");
    EXPECT_EQ(ask("SELECT term FROM link_terms('d/none', 'b')", level).substr(0, 6), "error:");
  }
  EXPECT_EQ(ask("SELECT record FROM bm25('d/none', 'aspirin')", kOriginals), "b|");
  EXPECT_EQ(ask("SELECT term FROM link_terms('d/r', 'b')"),
            "error: sql: link_terms: its terms are words of claims; --claims reads them; ");
  EXPECT_EQ(ask("SELECT count(*) FROM link_terms('d/r', 'b')", kClaims).find("error"), std::string::npos);
}

// Each is an attempt to read "aspirin", which is said of record b and which no run released, or to have a guess at it
// confirmed. %O, %C and %Q are the numbers of the original, the claim and the query that say it.
TEST_F(LevelsTest, NoStatementReadsOriginalsByDefault) {
  const char* const attempts[] = {
      "SELECT text(%O)",
      "SELECT text(%C)",
      "SELECT text(%Q)",
      "SELECT text(record_text) FROM records WHERE record = 'b'",
      "SELECT text(task_text) FROM records WHERE record = 'b'",
      "SELECT text(meta_text) FROM records WHERE record = 'b'",
      "SELECT text(text_id) FROM record WHERE key = 'b'",
      "SELECT text(task_id) FROM record WHERE key = 'b'",
      "SELECT text(claim_text) FROM claims WHERE record = 'b' AND n = 2",
      "SELECT text(claim_text) FROM leaks WHERE run = 'none' AND record = 'b'",
      "SELECT text(claim_text), text(linked_text) FROM judgments WHERE run = 'none' AND record = 'b'",
      "SELECT text(linked_text) FROM links WHERE run = 'none' AND record = 'b'",
      "SELECT text(query_text) FROM links WHERE record = 'b'",
      "SELECT text(variant_text) FROM variants WHERE run = 'none' AND record = 'b'",
      "SELECT text(record_text) FROM variants WHERE run = 'r' AND record = 'b'",
      "SELECT text(claim_id) FROM judgment WHERE claim_id = %C",
      "SELECT text(passage_id) FROM judgment WHERE passage_id = %O",
      "SELECT text(j.passage_id) FROM judgment j JOIN record r ON r.text_id = j.passage_id WHERE r.key = 'b'",
      "SELECT text(text_id) FROM indexed WHERE text_id = %O",
      "SELECT text(q.text_id) FROM auxiliary_query q JOIN record r ON r.id = q.record_id WHERE r.key = 'b'",
      "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 999) SELECT text(x) FROM c",
      "SELECT coalesce(NULL, text(%O))",
      "SELECT iif(1, text(%O), '')",
      "SELECT CASE WHEN text(%O) LIKE '%aspirin%' THEN 'found' END",
      "SELECT text(%O) LIKE '%aspirin%'",
      "SELECT text(%O) GLOB '*aspirin*'",
      "SELECT instr(text(%O), 'aspirin')",
      "SELECT length(text(%O))",
      "SELECT unicode(text(%O))",
      "SELECT soundex(text(%C))",
      "SELECT hex(text(%O))",
      "SELECT quote(text(%O))",
      "SELECT substr(text(%O), 1, 9)",
      "SELECT replace(text(%O), 'Bern', '')",
      "SELECT json_quote(text(%O))",
      "SELECT json_group_array(text(record_text)) FROM records",
      "SELECT group_concat(text(record_text)) FROM records WHERE record = 'b'",
      "SELECT max(text(record_text)) FROM records",
      "SELECT e.value FROM json_each(json_array(text(%O))) e",
      "SELECT record FROM records ORDER BY text(record_text)",
      "SELECT count(*) FROM records GROUP BY text(record_text)",
      "SELECT record FROM records WHERE text(record_text) >= 'Tom'",
      "SELECT DISTINCT text(record_text) FROM records",
      "SELECT text(record_text) FROM records UNION SELECT 'x'",
      "SELECT first_value(text(record_text)) OVER (ORDER BY record DESC) FROM records",
      "SELECT text((SELECT record_text FROM records WHERE record = 'b'))",
      "SELECT text(%O + 0)",
      "SELECT text(CAST('%O' AS INTEGER))",
      "SELECT text('%O')",
      "SELECT text(%O.0)",
      "SELECT typeof(text(%O))",
      "SELECT text(%O) IS NULL",
      "SELECT EXISTS (SELECT text(%O) WHERE text(%O) = 'x')",
      "WITH released AS (SELECT %O AS variant_text) SELECT text(variant_text) FROM released",
      "WITH variant(text_id) AS (VALUES (%O)) SELECT text(text_id) FROM variant",
      "WITH variants AS (SELECT error FROM main.variant) SELECT error FROM variants WHERE error LIKE '%aspirin%'",
      "SELECT rank, record, terms FROM bm25('d/none', 'aspirin')",
      "SELECT count(*) FROM bm25('d/none', 'aspirin')",
      "SELECT term FROM link_terms('d/none', 'b')",
      "SELECT term FROM link_terms('d/r', 'b')",
      "SELECT winner_share FROM link_terms('d/r', 'b') WHERE term = 'aspirin'",
      "SELECT error FROM variants",
      "SELECT error FROM main.variant WHERE error = 'no aspirin'",
      "SELECT group_concat(v.error) FROM main.variant v",
      "SELECT * FROM main.variant WHERE record_id = 2",
      "SELECT v.\"error\" FROM main.[variant] v WHERE v.\"error\" > 'no'",
      "SELECT count(*) FROM main.variant JOIN (SELECT 'no aspirin' AS error) USING (error)",
      "SELECT count(*) FROM main.variant NATURAL JOIN (SELECT 'no aspirin' AS error)",
      "SELECT * FROM \"VARIANT\" FULL JOIN (SELECT 'x' AS Error) USING/**/(\"ERROR\")",
      "SELECT * FROM attempt NATURAL FULL JOIN vote_text",
      "SELECT * FROM attempt FULL JOIN (SELECT 'x' AS reason) USING (reason)",
      "SELECT reason FROM attempt",
      "SELECT CAST(body AS TEXT) FROM attempt",
      "SELECT count(*) FROM attempt WHERE body = CAST('aspirin' AS BLOB)",
      "SELECT CAST(text AS TEXT), CAST(vote AS TEXT) FROM vote_text",
      "SELECT * FROM vote_text",
      "SELECT sql FROM sqlite_schema WHERE sql LIKE '%aspirin%'",
      "SELECT sql FROM sqlite_temp_master WHERE sql LIKE '%aspirin%'",
      "SELECT * FROM sqlite_dbpage",
      "SELECT data FROM sqlite_dbpage('main')",
      "PRAGMA table_info(record)",
      "PRAGMA writable_schema = ON",
      "ATTACH 'file:facts/data.mdb' AS facts",
      "CREATE VIRTUAL TABLE temp.f USING fts5(t)",
      "SELECT fts5(text(%O))",
      "SELECT snippet(text(%O))",
      "SELECT readfile('facts/data.mdb')",
      "SELECT load_extension(text(%O))",
      "SELECT printf('%s', text(%O))",
      "SELECT json_extract('{}', text(%O))",
      "SELECT json(text(%O))",
      "SELECT strftime(text(%O))",
      "SELECT abs(text(%O)) = 0",
      "EXPLAIN SELECT text(%O)",
      "SELECT text(randomblob(4))",
      "SELECT text(zeroblob(8))",
  };
  constexpr std::array<const char*, 5> kSecrets = {"spirin", "Tom", "clocks", "found", "617370697269"};
  std::size_t revealing = 0;  // at the highest level: what is attempted would tell something
  for (std::string sql : attempts) {
    for (const auto& [name, id] : {std::pair{"%O", tom_}, {"%C", aspirin_}, {"%Q", query_}}) {
      for (auto at = sql.find(name); at != std::string::npos; at = sql.find(name)) sql.replace(at, 2, id);
    }
    SCOPED_TRACE(sql);
    const std::string said = ask(sql);
    for (const char* secret : kSecrets) EXPECT_EQ(said.find(secret), std::string::npos) << said;
    const std::string all = ask(sql, ReadLevel::kOriginals);
    const bool told = std::ranges::any_of(kSecrets, [&](const char* secret) { return all.find(secret) != all.npos; });
    revealing += told && !all.starts_with("error: ") ? 1 : 0;
    // What reads a text by its number is not answered at all: not by a length, a truth or a NULL, either.
    if (sql.find("text(" + tom_) != std::string::npos && !sql.starts_with("EXPLAIN")) {
      EXPECT_TRUE(said.starts_with("error: ")) << said;
    }
    // A guess is not confirmed.
    if (sql.starts_with("SELECT count(*)") && !said.starts_with("error: ")) {
      EXPECT_EQ(said, "0|");
    }
  }
  EXPECT_GE(revealing, 40U);
}

// A column that is added must be classed, and not by forgetting it.
TEST_F(LevelsTest, EveryColumnOfTheCatalogIsClassed) {
  storage::Db db(options_.store / "catalog.db", storage::DbMode::kReadOnly);
  std::set<std::string> words, texts;
  for (const ReadColumn& column : word_columns()) {
    EXPECT_TRUE(words.insert(std::string(column.table) + "." + std::string(column.column)).second) << column.column;
  }
  for (const ReadColumn& column : text_columns()) {
    EXPECT_TRUE(texts.insert(std::string(column.table) + "." + std::string(column.column)).second) << column.column;
  }
  // These repeat numbers that another column already classes; they make no text readable.
  const std::set<std::string> repeating = {"indexed.text_id", "vector.text_id"};
  storage::Statement columns = db.prepare(
      "SELECT t.name || '.' || c.name, c.type, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'");
  std::set<std::string> all;
  while (columns.step()) {
    const std::string name(columns.text(0));
    all.insert(name);
    if (columns.text(1) != "INTEGER" && columns.text(1) != "REAL") {
      EXPECT_EQ(words.count(name), 1U) << name;
    }
    const bool names_a_text = columns.text(2) == "text_id" || columns.text(2) == "task_id" ||
                              columns.text(2) == "meta_id" || columns.text(2) == "answer_id" ||
                              columns.text(2) == "subject_id" || columns.text(2) == "payload_id" ||
                              columns.text(2) == "spans_id" || columns.text(2) == "substitutions_id";
    if (names_a_text && repeating.count(name) == 0) {
      EXPECT_EQ(texts.count(name), 1U) << name;
    }
  }
  for (const auto& name : words) EXPECT_EQ(all.count(name), 1U) << name << " is no column";
  for (const auto& name : texts) EXPECT_EQ(all.count(name), 1U) << name << " is no column";
}

}  // namespace
}  // namespace residue::query
