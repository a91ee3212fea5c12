#include "query/sql/sql_functions.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/explain/explain.h"
#include "query/explain/search.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

using Row = std::vector<SqlValue>;
using Rows = std::vector<Row>;

class SqlFunctionsTest : public testing::SmallStoreTest {
 protected:
  // What the verbs answer; then nothing of the store is open in this process, and statements can be run.
  SqlFunctionsTest() {
    const storage::Lock held = store().hold_texts();
    const ProtocolSpec protocol = protocol_to_explain(store().db(), "d", "");
    const OpenRun run = open_run(store(), "d", "none", protocol, IndexUse::kBuild);
    for (const TextHit& hit : find_hits(run, "Tom has bees in Bern", 2)) {
      nlohmann::ordered_json terms = nlohmann::ordered_json::array();
      for (const auto& term : hit.terms) terms.push_back({{"term", term.term}, {"score", term.score}});
      hits_.push_back({static_cast<std::int64_t>(hit.rank), hit.key, hit.score, std::int64_t{hit.tied}, terms.dump()});
    }
    const LinkExplanation why = explain_link(store(), run, "b", protocol);
    for (const DecidingTerm& term : why.terms) {
      terms_.push_back({term.term, static_cast<std::int64_t>(term.documents), term.winner, term.truth,
                        term.winner - term.truth, why.winner->key, static_cast<std::int64_t>(*why.truth->rank)});
    }
    options_.level = ReadLevel::kOriginals;
    options_.store = dir_ / ".residue";
    close();
  }
  void close() { store_.reset(); }
  void open() { store_ = std::make_unique<storage::Store>(dir_ / ".residue"); }

