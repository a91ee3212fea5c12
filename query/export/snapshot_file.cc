#include "query/export/snapshot_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/export/new_file.h"
#include "query/export/snapshot_rows.h"
#include "storage/disk/files.h"

namespace residue::query {
namespace {

constexpr int kApplicationId = 0x72736475;  // "rsdu"
constexpr int kStepsBetweenLooks = 10'000;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

// The file that is written.
class File {
 public:
  File(const std::filesystem::path& path, const SqlOptions& how) : how_(how) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    db_.reset(raw);
    must(code);
    sqlite3_progress_handler(raw, kStepsBetweenLooks, stopped, &how_);
    // Nobody else sees the file before it is whole, so nothing has to be undone or synced on the way.
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY;"
        "PRAGMA cache_size=-32768; PRAGMA encoding='UTF-8'; BEGIN;");
  }

  void run(const std::string& sql) { must(sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr)); }

  Statement prepare(const std::string& sql) {
    sqlite3_stmt* raw = nullptr;
    must(sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &raw, nullptr));
    return Statement(raw);
  }

  // Inserts values[first..first+count).
  void insert(sqlite3_stmt* into, const std::vector<SqlValue>& values, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const int place = static_cast<int>(i + 1);
      const SqlValue& value = values.at(first + i);
      if (const auto* text = std::get_if<std::string>(&value)) {
        must(sqlite3_bind_text64(into, place, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8));
      } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        must(sqlite3_bind_int64(into, place, *whole));
      } else if (const auto* real = std::get_if<double>(&value)) {
        must(sqlite3_bind_double(into, place, *real));
      } else {
        must(sqlite3_bind_null(into, place));
      }
    }
    sqlite3_step(into);
    must(sqlite3_reset(into));
  }

  void close() {
    run("COMMIT");
    must(sqlite3_close(db_.get()));
    static_cast<void>(db_.release());
  }

 private:
  static int stopped(void* how) {
    const auto& options = *static_cast<const SqlOptions*>(how);
    return options.interrupted && options.interrupted() ? 1 : 0;
  }

  void must(int code) {
    if (code == SQLITE_OK) return;
    // The engine calls it an error of the disk where the file may not grow.
    int wanted = 0;
    if ((code & 0xff) == SQLITE_IOERR) sqlite3_file_control(db_.get(), "main", SQLITE_FCNTL_LAST_ERRNO, &wanted);
    if (wanted == EFBIG) {
      throw Error(Code::kTryAgain, "snapshot: the file would be larger than files may be",
                  "raise the limit (ulimit -f) and run the command again");
    }
    switch (storage::means_full(wanted) ? SQLITE_FULL : code & 0xff) {
      case SQLITE_INTERRUPT:
        throw Error(Code::kInterrupted, "stopped");
      case SQLITE_FULL:
        throw Error(Code::kTryAgain, "snapshot: the disk is full", "free some space and run the command again");
      case SQLITE_NOMEM:
        throw Error(Code::kTryAgain, "snapshot: out of memory", "try again later");
      default:
        throw Error(Code::kIo, fmt::format("snapshot: {}", sqlite3_errstr(code)), "check the path and its disk");
    }
  }

  SqlOptions how_;
  std::unique_ptr<sqlite3, Close> db_;
};

const char* declared(const ExportColumn& column) {
  if (column.text != ExportColumn::Text::kNone) return "INTEGER REFERENCES texts(id)";
  switch (column.type) {
    case ParquetType::kUtf8:
      return "TEXT";
    case ParquetType::kDouble:
      return "";  // some are whole: a type would change them
    default:
      return "INTEGER";
  }
}

struct Into {
  Statement statement;
  std::size_t columns = 0;
};

Into make_table(File& file, const ExportTable& table, const std::vector<const ExportColumn*>& columns) {
  std::string list, places;
  bool of_record = false;
  for (const ExportColumn* column : columns) {
    list += fmt::format("{}\"{}\" {}", list.empty() ? "" : ", ", column->name, declared(*column));
    places += places.empty() ? "?" : ", ?";
    of_record = of_record || std::string_view(column->name) == "record";
  }
  file.run(fmt::format("CREATE TABLE \"{}\" ({})", table.name, list));
  file.run(fmt::format("CREATE INDEX \"{}_by_name\" ON \"{}\" ({})", table.name, table.name, table.index));
  if (of_record) file.run(fmt::format("CREATE INDEX \"{}_by_record\" ON \"{}\" (record)", table.name, table.name));
  return {file.prepare(fmt::format("INSERT INTO \"{}\" VALUES ({})", table.name, places)), columns.size()};
}

void say_what_it_is(File& file, const SnapshotRequest& request, const std::string& store) {
  file.run("CREATE TABLE residue_snapshot (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  const Statement put = file.prepare("INSERT INTO residue_snapshot VALUES (?, ?)");
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"what", "a snapshot of a residue store"},
                                   {"level", std::string(name_of(request.how.level))},
                                   {"texts", request.how.texts ? "yes" : "no"},
                                   {"schema_version", std::to_string(kExportSchemaVersion)},
                                   {"store", store},
                                   {"made_at", request.made_at},
                                   {"made_by", request.program}}) {
    file.insert(put.get(), {key, value}, 0, 2);
  }
}

}  // namespace

SnapshotSize write_snapshot(const SnapshotRequest& request, const std::filesystem::path& path) {
  if (path == "-") {
    throw Error(Code::kUsage, "a snapshot is a file: standard output cannot be one", "name a file: ./- is called -");
  }
  NewFile whole(path);
  SnapshotSize size;
  {
    File file(whole.part(), request.how);
    file.run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kExportSchemaVersion));
    std::vector<Into> tables;
    Statement text;
    if (request.how.texts) {
      file.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
      file.run("CREATE VIRTUAL TABLE texts_fts USING fts5(text, content='texts', content_rowid='id')");
      text = file.prepare("INSERT INTO texts VALUES (?, ?)");
    }
    for (const ExportTable& table : export_tables()) {
      tables.push_back(make_table(file, table, columns_at(table, request.how.level, request.how.texts)));
    }
    std::string store;
    SqlSink sink;
    sink.row = [&](const std::vector<SqlValue>& row) {
      const auto kind = std::get<std::int64_t>(row.at(0));
      if (kind == kSnapshotText) {
        file.insert(text.get(), row, 1, 2);
        ++size.texts;
      } else if (kind == kSnapshotStore) {
        store = std::get<std::string>(row.at(2));
      } else {
        const Into& into = tables.at(static_cast<std::size_t>(kind));
        file.insert(into.statement.get(), row, 1, into.columns);
        ++size.rows;
      }
    };
    run_statement(request.how, snapshot_statement(request.how.level, request.how.texts), sink);
    if (request.how.texts) file.run("INSERT INTO texts_fts(texts_fts) VALUES('rebuild')");
    say_what_it_is(file, request, store);
    tables.clear();
    text.reset();
    file.close();
  }
  whole.finish();
  return size;
}

}  // namespace residue::query
