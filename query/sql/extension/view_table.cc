#include "query/sql/extension/view_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/nearest.h"
#include "query/sql/extension/constraints.h"
#include "query/sql/levels/face_words.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  std::shared_ptr<HostConnection> connection;
  std::shared_ptr<OpenStore> store;
  std::string name;  // the host's
  std::string view;
  std::vector<StoredColumn> columns;

  int refuse(const Error& error) {
    sqlite3_free(base.zErrMsg);
    base.zErrMsg = sqlite3_mprintf("residue: %s", line_of(error).c_str());
    return error.code() == Code::kInterrupted ? SQLITE_INTERRUPT : SQLITE_ERROR;
  }

  // What only a reading of texts can tell (OpenStore::find_failures).
  [[nodiscard]] bool tells_failures(std::size_t column) const {
    const std::string& asked = columns[column].name;
    return (view == "variants" && asked == "error") || (view == "runs" && asked == "failed");
  }
};

Table& table_of(sqlite3_vtab* base) { return *reinterpret_cast<Table*>(base); }

// Runs `work`, which returns a code of SQLite, and makes errors of what it throws.
template <class Work>
int guarded(Table& table, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    return table.refuse(error);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception&) {
    return table.refuse(Error(Code::kInternal, "the statement cannot be answered", "this is a bug of residue"));
  }
}

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  OpenStore::Snapshot snapshot;
  sqlite3_stmt* statement = nullptr;
  std::string sql;  // of `statement`
  bool at_end = true;

  explicit Cursor(OpenStore& store) : snapshot(store) {}
  ~Cursor() { sqlite3_finalize(statement); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  int begin(Table& table, int used, std::string_view terms, std::span<sqlite3_value*> values) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.tells_failures(i) && reads(used, i)) table.store->find_failures();
    }
    const Chosen chosen = statement_of(table.view, table.columns, used, terms, values);
    prepare(*table.store, chosen.sql);
    for (std::size_t i = 0; i < chosen.values.size(); ++i) {
      const int code = sqlite3_bind_value(statement, static_cast<int>(i) + 1, chosen.values[i]);
      if (code != SQLITE_OK) throw table.store->error_of(code);
    }
    return next(table);
  }

  int next(Table& table) {
    const int code = sqlite3_step(statement);
    at_end = code != SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE) return SQLITE_OK;
    throw table.store->error_of(code);
  }

  void column(sqlite3_context* context, int number) const {
    switch (sqlite3_column_type(statement, number)) {
      case SQLITE_INTEGER:
        return sqlite3_result_int64(context, sqlite3_column_int64(statement, number));
      case SQLITE_FLOAT:
        return sqlite3_result_double(context, sqlite3_column_double(statement, number));
      case SQLITE_TEXT: {
        const std::string_view text = bytes(number);
        return sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      }
      case SQLITE_BLOB: {
        const std::string_view blob = bytes(number);
        return sqlite3_result_blob64(context, blob.data(), blob.size(), SQLITE_TRANSIENT);
      }
      default:
        return sqlite3_result_null(context);
    }
  }

  // Of a row's values: the arms of an OR find the same row twice, and the host tells rows apart by their ids.
  [[nodiscard]] std::int64_t row_id() const {
    std::uint64_t hash = 0;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const int type = sqlite3_column_type(statement, i);
      std::uint64_t number = 0;
      if (type == SQLITE_INTEGER) number = static_cast<std::uint64_t>(sqlite3_column_int64(statement, i));
      if (type == SQLITE_FLOAT) number = std::bit_cast<std::uint64_t>(sqlite3_column_double(statement, i));
      const bool has_bytes = type == SQLITE_TEXT || type == SQLITE_BLOB;
      hash = hash_of(hash + static_cast<std::uint64_t>(type), has_bytes ? bytes(i) : std::string_view(), number);
    }
    return static_cast<std::int64_t>(hash >> 1U);
  }

 private:
  void prepare(const OpenStore& store, const std::string& wanted) {
    if (statement != nullptr && wanted == sql) {
      sqlite3_reset(statement);
      return;
    }
    sqlite3_finalize(std::exchange(statement, nullptr));
    const int code = sqlite3_prepare_v2(store.connection(), wanted.c_str(), -1, &statement, nullptr);
    if (code != SQLITE_OK) throw store.error_of(code);
    sql = wanted;
  }

  [[nodiscard]] std::string_view bytes(int number) const {
    const void* data = sqlite3_column_blob(statement, number);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, number));
    return data == nullptr ? std::string_view("", 0) : std::string_view(static_cast<const char*>(data), size);
  }
};

Cursor& cursor_of(sqlite3_vtab_cursor* base) { return *reinterpret_cast<Cursor*>(base); }

// An argument of the module, as it stands in the statement: 'it''s' is it's.
std::string unquoted(std::string_view word) {
  if (word.size() < 2 || (word.front() != '\'' && word.front() != '"') || word.back() != word.front()) {
    return std::string(word);
  }
  std::string plain;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    plain += word[i];
    if (word[i] == word.front()) ++i;
  }
  return plain;
}

std::string declaration(const std::vector<StoredColumn>& columns) {
  std::string list;
  for (const StoredColumn& column : columns) {
    list += fmt::format("{}\"{}\" {}", list.empty() ? "" : ", ", column.name, column.type);
  }
  return fmt::format("CREATE TABLE x({})", list);
}

