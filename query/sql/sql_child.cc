#include "query/sql/sql_child.h"

#include <fmt/format.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "query/sql/advice/advice.h"
#include "query/sql/advice/contract.h"
#include "query/sql/levels/readable.h"
#include "query/sql/sql_message.h"
#include "query/sql/sql_shell_guard.h"
#include "query/sql/sql_shell_one_for_many.h"
#include "query/sql/sql_shell_scalars.h"
#include "query/sql/sql_shell_tables.h"
#include "query/sql/views.h"
#include "storage/catalog/content.h"
#include "storage/catalog/packed_scores.h"
#include "storage/store.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

constexpr rlim_t kAddressBytes = 768U << 20U;  // on top of what the store has mapped

// --- the connection ---

struct Clock {
  std::int64_t limit_ms = 0;
  bool stopped = false;
};

int on_progress(void* data) {
  Clock& clock = *static_cast<Clock*>(data);
  clock.stopped = clock.stopped || steady_ms() > clock.limit_ms;
  return clock.stopped ? 1 : 0;
}

// text(id): the text, verified. 0 is the empty text.
struct Texts {
  std::unique_ptr<storage::Facts::Reader> reader;  // nothing: --no-text
  Readable readable;
  std::optional<Error> failure;  // why the last one could not be read
};

void text_function(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  Texts& texts = *static_cast<Texts*>(sqlite3_user_data(context));
  if (!texts.reader || sqlite3_value_type(arguments[0]) == SQLITE_NULL) return;
  if (sqlite3_value_type(arguments[0]) != SQLITE_INTEGER) {
    sqlite3_result_error(context, "text(id) takes the number of a text, such as text(claim_text)", -1);
    return;
  }
  try {
    const TextId id{sqlite3_value_int64(arguments[0])};
    texts.readable.require(id);  // before anything that could tell whether it is there
    const std::string text = id.value == 0 ? std::string() : texts.reader->text(id);
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } catch (const Error& error) {
    texts.failure = error;
    sqlite3_result_error(context, error.what(), -1);
  } catch (const std::exception& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

void must(sqlite3* db, int code) {
  if (const auto damage = storage::damage_of(db, sqlite3_extended_errcode(db)); damage && code != SQLITE_OK)
    throw *damage;
  if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
}

void run(sqlite3* db, const char* sql) { must(db, sqlite3_exec(db, sql, nullptr, nullptr, nullptr)); }

sqlite3* open_catalog(storage::Store& store, OneForMany& one_for_many) {
  const std::string uri = store.catalog_uri();
  sqlite3* db = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr);
  if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("catalog: {}", sqlite3_errstr(code)), "residue check");
  must(db, prepare_views(db));
  attach_one_for_many(db, one_for_many);
  run(db, "PRAGMA query_only=ON; BEGIN; SELECT 1 FROM store_info LIMIT 1;");
  return db;
}

void set_limits(sqlite3* db) {
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, static_cast<int>(kMaxSqlValueBytes)},
                                     {SQLITE_LIMIT_SQL_LENGTH, 100'000},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                                     {SQLITE_LIMIT_VDBE_OP, 250'000},
                                     {SQLITE_LIMIT_FUNCTION_ARG, 32},
                                     {SQLITE_LIMIT_COLUMN, 200},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_VARIABLE_NUMBER, 10},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(db, limit, value);
  }
  sqlite3_hard_heap_limit64(kSqlHeapBytes);
}

// --- the process ---

// Never more than there is already: nobody may raise that.
void limit(int resource, rlim_t value) {
  const auto what = static_cast<__rlimit_resource>(resource);
  rlimit now{};
  ::getrlimit(what, &now);
  const rlimit both{std::min(value, now.rlim_max), std::min(value, now.rlim_max)};
  if (::setrlimit(what, &both) != 0) {
    throw Error(Code::kInternal, "sql: the process cannot be limited", "this is a bug of residue");
  }
}

// From here on: no file can be opened or grow, no process started, and both time and memory end.
void give_up_rights(int timeout_ms) {
  limit(RLIMIT_FSIZE, 0);
#if !defined(__SANITIZE_ADDRESS__)  // UBSan opens a pipe to see whether memory can be read; without one it cries wolf
  limit(RLIMIT_NOFILE, 0);
#endif
  limit(RLIMIT_CORE, 0);
  const auto seconds = static_cast<rlim_t>(timeout_ms / 1000 + 2);
  const rlimit cpu{seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
}

void limit_memory(std::int64_t mapped_pages) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static_cast<void>(mapped_pages);  // Their shadows need terabytes of addresses.
#else
  limit(RLIMIT_AS, static_cast<rlim_t>(mapped_pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + kAddressBytes);
#endif
}

std::int64_t mapped_pages() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

void calm_signals() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXCPU}) ::signal(signal, SIG_DFL);
}

