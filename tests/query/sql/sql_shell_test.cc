#include "query/sql/sql_shell.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/query/small_store.h"
#include "tests/query/sql/attacks.h"

namespace residue::query {
namespace {

class SqlShell : public testing::SmallStoreTest {
 protected:
  SqlShell() {
    store_.reset();  // nothing may be open in the process that forks
    options_.store = dir_ / ".residue";
    options_.level = ReadLevel::kOriginals;
  }

  static constexpr int kShort = 1000;  // ms; for what has to be stopped. Else a busy machine has its time.

  // All rows of the first statement, cells joined by '|'.
  std::vector<std::string> ask(std::string_view sql) {
    std::vector<std::string> rows;
    SqlSink sink;
    sink.columns = [](const std::vector<std::string>&) {};
    sink.row = [&](const std::vector<SqlValue>& row) {
      std::string line;
      for (const SqlValue& value : row) {
        if (&value != &row.front()) line += '|';
        if (const auto* text = std::get_if<std::string>(&value)) line += *text;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) line += std::to_string(*whole);
        if (std::holds_alternative<std::monostate>(value)) line += "NULL";
      }
      rows.push_back(line);
    };
    run_statement(options_, sql, sink);
    return rows;
  }

  std::string files() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    std::string list;
    for (const auto& name : all) list += name + "\n";
    return list;
  }

  SqlOptions options_;
};

TEST_F(SqlShell, ReadsViewsAndTexts) {
  EXPECT_EQ(ask("SELECT record, n, text(claim_text) FROM leaks WHERE run = 'r' AND protocol LIKE 'bm25/%'"),
            (std::vector<std::string>{"a|2|She has asthma since childhood."}));
  EXPECT_EQ(ask("SELECT text(NULL), text(0)"), (std::vector<std::string>{"NULL|"}));
  options_.texts = false;
  EXPECT_EQ(ask("SELECT text(record_text) FROM records LIMIT 1"), (std::vector<std::string>{"NULL"}));
}

TEST_F(SqlShell, ReturnsWhereTheNextStatementBegins) {
  const std::string script = "SELECT 1; SELECT 2";
  SqlSink sink{[](const auto&) {}, [](const auto&) {}};
  EXPECT_EQ(run_statement(options_, script, sink).next, 9U);
  EXPECT_EQ(run_statement(options_, "  -- nothing", sink).next, 12U);
}

TEST_F(SqlShell, NamesTheNearestNames) {
  const struct {
    const char* sql;
    const char* hint;
  } cases[] = {{"SELECT 1 FROM leeks", "leaks"},
               {"SELECT recrd FROM leaks", "record"},
               {"SELECT lenght('a')", "length"},
               {"SELECT 1 FROM zzzzzzzz", "views: runs, datasets, records"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    try {
      ask(one.sql);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_NE(error.hint().find(one.hint), std::string::npos) << error.what() << error.hint();
    }
  }
}

// Where in the statement; and what is not known has no place.
TEST_F(SqlShell, SaysWhereTheErrorIs) {
  const struct {
    const char* sql;
    std::size_t place;
  } cases[] = {{"SELECT recrd FROM leaks", 7},
               {"SELECT 'leeks' FROM leeks", 20},
               {"SELECT record, lenght('a') FROM leaks", 15},
               {"SELECT record FRM leaks", 18},
               {"SELECT n FROM leaks WHERE", 25},
               {"SELECT r.nmae FROM records r", 7},
               {"DELETE FROM record", std::string::npos},
               {"SELECT rouge_l(1, 2)", std::string::npos}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    std::size_t place = std::string::npos;
    SqlSink sink{[](const auto&) {}, [](const auto&) {}};
    sink.place = [&](std::size_t byte) { place = byte; };
    EXPECT_THROW(run_statement(options_, one.sql, sink), Error);
    EXPECT_EQ(place, one.place);
  }
}

// After a slow statement the shell names the filter that would let the views find their rows by index.
TEST_F(SqlShell, NamesTheFilterThatIsMissing) {
  options_.slow_ms = 0;
  options_.many_rows = 1;
  const auto advice = [&](std::string_view sql) {
    std::string said;
    SqlSink sink{[](const auto&) {}, [](const auto&) {}};
    sink.advice = [&](const std::string& line) { said = line; };
    run_statement(options_, sql, sink);
    return said;
  };
  EXPECT_NE(advice("SELECT count(*) FROM leaks").find("every row of leaks is read: a filter by run"), std::string::npos)
      << advice("SELECT count(*) FROM leaks");
  EXPECT_NE(advice("SELECT count(*) FROM scores WHERE value > 'run'").find("every row of scores"), std::string::npos)
      << advice("SELECT count(*) FROM scores WHERE value > 'run'");
  EXPECT_EQ(advice("SELECT count(*) FROM leaks WHERE run = 'r'"), "");
  EXPECT_EQ(advice("SELECT count(*) FROM leaks l JOIN records r USING (dataset) WHERE r.record IN ('a')"), "");
  EXPECT_EQ(advice("SELECT 1"), "");
  EXPECT_EQ(advice("SELECT 'leaks'"), "");
  options_.many_rows = 1'000;
  EXPECT_EQ(advice("SELECT count(*) FROM leaks"), "") << "it has fewer rows";
  options_.many_rows = 1;
  options_.slow_ms = 60'000;
  EXPECT_EQ(advice("SELECT count(*) FROM leaks"), "") << "it was quick";
  options_.timeout_ms = kShort;
  try {
    ask("WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c, links");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("every row of links is read"), std::string::npos) << error.hint();
    EXPECT_NE(error.hint().find("--timeout S allows more time"), std::string::npos);
  }
}

