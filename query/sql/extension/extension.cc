// residue.so: what SQLite calls when a program loads it, and the functions that it gets.
//
//   SELECT residue_open('PATH' [, 'LEVEL'])   the views of a store as temporary tables
//   SELECT text(claim_text) FROM leaks        a text, by its number
//   SELECT rouge_l(a, b), diff(a, b) ...      of texts, as residue sql has them (functions/text_functions.h)
//   SELECT residue_close()
//   RESIDUE_OPEN=PATH (environment)           opens the store as soon as the extension is loaded
#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/extension/host_sqlite.h"
#include "query/sql/extension/view_table.h"
#include "query/sql/functions/text_functions.h"
#include "query/sql/functions/vader_lexicon.h"
#include "query/sql/sql_shell_scalars.h"
#include "text/characters/unicode.h"
#include "text/measures/vader.h"

SQLITE_EXTENSION_INIT1

namespace residue::query {
namespace {

using Shared = std::shared_ptr<HostConnection>;

// A program may load an extension twice into one connection.
struct Connections {
  std::mutex mutex;
  std::map<sqlite3*, std::weak_ptr<HostConnection>> all;
};
Connections& connections() {
  static auto& instance = *new Connections;
  return instance;
}

Shared find_connection(sqlite3* db) {
  const std::scoped_lock lock(connections().mutex);
  const auto at = connections().all.find(db);
  return at == connections().all.end() ? nullptr : at->second.lock();
}

Shared make_connection(sqlite3* db) {
  const Shared made(new HostConnection, [](HostConnection* ended) {
    {
      const std::scoped_lock lock(connections().mutex);
      connections().all.erase(ended->db);
    }
    delete ended;
  });
  made->db = db;
  const std::scoped_lock lock(connections().mutex);
  connections().all[db] = made;
  return made;
}

void fail(sqlite3_context* context, const std::string& message) {
  sqlite3_result_error(context, ("residue: " + message).c_str(), -1);
}

// Runs `work(connection)`, and makes errors of what it throws.
template <class Work>
void guarded(sqlite3_context* context, const Work& work) {
  try {
    work(**static_cast<Shared*>(sqlite3_user_data(context)));
  } catch (const Error& error) {
    fail(context, line_of(error));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception&) {
    fail(context, "this cannot be answered; this is a bug of residue");
  }
}

std::string text_of(sqlite3_value* value, const char* what) {
  const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  if (!is_text || text == nullptr || size == 0 || std::strlen(text) != size) {
    throw Error(Code::kUsage, fmt::format("{} is a text", what), "SELECT residue_open('PATH', 'released')");
  }
  return {text, size};
}

void run(sqlite3* db, char* sql) {
  const std::unique_ptr<char, void (*)(void*)> owned(sql, sqlite3_free);
  if (sql == nullptr) throw std::bad_alloc();
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw Error(Code::kUsage, sqlite3_errmsg(db));
}

void drop(HostConnection& connection, const std::vector<std::string>& tables) {
  for (const std::string& table : tables)
    run(connection.db, sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"", table.c_str()));
}

// Returns what there is now, as a sentence.
std::string open_all(HostConnection& connection, const std::string& place, ReadLevel level) {
  if (connection.store) {
    throw Error(Code::kUsage, fmt::format("this connection has {} open", connection.store->dir().string()),
                "SELECT residue_close() closes it");
  }
  const auto store = connection.open(place, level);
  std::vector<std::string> made;
  try {
    for (const std::string& view : store->views()) {
      run(connection.db,
          sqlite3_mprintf("CREATE VIRTUAL TABLE temp.\"%w\" USING %s(%Q, %Q, %Q)", view.c_str(), kViewModule,
                          store->dir().c_str(), view.c_str(), std::string(name_of(level)).c_str()));
      made.push_back(view);
    }
  } catch (const Error& error) {
    drop(connection, made);
    connection.store.reset();
    throw;
  }
  return text::escape_controls(
      fmt::format("{} ({}): {}", store->dir().string(), name_of(level), fmt::join(made, ", ")));
}

void open(sqlite3_context* context, int count, sqlite3_value** arguments) {
  guarded(context, [&](HostConnection& connection) {
    const std::string place = text_of(arguments[0], "the path of a store");
    const ReadLevel level = count > 1 ? level_named(text_of(arguments[1], "a level")) : ReadLevel::kReleased;
    const std::string answer = open_all(connection, place, level);
    sqlite3_result_text64(context, answer.data(), answer.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  });
}

void close(sqlite3_context* context, int /*count*/, sqlite3_value** /*arguments*/) {
  guarded(context, [&](HostConnection& connection) {
    if (!connection.store) throw Error(Code::kUsage, "no store is open", "SELECT residue_open('PATH')");
    drop(connection, {connection.tables.begin(), connection.tables.end()});
    connection.tables.clear();
    connection.store.reset();
    sqlite3_result_text(context, "closed", -1, SQLITE_STATIC);
  });
}

void text(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  guarded(context, [&](HostConnection& connection) {
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return;
    if (sqlite3_value_type(arguments[0]) != SQLITE_INTEGER) {
      throw Error(Code::kUsage, "text(id) takes the number of a text, such as text(claim_text)");
    }
    const auto store = connection.store;
    if (!store) throw Error(Code::kUsage, "no store is open", "SELECT residue_open('PATH')");
    const std::string found = store->text(TextId{sqlite3_value_int64(arguments[0])});
    sqlite3_result_text64(context, found.data(), found.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  });
}

using Function = void (*)(sqlite3_context*, int, sqlite3_value**);

// DIRECTONLY: no view or trigger of a file that somebody sent opens a store or reads its texts.
int attach(sqlite3* db, const Shared& connection, const char* name, int arguments, Function function) {
  auto kept = std::make_unique<Shared>(connection);
  return sqlite3_create_function_v2(db, name, arguments, SQLITE_UTF8 | SQLITE_DIRECTONLY, kept.release(), function,
                                    nullptr, nullptr, [](void* data) { delete static_cast<Shared*>(data); });
}

// Of the environment, read once: a lexicon is no part of the extension.
const TextTools& text_tools() {
  static const auto& instance = *new TextTools([] {
    TextTools tools;
    try {
      const VaderContents contents = read_vader({});
      tools.vader = std::make_shared<const text::Vader>(contents.lexicon, contents.emoji);
    } catch (const Error&) {
      tools.no_vader =
          "no sentiment lexicon is named; set RESIDUE_VADER_LEXICON to vader_lexicon.txt of the Python "
          "package vaderSentiment before the extension is loaded";
    }
    return tools;
  }());
  return instance;
}

int attach_all(sqlite3* db) {
  if (find_connection(db)) return SQLITE_OK;
  attach_text_functions(db, text_tools(), {});
  const Shared connection = make_connection(db);
  int code = attach_view_tables(db, connection);
  struct Named {
    const char* name;
    int arguments;
    Function function;
  };
  for (const auto& [name, arguments, function] :
       {Named{"residue_open", 1, open}, {"residue_open", 2, open}, {"residue_close", 0, close}, {"text", 1, text}}) {
    if (code == SQLITE_OK) code = attach(db, connection, name, arguments, function);
  }
  return code;
}

// For tools that load extensions and then run one statement.
void open_named(sqlite3* db) {
  const char* place = std::getenv("RESIDUE_OPEN");
  const Shared connection = find_connection(db);
  if (place != nullptr && *place != '\0' && !connection->store) {
    static_cast<void>(open_all(*connection, place, ReadLevel::kReleased));
  }
}

}  // namespace
}  // namespace residue::query

extern "C" [[gnu::visibility("default")]] int sqlite3_residue_init(sqlite3* db, char** error,
                                                                   const sqlite3_api_routines* api) {
  SQLITE_EXTENSION_INIT2(api)
  if (sqlite3_libversion_number() < residue::query::kOldestSqlite) {
    *error = sqlite3_mprintf("residue needs SQLite 3.37 or newer, and this program has %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  try {
    // Other connections may have it loaded: it stays until the process ends.
    const int code = residue::query::attach_all(db);
    if (code != SQLITE_OK) return code;
    residue::query::open_named(db);
    return SQLITE_OK_LOAD_PERMANENTLY;
  } catch (const residue::Error& problem) {
    *error = sqlite3_mprintf("residue: %s", residue::query::line_of(problem).c_str());
    return SQLITE_ERROR;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}