// --- the statement ---

std::string columns_of(sqlite3_stmt* statement) {
  std::string body;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) put_text(body, sqlite3_column_name(statement, i));
  return body;
}

template <class Number>
void put_number(std::string& out, char type, Number value) {
  out += type;
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_value(std::string& out, sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      out += 'n';
      return;
    case SQLITE_INTEGER:
      put_number(out, 'i', static_cast<std::int64_t>(sqlite3_column_int64(statement, column)));
      return;
    case SQLITE_FLOAT:
      put_number(out, 'r', sqlite3_column_double(statement, column));
      return;
    default:
      out += sqlite3_column_type(statement, column) == SQLITE_BLOB ? 'b' : 't';
      const void* bytes = sqlite3_column_blob(statement, column);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      put_text(out, bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size));
  }
}

// Of a column that the statement's own views do not have: those that do. Empty where there are none.
std::string views_with(sqlite3* db, std::string_view message, const std::string& column) {
  if (!message.starts_with("no such column: ")) return {};
  std::string list;
  for (const std::string& named :
       sql_names(db,
                 "SELECT c.name || ' ' || v.name FROM sqlite_temp_schema v, pragma_table_info(v.name) c"
                 " WHERE v.type = 'view' ORDER BY v.name")) {
    const std::size_t space = named.rfind(' ');
    if (text::lower(column) == named.substr(0, space)) list += (list.empty() ? "" : ", ") + named.substr(space + 1);
  }
  return list.empty() ? list : fmt::format("the column {} is in {}", text::lower(column), list);
}

// "no such table: recrds" and the like: the nearest names there are.
std::string hint_for(sqlite3* db, std::string_view message) {
  sqlite3_set_authorizer(db, nullptr, nullptr);
  std::vector<std::string> known;
  std::string what;
  if (what = named_in(message, "no such table: "); !what.empty()) {
    known = sql_names(db, "SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name");
  } else if (what = named_in(message, "no such column: "); !what.empty()) {
    known = sql_names(db,
                      "SELECT DISTINCT c.name FROM sqlite_temp_schema v, pragma_table_info(v.name) c"
                      " WHERE v.type = 'view' ORDER BY 1");
  } else if (what = named_in(message, "no such function: "); !what.empty()) {
    for (const std::string_view name : sql_functions()) known.emplace_back(name);
  } else {
    return message == "not authorized" || message.substr(0, 16) == "access to pragma" ||
                   message.find("prohibited") != std::string_view::npos
               ? "the shell reads: SELECT over the views " + view_names()
               : "";
  }
  if (const std::string views = views_with(db, message, what); !views.empty()) return views;
  const auto close = nearest(what, known, 3);
  if (!close.empty()) {
    std::string list;
    for (const auto& name : close) list += (list.empty() ? "" : ", ") + name;
    return "did you mean " + list + "?";
  }
  return fmt::format("views: {}; residue help schema has their columns", view_names());
}

// What the process has computed for.
std::int64_t processor_ms() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::int64_t>(used.tv_sec) * 1000 + used.tv_nsec / 1'000'000;
}

std::string filters_missing(sqlite3* db, std::string_view sql, const SqlOptions& options) {
  sqlite3_set_authorizer(db, nullptr, nullptr);
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
  return missing_filters(db, sql, options.many_rows);
}

struct Running {
  sqlite3* db;
  std::string_view sql;
  int pipe;
  const SqlOptions& options;
  const Clock& clock;
  const Texts& texts;
};

[[noreturn]] void send_failure(const Running& running, int code) {
  const auto& [db, sql, pipe, options, clock, texts] = running;
  if (texts.failure && texts.failure->code() == Code::kCorrupt) {
    send_error(pipe, texts.failure->code(), texts.failure->what(),
               texts.failure->hint().empty() ? "residue check says what is lost" : texts.failure->hint());
  }
  if (texts.failure && texts.failure->code() == Code::kNotFound) {
    send_error(pipe, Code::kUsage, fmt::format("sql: text(id): {}", texts.failure->what()), texts.failure->hint());
  }
  if (code == SQLITE_CORRUPT_VTAB || sqlite3_extended_errcode(db) == SQLITE_CORRUPT_VTAB) {
    // Stored ones are covered by their page's checksum.
    send_error(pipe, Code::kUsage, "sql: packed_scores: these bytes are no packed scores",
               "the view scores has the scores of every record, unpacked");
  }
  if (const auto damage = storage::damage_of(db, sqlite3_extended_errcode(db))) {
    send_error(pipe, damage->code(), damage->what(), damage->hint());
  }
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      if (clock.stopped) {
        const std::string advice = filters_missing(db, sql, options);
        send_error(pipe, Code::kUsage, "sql: stopped at its time limit",
                   (advice.empty() ? "" : advice + "; ") + "--timeout S allows more time");
      }
      break;
    case SQLITE_NOMEM:
      send_error(pipe, Code::kUsage, "sql: stopped at its memory limit of 256 MiB", "select less at a time");
    case SQLITE_BUSY:
      send_error(pipe, Code::kBusy, "sql: another program holds the catalog", "try again");
    default:
      break;
  }
  const std::string message = sqlite3_errmsg(db);
  if (const auto place = place_of_error(db, sql)) {
    std::string body;
    put_u32(body, std::min(*place, sql.size()));
    send(pipe, SqlMessage::kPlace, body);
  }
  send_error(pipe, Code::kUsage, "sql: " + message, hint_for(db, message));
}

