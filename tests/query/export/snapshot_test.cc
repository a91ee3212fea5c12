#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "query/export/snapshot_file.h"
#include "tests/query/export/export_fixture.h"

namespace residue::query {
namespace {
namespace fs = std::filesystem;

class Snapshot : public ExportTest {
 protected:
  Snapshot() : file_(dir_ / "s.db") {}

  SnapshotSize write(ReadLevel level, bool texts = true) {
    SnapshotRequest request;
    request.how.store = dir_ / ".residue";
    request.how.texts = texts;
    request.how.level = level;
    request.program = "residue test";
    request.made_at = "2025-11-25T16:00:00Z";
    return write_snapshot(request, file_);
  }

  // Rows as '|' joined cells, by SQLite alone.
  std::vector<std::string> ask(const std::string& sql) {
    sqlite3* raw = nullptr;
    sqlite3_open_v2(file_.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> db(raw, sqlite3_close);
    std::vector<std::string> rows;
    char* message = nullptr;
    sqlite3_exec(
        raw, sql.c_str(),
        [](void* out, int count, char** cells, char**) {
          std::string row;
          for (int i = 0; i < count; ++i)
            row += (i > 0 ? "|" : "") + std::string(cells[i] == nullptr ? "NULL" : cells[i]);
          static_cast<std::vector<std::string>*>(out)->push_back(row);
          return 0;
        },
        &rows, &message);
    EXPECT_EQ(message, nullptr) << sql << ": " << (message == nullptr ? "" : message);
    sqlite3_free(message);
    return rows;
  }

  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(dir_)) all.push_back(entry.path().filename());
    return all;
  }

