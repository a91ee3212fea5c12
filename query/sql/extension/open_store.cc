#include "query/sql/extension/open_store.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "model/suspicion/one_for_many.h"
#include "query/sql/views.h"
#include "storage/catalog/content.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/store_info.h"

namespace residue::query {
namespace {

constexpr int kLockTimeoutMs = 5'000;
constexpr int kBusyTimeoutMs = 2'000;
constexpr int kStepsBetweenLooks = 100'000;

// Before 3.41 SQLite cannot be asked whether it was interrupted: any statement of the host's says so.
int stop_with_host(void* host) {
  return sqlite3_exec(static_cast<sqlite3*>(host), "SELECT 1", nullptr, nullptr, nullptr) == SQLITE_INTERRUPT ? 1 : 0;
}

// Statements on this connection are ours: what is refused is a column, and never a statement.
int hide(void* data, int action, const char* table, const char* column, const char* database, const char* /*view*/) {
  if (action != SQLITE_READ || database == nullptr || std::string_view(database) != "main") return SQLITE_OK;
  std::string name = fmt::format("{} {}", table, column == nullptr ? "" : column);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return static_cast<const HiddenColumns*>(data)->contains(name) ? SQLITE_IGNORE : SQLITE_OK;
}

}  // namespace

OpenStore::OpenStore(const std::filesystem::path& dir, ReadLevel level, sqlite3* host)
    : level_(level), host_(host), process_(::getpid()) {
  storage::OpenOptions how;
  how.read_only = true;
  how.lock_timeout_ms = kLockTimeoutMs;
  store_ = std::make_unique<storage::Store>(dir, how);
  held_ = store_->hold_texts();
  try {
    open_connection();
  } catch (...) {
    sqlite3_close_v2(db_);
    throw;
  }
}

OpenStore::~OpenStore() {
  if (process_ != ::getpid()) {  // The engines' handles are the parent's: to close them would take its locks away.
    static_cast<void>(texts_.release());
    static_cast<void>(store_.release());
    return;
  }
  texts_.reset();
  sqlite3_close_v2(db_);
}

void OpenStore::open_connection() {
  const std::string uri = store_->catalog_uri();
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  if (const int code = sqlite3_open_v2(uri.c_str(), &db_, flags, nullptr); code != SQLITE_OK) throw error_of(code);
  sqlite3_busy_timeout(db_, kBusyTimeoutMs);
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}}) {
    if (const int code = sqlite3_db_config(db_, option, value, nullptr); code != SQLITE_OK) throw error_of(code);
  }
  run("PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA wal_autocheckpoint=0;");
  storage::attach_packed_scores(db_);
  storage::attach_content_functions(db_);
  run(std::string(embedded_views()).c_str());
  hide_columns();
  sqlite3_progress_handler(db_, kStepsBetweenLooks, stop_with_host, host_);
}

// What has words or bytes and is not read at this level: NULL. What nobody has classed is not read, either.
void OpenStore::hide_columns() {
  storage::Statement all(
      db_,
      "SELECT lower(t.name || ' ' || c.name) FROM main.sqlite_schema t, "
      "pragma_table_xinfo(t.name, 'main') c WHERE t.type = 'table' AND c.type NOT IN ('INTEGER', 'REAL')");
  while (all.step()) hidden_.emplace(all.text(0));
  for (const ReadColumn& column : word_columns()) {
    if (column.level <= level_) hidden_.erase(fmt::format("{} {}", column.table, column.column));
  }
  sqlite3_set_authorizer(db_, hide, &hidden_);
}

void OpenStore::run(const char* sql) const {
  if (const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); code != SQLITE_OK) throw error_of(code);
}

Error OpenStore::error_of(int code) const {
  if (auto damage = storage::damage_of(db_, db_ == nullptr ? code : sqlite3_extended_errcode(db_))) return *damage;
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      return {Code::kInterrupted, "interrupted"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Code::kBusy, "another program holds the catalog", "try again"};
    case SQLITE_NOMEM:
      return {Code::kTryAgain, "out of memory"};
    default:
      return {Code::kIo, fmt::format("catalog: {}", sqlite3_errstr(code)), "residue check"};
  }
}

void OpenStore::begin() {
  if (process_ != ::getpid()) {
    throw Error(Code::kUsage, "this process was forked after the store was opened", "open the store in this process");
  }
  if (snapshots_ == 0) {
    run("BEGIN");
    try {
      storage::Statement(db_, storage::sql::kStoreInfoExists).run();  // the first read takes the snapshot
    } catch (...) {
      sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }
  ++snapshots_;
}

void OpenStore::end() {
  if (--snapshots_ > 0) return;
  if (process_ != ::getpid()) {  // the parent's reader, in a table that both processes see
    static_cast<void>(texts_.release());
    return;
  }
  texts_.reset();
  sqlite3_exec(db_, "COMMIT", nullptr, nullptr, nullptr);
}

OpenStore::Snapshot::Snapshot(OpenStore& store) : store_(store) { store_.begin(); }
OpenStore::Snapshot::~Snapshot() { store_.end(); }

std::int64_t OpenStore::state() {
  storage::Statement version(db_, "PRAGMA main.data_version");
  return version.step() ? version.integer(0) : 0;
}

std::vector<std::string> OpenStore::views() const {
  storage::Statement all(db_, "SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name");
  std::vector<std::string> names;
  while (all.step()) names.emplace_back(all.text(0));
  return names;
}

std::vector<ViewColumn> OpenStore::columns(const std::string& view) const {
  bool known = false;
  for (const std::string& name : views()) known = known || name == view;
  std::vector<ViewColumn> columns;
  if (!known) return columns;
  sqlite3_stmt* statement = nullptr;
  const std::string all = fmt::format("SELECT * FROM temp.\"{}\" LIMIT 0", view);  // the name of a view of ours
  if (const int code = sqlite3_prepare_v2(db_, all.c_str(), -1, &statement, nullptr); code != SQLITE_OK) {
    throw error_of(code);
  }
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* type = sqlite3_column_decltype(statement, i);
    columns.push_back({sqlite3_column_name(statement, i), type == nullptr ? "" : type});
  }
  sqlite3_finalize(statement);
  return columns;
}

void OpenStore::find_failures() {
  const Snapshot now(*this);
  if (failures_of_ == state()) return;
  const auto texts = store_->facts().read();
  const storage::ReadTransaction rows(store_->db());
  run("DELETE FROM temp.one_for_many");
  {
    storage::Statement insert(db_, "INSERT INTO temp.one_for_many VALUES (?1, ?2)");
    storage::Statement runs = store_->db().prepare(storage::sql::kAlignedRunsOfStore);
    while (runs.step()) {
      const auto run = runs.id<RunId>(0);
      for (const RecordId record : model::one_for_many(store_->db(), *texts, run)) insert.run(run, record);
    }
  }
  failures_of_ = state();
}

std::string OpenStore::text(TextId id) {
  const Snapshot now(*this);
  if (const std::int64_t of = state(); readable_of_ != of) {
    readable_.emplace(db_, level_);
    readable_of_ = of;
  }
  readable_->require(id);  // before anything that could tell whether it is there
  if (id.value == 0) return {};
  if (!texts_) texts_ = store_->facts().read();
  return texts_->text(id);
}

}  // namespace residue::query