void run_one(const Running& running) {
  const auto& [db, sql, pipe, options, clock, texts] = running;
  const std::int64_t begun_ms = processor_ms();
  sqlite3_stmt* statement = nullptr;
  const char* tail = sql.data();
  const int size = static_cast<int>(std::min<std::size_t>(sql.size(), 1U << 30U));
  int code = sqlite3_prepare_v2(db, sql.data(), size, &statement, &tail);
  if (code != SQLITE_OK) send_failure(running, code);
  std::string body;
  put_u32(body, static_cast<std::size_t>(tail - sql.data()));
  send(pipe, SqlMessage::kNext, body);
  if (statement != nullptr) {
    if (sqlite3_column_count(statement) == 0) {  // VACUUM, of which SQLite's authorizer is not told
      send_error(pipe, Code::kUsage, "sql: this statement reads nothing",
                 "the shell reads: SELECT over the views " + view_names());
    }
    send(pipe, SqlMessage::kColumns, columns_of(statement));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      body.clear();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        put_value(body, statement, i);
        if (body.size() > kMaxSqlMessageBytes) {
          send_error(pipe, Code::kUsage, "sql: a row is larger than 16 MiB", "select fewer or shorter columns");
        }
      }
      send(pipe, SqlMessage::kRow, body);
    }
    if (code != SQLITE_DONE) send_failure(running, code);
  }
  if (statement != nullptr && processor_ms() - begun_ms >= options.slow_ms) {
    const std::string advice = filters_missing(db, sql.substr(0, static_cast<std::size_t>(tail - sql.data())), options);
    body.clear();
    put_text(body, advice);
    if (!advice.empty()) send(pipe, SqlMessage::kAdvice, body);
  }
  send(pipe, SqlMessage::kDone, {});
}

// The lexicon is read where the statement may ask for it; that there is none is an error of the call.
TextTools text_tools(const SqlOptions& options, std::string_view sql) {
  TextTools tools;
  if (!options.vader || text::lower(sql).find("vader") == std::string::npos) return tools;
  try {
    tools.vader = options.vader();
  } catch (const Error& error) {
    tools.no_vader = fmt::format("{}; {}", error.what(), error.hint());
  }
  return tools;
}

}  // namespace

void sql_child(const SqlOptions& options, std::string_view sql, int pipe) {
  try {
    calm_signals();
    storage::OpenOptions how;
    how.read_only = true;
    storage::Store store(options.store, how);
    const storage::Lock held = store.hold_texts();
    OneForMany one_for_many(store);
    sqlite3* db = open_catalog(store, one_for_many);  // its snapshot is older than that of the texts
    Texts texts{nullptr, Readable(db, options.level, options.known_texts), std::nullopt};
    if (options.texts) texts.reader = store.facts().read();
    must(db, sqlite3_create_function_v2(db, "text", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC, &texts,
                                        text_function, nullptr, nullptr, nullptr));
    const TextTools tools = text_tools(options, sql);
    attach_text_functions(db, tools, sql);
    SqlFunctions functions(store, sql, options.texts, options.level);
    attach_sql_functions(db, functions);
    SqlRules rules = make_sql_rules(db, options.level);
    refuse_hidden_joins(rules, sql);
    Clock clock{options.timeout_ms + steady_ms()};
    std::uint64_t seed = 0;
    sqlite3_randomness(sizeof seed, &seed);  // opens its source while that is possible
    const std::int64_t pages = mapped_pages();
    give_up_rights(options.timeout_ms);
    limit_memory(pages);
    set_limits(db);
    sqlite3_progress_handler(db, 4000, on_progress, &clock);
    guard_sql(db, rules);
    run_one({db, sql, pipe, options, clock, texts});
  } catch (const Error& error) {
    send_error(pipe, error.code(), error.what(), error.hint());
  } catch (const std::exception&) {
    send_error(pipe, Code::kUsage, "sql: stopped at its memory limit", "select less at a time");
  }
  ::_exit(0);  // nothing is to be tidied up: the process had no rights to leave anything behind
}

}  // namespace residue::query