  Rows ask(const std::string& sql) {
    Rows rows;
    run_statement(options_, sql, {[](const auto&) {}, [&](Row row) { rows.push_back(std::move(row)); }});
    return rows;
  }
  // The message of the error that a statement ends with.
  std::string refusal(const std::string& sql) {
    try {
      ask(sql);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  Rows hits_, terms_;
  SqlOptions options_;
};

TEST_F(SqlFunctionsTest, AnswerWhatTheVerbsAnswer) {
  ASSERT_EQ(hits_.size(), 2U);
  ASSERT_FALSE(terms_.empty());
  EXPECT_EQ(ask("SELECT * FROM bm25('d/none', 'Tom has bees in Bern', 2)"), hits_);
  EXPECT_EQ(ask("SELECT * FROM bm25('d/none', 'Tom has bees in Bern', 1)"), Rows{hits_[0]});
  EXPECT_EQ(ask("SELECT * FROM bm25('d/none', 'nothing of it', NULL)"), Rows{});
  EXPECT_EQ(ask("SELECT * FROM link_terms('d/none', 'b')"), terms_);
  EXPECT_EQ(ask("SELECT * FROM link_terms('d/none', 'b', 'bm25/first:1')"), terms_);
  EXPECT_EQ(ask("SELECT count(*) FROM bm25('d/r', 'bees')"), (Rows{{std::int64_t{1}}}));
}

TEST_F(SqlFunctionsTest, TakePartInStatementsLikeTables) {
  const Row first{std::string("a"), std::string("d/none")};
  EXPECT_EQ(ask("SELECT record, run FROM bm25 WHERE query = 'Maria' AND run = 'd/none'"), Rows{first});
  // Every record finds itself by its own words: the function is called once for each.
  EXPECT_EQ(ask("SELECT r.record, h.record FROM records r, bm25('d/none', text(r.record_text), 1) h ORDER BY 1"),
            (Rows{{std::string("a"), std::string("a")}, {std::string("b"), std::string("b")}}));
  EXPECT_EQ(ask("SELECT round(sum(t.winner_share) - max(h.score), 9) FROM link_terms('d/none', 'a') t,"
                " bm25('d/none', 'Maria keeps bees in Graz.', 1) h"),
            (Rows{{0.0}}));
  EXPECT_EQ(ask("SELECT json_extract(terms, '$[0].term') FROM bm25('d/none', 'aspirin')"),
            (Rows{{std::string("aspirin")}}));
  EXPECT_EQ(ask("SELECT winner_share IS NULL, truth_rank FROM link_terms('d/r', 'b')"), Rows{});
}

TEST_F(SqlFunctionsTest, SayWhyTheyDoNotAnswer) {
  const struct {
    const char* sql;
    const char* part;
  } cases[] = {
      {"SELECT * FROM bm25", "write bm25('DATASET/RUN', 'TEXT' [, k])"},
      {"SELECT * FROM bm25('d/none')", "write bm25("},
      {"SELECT * FROM bm25('d/nine', 'x')", "no run of this name is in the store"},
      {"SELECT * FROM bm25('d/' || 'none', 'x')", "write it as it is"},
      {"SELECT * FROM bm25(NULL, 'x')", "the run is no text"},
      {"SELECT * FROM bm25('d/none', 7)", "the query is no text"},
      {"SELECT * FROM bm25('d/none', 'x', 0)", "k is a whole number from 1 to 100"},
      {"SELECT * FROM bm25('d/none', 'x', 101)", "k is a whole number"},
      {"SELECT * FROM bm25('d/none', printf('%.*c', 1100000, 'x'))", "larger than 1 MiB"},
      {"SELECT * FROM bm25('d/none', 'x', 1, 2)", "too many arguments"},
      {"SELECT * FROM link_terms('d/none', 'zz')", "no record \"zz\""},
      {"SELECT * FROM link_terms('d/none', 'a', 'bm24')", "unknown linker"},
      {"SELECT * FROM link_terms('d/none', 'a', 'oracle')", "cannot explain its links"},
      {"SELECT * FROM link_terms('d/none', 'a', 'bm25[analyzer=plain]')", "residue link d/none --protocol bm25[ana"},
      {"SELECT bm25('d/none', 'x')", "not authorized to use function"},
      {"INSERT INTO bm25 (rank) VALUES (1)", "not authorized"},
      {"CREATE VIRTUAL TABLE temp.t USING bm25", "not authorized"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    EXPECT_NE(refusal(one.sql).find(one.part), std::string::npos) << refusal(one.sql);
  }
  options_.texts = false;
  EXPECT_NE(refusal("SELECT * FROM link_terms('d/none', 'a')").find("--no-text"), std::string::npos);
}

TEST_F(SqlFunctionsTest, NeverBuildAnIndex) {
  open();
  edit_run("A person has bees.");
  const auto segments = [&] {
    storage::Statement count = store().db().prepare("SELECT group_concat(file) FROM index_segment");
    return count.step() ? std::string(count.text(0)) : std::string();
  };
  const std::string before = segments();
  close();
  const char* const sql = "SELECT record FROM bm25('d/r', 'bees')";
  EXPECT_NE(refusal(sql).find("run d/r has no index of its present texts, or a damaged one; residue link d/r"),
            std::string::npos)
      << refusal(sql);
  open();
  EXPECT_EQ(segments(), before);
  evaluate("bm25/first:1");
  close();
  EXPECT_EQ(ask(sql), (Rows{{std::string("a")}}));
}

TEST_F(SqlFunctionsTest, KnowTheTermsOfEveryLinkerThatWasUsed) {
  const char* const sql = "SELECT term FROM link_terms('d/none', 'a', 'bm25[analyzer=plain]/first:1') ORDER BY 1";
  EXPECT_NE(refusal(sql).find("residue link d/none --protocol bm25[analyzer=plain]"), std::string::npos);
  open();
  evaluate("bm25[analyzer=plain]/first:1");
  close();
  EXPECT_EQ(ask(sql), (Rows{{std::string("bees")},
                            {std::string("graz")},
                            {std::string("in")},
                            {std::string("keeps")},
                            {std::string("maria")}}));
  EXPECT_EQ(ask("SELECT count(*) FROM link_terms('d/none', 'a', 'bm25/first:1')"), (Rows{{std::int64_t{4}}}));
}

// A view that somebody put into the catalog must not reach texts through them.
TEST_F(SqlFunctionsTest, AreNotForViewsOfTheCatalog) {
  open();
  store().db().run("CREATE VIEW bait AS SELECT record FROM bm25('d/none', 'bees')");
  close();
  EXPECT_NE(refusal("SELECT *, 'd/none' FROM bait").find("unsafe"), std::string::npos) << refusal("SELECT * FROM bait");
}

TEST_F(SqlFunctionsTest, MeasureTexts) {
  const struct {
    const char* sql;
    SqlValue value;
  } cases[] = {
      {"SELECT rouge_l('the cats sat', 'a cat sat')", 2.0 / 3},
      {"SELECT rouge_n('the cats sat', 'a cat sat', 2)", 0.5},
      {"SELECT bleu('a b c d e', 'a b c d e')", 1.0},
      {"SELECT jaro_winkler('Oslo', 'oslo')", 0.8333333333333334},
      {"SELECT diff('Maria keeps bees.', '[NAME] keeps bees.')", std::string("[-Maria-] {+[NAME]+} keeps bees.")},
      {"SELECT snippet('Maria keeps bees in Graz', 'bee', 10)", std::string("\u2026 keeps bees \u2026")},
      {"SELECT as_read('J&#111;hn')", std::string("John")},
      {"SELECT as_read('\uFF2Aos\u00e9')", std::string("Jos\u00e9")},
      {"SELECT vader('It is fine.') > 0", std::int64_t{1}},
      {"SELECT rouge_l(NULL, 'a')", SqlValue()},
      {"SELECT diff('a', text(NULL))", SqlValue()},
      {"SELECT group_concat(word, '|') FROM tokens('M\u00e4rz: 5 bees')", std::string("M\u00e4rz|5|bees")},
      {"SELECT substr('M\u00e4rz: 5 bees', at, length) FROM tokens('M\u00e4rz: 5 bees') WHERE n = 3",
       std::string("bees")},
      {"SELECT count(*) FROM tokens(NULL)", std::int64_t{0}},
      {"SELECT sum(min(a.count, b.count)) FROM ngrams('the cats sat', 1) a JOIN ngrams('a cat sat', 1) b"
       " ON a.ngram = b.ngram",
       std::int64_t{2}},
      {"SELECT round(rouge_l(text(v.record_text), text(v.variant_text)) - s.value, 9) FROM variants v JOIN scores s"
       " ON s.run = v.run AND s.record = v.record AND s.metric = 'rougeL_f' WHERE v.run = 'r' LIMIT 1",
       0.0},
  };
  options_.vader = [] { return std::make_shared<const text::Vader>("fine\t2.0\n", ""); };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    EXPECT_EQ(ask(one.sql), (Rows{{one.value}}));
  }
}

TEST_F(SqlFunctionsTest, SayWhatTheyTake) {
  const struct {
    const char* sql;
    const char* part;
  } cases[] = {
      {"SELECT rouge_l('a')", "write rouge_l(REFERENCE, HYPOTHESIS)"},
      {"SELECT rouge_l('a', 'b', 'c', 'd')", "write rouge_l(REFERENCE, HYPOTHESIS)"},
      {"SELECT rouge_l(claim_text, 'b') FROM claims", "argument 1 is no text: text(id) reads one"},
      {"SELECT diff('a', x'00')", "argument 2 is no text"},
      {"SELECT snippet('a')", "write snippet(TEXT, QUERY [, COLUMNS])"},
      {"SELECT rouge_n('a', 'b', 'c')", "N is a whole number from 1 to 100"},
      {"SELECT vader('It is fine.')", "no sentiment lexicon is named"},
      {"SELECT jaro_winkler(hex(zeroblob(600000)), hex(zeroblob(600000)))", "these texts are too long"},
      {"SELECT * FROM tokens", "write tokens(TEXT)"},
      {"SELECT * FROM tokens(7)", "the argument is no text"},
      {"SELECT * FROM tokens(hex(zeroblob(600000)))", "larger than 1 MiB"},
      {"SELECT * FROM ngrams('a')", "write ngrams(TEXT, N)"},
      {"SELECT * FROM ngrams('a', 0)", "N is a whole number from 1 to 100"},
      {"SELECT tokens('a')", "no such function: tokens"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    EXPECT_NE(refusal(one.sql).find(one.part), std::string::npos) << refusal(one.sql);
  }
}

// Long texts are bounded by what a call may take, many of them by the time of the statement.
TEST_F(SqlFunctionsTest, OfLongTextsEndInTime) {
  options_.timeout_ms = 1000;
  const char* const longest =
      "WITH t(x) AS (SELECT replace(hex(zeroblob(180000)), '00', 'ab c ')) SELECT %F FROM t, json_each('[1,2,3,4,5]')";
  for (const char* call :
       {"rouge_l(x || value, x)", "rouge_n(x || value, x, 9)", "bleu(x || value, x)", "diff(x, 'b ' || x || value)",
        "jaro_winkler(substr(x, 1, 120000), value || substr(x, 7, 120000))", "as_read(x || value)",
        "snippet(x || value, 'ab')"}) {
    std::string sql = longest;
    sql.replace(sql.find("%F"), 2, call);
    SCOPED_TRACE(sql);
    const auto start = std::chrono::steady_clock::now();
    try {
      ask(sql);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("limit"), std::string::npos) << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
  }
}

// Many and large calls end at the limits of the statement.
TEST_F(SqlFunctionsTest, EndInTime) {
  EXPECT_THROW(ask("WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c)"
                   " SELECT count(*) FROM c, bm25('d/none', 'bees ' || x)"),
               Error);
}

}  // namespace
}  // namespace residue::query