TEST_F(SqlShell, AllowsWhatReadersNeed) {
  for (const char* sql :
       {"SELECT count(*) FROM records", "WITH c AS (SELECT 1 AS x) SELECT count(*) FROM c",
        "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 9) SELECT sum(x) FROM c",
        "SELECT run, avg(value) OVER (PARTITION BY run) FROM metrics LIMIT 3", "PRAGMA table_info(leaks)",
        "SELECT name FROM pragma_table_info('leaks')", "SELECT e.value FROM json_each('[1,2]') e",
        "SELECT r.key FROM record r", "SELECT name FROM sqlite_temp_schema", "EXPLAIN QUERY PLAN SELECT 1",
        "SELECT run, count(*) FROM leaks GROUP BY run ORDER BY 2 DESC", "PRAGMA user_version"}) {
    SCOPED_TRACE(sql);
    EXPECT_NO_THROW(ask(sql));
  }
}

// Processor time of all children that have ended.
double children_cpu_s() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// None leaves a file behind.
TEST_F(SqlShell, RefusesOrEndsEveryAttack) {
  // SQLite's printf ends at its memory limit with NULL, or with an error where the result is what is too long.
  for (const char* sql : {"SELECT printf('%.*c', 500000000, 'x')", "SELECT length(printf('%.*c', 500000000, 'x'))"}) {
    try {
      EXPECT_EQ(ask(sql), std::vector<std::string>{"NULL"}) << sql;
    } catch (const Error&) {
    }
  }
  const std::string before = files();
  const std::string file = (dir_ / "made").string();
  std::size_t count = 0;
  const int patient = std::exchange(options_.timeout_ms, kShort);
  for (std::string sql : kAttacks) {
    if (const auto at = sql.find("%F"); at != std::string::npos) sql.replace(at, 2, file);
    SCOPED_TRACE(sql);
    const double before_s = children_cpu_s();
    EXPECT_THROW(ask(sql), Error);
    EXPECT_LT(children_cpu_s() - before_s, 4) << "seconds of its own, however busy the machine is";
    ++count;
  }
  options_.timeout_ms = patient;
  EXPECT_GE(count, 190U);
  EXPECT_EQ(std::set<std::string>(std::begin(kAttacks), std::end(kAttacks)).size(), count) << "each once";
  EXPECT_EQ(files(), before);
  EXPECT_EQ(ask("SELECT count(*) FROM records"), (std::vector<std::string>{"2"}));
}