  fs::path file_;
};

TEST_F(Snapshot, HasTheRowsOfTheViews) {
  for (const ReadLevel level : {ReadLevel::kReleased, ReadLevel::kClaims, ReadLevel::kOriginals}) {
    SCOPED_TRACE(name_of(level));
    request_.how.level = level;
    fs::remove(file_);
    const SnapshotSize size = write(level);
    std::uint64_t all = 0;
    for (const ExportTable& table : export_tables()) {
      SCOPED_TRACE(table.name);
      std::string list;
      for (const ExportColumn* column : columns_at(table, level, true)) {
        std::string value = std::string("v.\"") + column->name + '"';
        if (column->text != ExportColumn::Text::kNone) value = "(SELECT text FROM texts WHERE id = " + value + ")";
        // Reals as the fixture shows them.
        if (column->type == ParquetType::kDouble)
          value = "CASE WHEN " + value + " NOT NULL THEN printf('%f', " + value + ") END";
        list += (list.empty() ? "" : ", ") + value;
      }
      const std::vector<std::string> expected = rows(table.name);
      EXPECT_EQ(ask("SELECT " + list + " FROM \"" + table.name + "\" v ORDER BY rowid"), expected);
      all += expected.size();
    }
    EXPECT_EQ(size.rows, all);
    EXPECT_EQ(ask("PRAGMA foreign_key_check"), std::vector<std::string>{});
    EXPECT_EQ(ask("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
  }
}

// Each column has the types of values that the view has: a count is whole in both, a sum of weights real.
TEST_F(Snapshot, KeepsTypes) {
  write(ReadLevel::kReleased);
  for (const ExportTable& table : export_tables()) {
    for (const ExportColumn* column : columns_at(table, ReadLevel::kReleased, true)) {
      if (column->text != ExportColumn::Text::kNone) continue;  // what the level does not serve is NULL
      SCOPED_TRACE(std::string(table.name) + "." + column->name);
      const std::string types = std::string("SELECT DISTINCT typeof(\"") + column->name + "\") FROM ";
      std::vector<std::string> live;
      SqlSink sink;
      sink.columns = [](const auto&) {};
      sink.row = [&](const std::vector<SqlValue>& row) { live.push_back(std::get<std::string>(row.at(0))); };
      run_statement(request_.how, types + table.from + " ORDER BY 1", sink);
      EXPECT_EQ(ask(types + "\"" + table.name + "\" ORDER BY 1"), live);
    }
  }
}

TEST_F(Snapshot, KeepsRealsBitForBit) {
  write(ReadLevel::kReleased);
  SqlSink sink;
  std::vector<double> live;
  sink.columns = [](const auto&) {};
  sink.row = [&](const std::vector<SqlValue>& row) { live.push_back(std::get<double>(row.at(0))); };
  run_statement(request_.how, "SELECT value * 1.0 FROM metrics WHERE value IS NOT NULL", sink);
  std::vector<double> kept;
  for (const std::string& row : ask("SELECT printf('%!.20g', value) FROM metrics WHERE value IS NOT NULL")) {
    kept.push_back(std::stod(row));
  }
  EXPECT_EQ(kept, live);
  EXPECT_FALSE(live.empty());
}

TEST_F(Snapshot, SearchesTheTextsThatItServes) {
  write(ReadLevel::kReleased);
  EXPECT_EQ(ask("SELECT t.text FROM texts_fts f JOIN texts t ON t.id = f.rowid WHERE texts_fts MATCH 'asthma'"),
            std::vector<std::string>{"A person keeps bees. She has asthma since childhood."});
  EXPECT_EQ(ask("SELECT count(*) FROM texts_fts WHERE texts_fts MATCH 'Maria OR Graz OR aspirin'"),
            std::vector<std::string>{"0"});
}

// A limit on the size of files is a full disk, as for every export; half a file is not left.
TEST_F(Snapshot, EndsWhereFilesMayNotGrow) {
  const auto before = names();
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);  // as the program does
  for (const rlim_t most : {rlim_t{4096}, rlim_t{65536}}) {
    const rlimit limit{most, unlimited.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::optional<Error> said;
    try {
      write(ReadLevel::kReleased);
    } catch (const Error& error) {
      said = error;
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->code(), Code::kTryAgain);
    EXPECT_NE(said->hint().find("ulimit -f"), std::string::npos) << said->what();
    EXPECT_EQ(names(), before);
  }
  std::signal(SIGXFSZ, old);
}

TEST_F(Snapshot, IsNoStream) {
  const auto before = names();
  file_ = "-";
  try {
    write(ReadLevel::kReleased);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(std::string(error.what()).find("standard output"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists("-"));
  EXPECT_EQ(names(), before);
}

TEST_F(Snapshot, SaysWhatItIs) {
  write(ReadLevel::kClaims);
  const std::vector<std::string> lines = ask("SELECT key, value FROM residue_snapshot ORDER BY key");
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "level|claims");
  EXPECT_EQ(lines[1], "made_at|2025-11-25T16:00:00Z");
  EXPECT_EQ(lines[2], "made_by|residue test");
  EXPECT_EQ(lines[3], "schema_version|1");
  EXPECT_EQ(lines[4].size(), std::string("store|").size() + 36);
  EXPECT_EQ(lines[6], "what|a snapshot of a residue store");
  EXPECT_EQ(ask("PRAGMA user_version"), std::vector<std::string>{"1"});
  struct stat info = {};
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

// The whole file, free pages and search index included.
TEST_F(Snapshot, HasNoByteOfAHigherLevel) {
  const auto bytes = [&] {
    std::ifstream in(file_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  write(ReadLevel::kReleased);
  EXPECT_FALSE(tells_original(bytes()));
  for (const char* word : {"maria", "graz", "aspirin", "clocks"}) {  // as a search index folds them
    EXPECT_EQ(bytes().find(word), std::string::npos) << word;
  }
  fs::remove(file_);
  write(ReadLevel::kOriginals);
  EXPECT_TRUE(tells_original(bytes()));
  fs::remove(file_);
  write(ReadLevel::kReleased, false);
  EXPECT_EQ(bytes().find("asthma"), std::string::npos);
}

TEST_F(Snapshot, LeavesOutWhatItMayNotName) {
  write(ReadLevel::kReleased);
  for (const char* column :
       {"record_text", "claim_text", "query_text", "label_text", "answer_text", "task_text", "meta_text"}) {
    EXPECT_EQ(ask(std::string("SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) c WHERE c.name = '") +
                  column + "'"),
              std::vector<std::string>{"0"})
        << column;
  }
  EXPECT_EQ(ask("SELECT count(variant_text) FROM variants WHERE run IN ('none', 'remove-all')"),
            std::vector<std::string>{"0"});
  EXPECT_EQ(ask("SELECT count(linked_text) FROM links WHERE run = 'none'"), std::vector<std::string>{"0"});
  EXPECT_EQ(ask("SELECT count(linked_text) > 0 FROM links WHERE run = 'r'"), std::vector<std::string>{"1"});
}

TEST_F(Snapshot, ReplacesNothing) {
  std::ofstream(file_) << "mine";
  EXPECT_THROW(write(ReadLevel::kReleased), Error);
  EXPECT_EQ(fs::file_size(file_), 4U);
  fs::remove(file_);
  fs::create_symlink("nowhere", file_);
  EXPECT_THROW(write(ReadLevel::kReleased), Error);
  EXPECT_FALSE(fs::exists(dir_ / "nowhere"));
}

TEST_F(Snapshot, LeavesNothingHalfWritten) {
  request_.how.timeout_ms = 0;
  SnapshotRequest request;
  request.how = request_.how;
  EXPECT_THROW(write_snapshot(request, file_), Error);
  EXPECT_EQ(names(), std::vector<std::string>{".residue"});
  request.how.timeout_ms = 10'000;
  request.how.interrupted = [] { return true; };
  EXPECT_THROW(write_snapshot(request, file_), Error);
  EXPECT_EQ(names(), std::vector<std::string>{".residue"});
}

}  // namespace
}  // namespace residue::query