[[noreturn]] void no_view(const OpenStore& store, const std::string& view) {
  const std::vector<std::string> views = store.views();
  const auto close = nearest(view, views, 1);
  throw Error(Code::kUsage, fmt::format("the store has no view of that name; it has {}", fmt::join(views, ", ")),
              close.empty() ? "" : fmt::format("did you mean {}?", close.front()));
}

std::unique_ptr<Table> made_table(const std::shared_ptr<HostConnection>& connection,
                                  std::span<const char* const> words) {
  constexpr std::size_t kDatabase = 1, kName = 2, kPath = 3, kView = 4, kLevel = 5;
  if (words.size() != kView + 1 && words.size() != kLevel + 1) {
    throw Error(Code::kUsage, "write CREATE VIRTUAL TABLE temp.NAME USING residue('PATH', 'VIEW')");
  }
  if (std::string_view(words[kDatabase]) != "temp") {
    throw Error(Code::kUsage, "a view of a store is shown for this connection only, never kept in a file",
                "CREATE VIRTUAL TABLE temp.NAME ...");
  }
  const ReadLevel level = words.size() > kLevel ? level_named(unquoted(words[kLevel])) : ReadLevel::kReleased;
  auto table = std::make_unique<Table>();
  table->connection = connection;
  table->name = words[kName];
  table->view = unquoted(words[kView]);
  table->store = connection->open(unquoted(words[kPath]), level);
  table->columns = table->store->columns(table->view);
  if (table->columns.empty()) no_view(*table->store, table->view);
  return table;
}

int connect(sqlite3* db, void* data, int count, const char* const* words, sqlite3_vtab** table, char** error) {
  const auto& connection = *static_cast<const std::shared_ptr<HostConnection>*>(data);
  Table none;
  const int code = guarded(none, [&] {
    auto made = made_table(connection, {words, static_cast<std::size_t>(count)});
    if (const int declared = sqlite3_declare_vtab(db, declaration(made->columns).c_str()); declared != SQLITE_OK) {
      return declared;
    }
    sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);  // no view or trigger of a file reads a store
    connection->tables.insert(made->name);
    *table = &made.release()->base;
    return SQLITE_OK;
  });
  if (connection->tables.empty()) connection->store.reset();  // opened for nothing
  *error = none.base.zErrMsg;
  return code;
}

int disconnect(sqlite3_vtab* base) {
  delete &table_of(base);
  return SQLITE_OK;
}

int destroy(sqlite3_vtab* base) {
  HostConnection& connection = *table_of(base).connection;
  connection.tables.erase(table_of(base).name);
  if (connection.tables.empty()) connection.store.reset();
  return disconnect(base);
}

int open_cursor(sqlite3_vtab* base, sqlite3_vtab_cursor** cursor) {
  Table& table = table_of(base);
  return guarded(table, [&] {
    *cursor = &(new Cursor(*table.store))->base;
    return SQLITE_OK;
  });
}

const sqlite3_module& view_module() {
  static const sqlite3_module instance = [] {
    sqlite3_module m{};
    m.xCreate = connect;
    m.xConnect = connect;
    m.xDisconnect = disconnect;
    m.xDestroy = destroy;
    m.xBestIndex = [](sqlite3_vtab* base, sqlite3_index_info* info) {
      return guarded(table_of(base), [&] { return choose(table_of(base).columns, *info); });
    };
    m.xOpen = open_cursor;
    m.xClose = [](sqlite3_vtab_cursor* cursor) {
      delete &cursor_of(cursor);
      return SQLITE_OK;
    };
    m.xFilter = [](sqlite3_vtab_cursor* cursor, int used, const char* terms, int count, sqlite3_value** values) {
      Table& table = table_of(cursor->pVtab);
      return guarded(table, [&] {
        return cursor_of(cursor).begin(table, used, terms == nullptr ? "" : terms,
                                       {values, static_cast<std::size_t>(count)});
      });
    };
    m.xNext = [](sqlite3_vtab_cursor* cursor) {
      Table& table = table_of(cursor->pVtab);
      return guarded(table, [&] { return cursor_of(cursor).next(table); });
    };
    m.xEof = [](sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).at_end ? 1 : 0; };
    m.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
      cursor_of(cursor).column(context, column);
      return SQLITE_OK;
    };
    m.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
      *id = cursor_of(cursor).row_id();
      return SQLITE_OK;
    };
    return m;
  }();
  return instance;
}

}  // namespace

std::string line_of(const Error& error) {
  const std::string line =
      error.hint().empty() ? std::string(error.what()) : fmt::format("{}; {}", error.what(), error.hint());
  return text::escape_controls(in_words_of(Face::kExtension, line));
}

std::shared_ptr<OpenStore> HostConnection::open(const std::filesystem::path& place, ReadLevel level) {
  const auto dir = storage::Store::find(place, false);
  if (!dir) {
    throw Error(Code::kNotFound, fmt::format("no store in {}", std::filesystem::absolute(place).string()),
                "name the directory that holds .residue");
  }
  if (store) {
    if (store->dir() == *dir && store->level() == level) return store;
    throw Error(Code::kUsage,
                fmt::format("this connection has {} open for {}", store->dir().string(), name_of(store->level())),
                "SELECT residue_close() closes it");
  }
  return store = std::make_shared<OpenStore>(*dir, level, db);
}

int attach_view_tables(sqlite3* db, const std::shared_ptr<HostConnection>& connection) {
  auto kept = std::make_unique<std::shared_ptr<HostConnection>>(connection);
  return sqlite3_create_module_v2(db, kViewModule, &view_module(), kept.release(),
                                  [](void* data) { delete static_cast<std::shared_ptr<HostConnection>*>(data); });
}

}  // namespace residue::query