TEST_F(SqlShell, RefusesStatementsThatAreTooLarge) {
  std::string many = "SELECT 1";
  for (int i = 0; i < 450; ++i) many += " UNION SELECT " + std::to_string(i);
  EXPECT_THROW(ask(many), Error);
  std::string list = "SELECT 1 IN (1";
  for (int i = 0; i < 40'000; ++i) list += ",1";
  EXPECT_NO_THROW(ask(list + ")"));
  for (int i = 0; i < 40'000; ++i) list += ",1";
  EXPECT_THROW(ask(list + ")"), Error);  // over 100 kB
  EXPECT_THROW(ask("SELECT " + std::string(200, '(') + "1" + std::string(200, ')') + std::string(101, '-') + "1"),
               Error);
}

// Time on the clock: the statement, its rows, and whoever takes them.
TEST_F(SqlShell, EndsInTimeWhateverTakesIt) {
  const std::string endless = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
  options_.most_rows = UINT64_MAX;
  options_.timeout_ms = kShort;
  for (const int sleep_us : {0, 20'000}) {
    SCOPED_TRACE(sleep_us);
    std::uint64_t rows = 0;
    SqlSink sink;
    sink.columns = [](const auto&) {};
    sink.row = [&](const auto&) {
      ++rows;
      if (sleep_us > 0 && rows % 10'000 == 0) ::usleep(static_cast<unsigned>(sleep_us));
    };
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(run_statement(options_, endless, sink), Error);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(options_.timeout_ms + 2000));
    EXPECT_GT(rows, 1000U);
  }
}

// As the system does where memory runs out. Not the time limit, and nobody interrupted it.
TEST_F(SqlShell, SaysThatItsProcessWasKilled) {
  options_.most_rows = UINT64_MAX;
  bool killed = false;
  SqlSink sink;
  sink.columns = [](const auto&) {};
  sink.row = [&](const auto&) {
    if (std::exchange(killed, true)) return;
    pid_t child = 0;
    std::ifstream(fmt::format("/proc/self/task/{}/children", ::getpid())) >> child;
    ASSERT_GT(child, 0);
    ::kill(child, SIGKILL);
  };
  try {
    run_statement(options_, "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", sink);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
    EXPECT_NE(std::string_view(error.what()).find("was killed"), std::string_view::npos) << error.what();
  }
}

TEST_F(SqlShell, StopsBehindItsLimitOfRows) {
  options_.most_rows = 3;
  const struct {
    const char* sql;
    std::size_t rows;
    bool more;
  } cases[] = {{"WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c; SELECT 2", 3, true},
               {"VALUES (1), (2), (3); SELECT 2", 3, false},
               {"VALUES (1), (2); SELECT 2", 2, false}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sql);
    std::size_t rows = 0;
    const SqlSink sink{[](const auto&) {}, [&](const auto&) { ++rows; }};
    const SqlEnd end = run_statement(options_, one.sql, sink);
    EXPECT_EQ(rows, one.rows);
    EXPECT_EQ(end.more, one.more);
    EXPECT_EQ(std::string_view(one.sql).substr(end.next), " SELECT 2");
  }
}

TEST_F(SqlShell, RefusesANul) {
  using namespace std::string_view_literals;
  for (const std::string_view sql : {"\0"sv, "SELECT 1\0"sv, "\0SELECT 1"sv, "SELECT '\0'; SELECT 2"sv}) {
    try {
      ask(sql);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
    }
  }
}

// A view that somebody put into the catalog must not reach texts.
TEST_F(SqlShell, DoesNotCallTextFromAViewOfTheCatalog) {
  {
    storage::Db db(options_.store / "catalog.db", storage::DbMode::kReadWrite);
    db.run("CREATE VIEW bait AS SELECT text(text_id) AS t FROM record");
  }
  EXPECT_THROW(ask("SELECT t FROM bait"), Error);
}

TEST_F(SqlShell, StopsWhenTheReaderThrows) {
  SqlSink sink;
  sink.columns = [](const auto&) {};
  sink.row = [](const auto&) { throw Error(Code::kInterrupted, "enough"); };
  EXPECT_THROW(run_statement(options_,
                             "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", sink),
               Error);
}

TEST_F(SqlShell, HasLookedAtEveryFunctionOfSqlite) {
  std::set<std::string, std::less<>> known;
  for (const auto name : sql_functions()) known.emplace(name);
  for (const auto name : refused_sql_functions()) EXPECT_TRUE(known.emplace(name).second) << name;
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  sqlite3_stmt* list = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db, "SELECT DISTINCT name FROM pragma_function_list", -1, &list, nullptr), SQLITE_OK);
  while (sqlite3_step(list) == SQLITE_ROW) {
    const std::string name = reinterpret_cast<const char*>(sqlite3_column_text(list, 0));
    EXPECT_EQ(known.count(name), 1U) << name << " is neither allowed nor refused";
  }
  sqlite3_finalize(list);
  sqlite3_close(db);
}

}  // namespace
}  // namespace residue::query
