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
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/store_info.h"

namespace residue::query {
namespace {

constexpr int kLockTimeoutMs = 5'000;
constexpr int kStepsBetweenLooks = 100'000;

// Before 3.41 SQLite cannot be asked whether it was interrupted: any statement of the host's says so.
int stop_with_host(void* host) {
  return sqlite3_exec(static_cast<sqlite3*>(host), "SELECT 1", nullptr, nullptr, nullptr) == SQLITE_INTERRUPT ? 1 : 0;
}

// Statements on this connection are ours: what is refused is a column, and never a statement.
int hide(void* data, int action, const char* table, const char* column, const char* database, const char* /*view*/) {
  if (action != SQLITE_READ || database == nullptr || std::string_view(database) != "main") return SQLITE_OK;
  const auto& hidden = *static_cast<const HiddenColumns*>(data);
  return column != nullptr && is_hidden(hidden, table, column) ? SQLITE_IGNORE : SQLITE_OK;
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
  if (const int code = prepare_views(db_); code != SQLITE_OK) throw error_of(code);
  hidden_ = hidden_columns(db_, level_);
  sqlite3_set_authorizer(db_, hide, &hidden_);
  sqlite3_progress_handler(db_, kStepsBetweenLooks, stop_with_host, host_);
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
      storage::Statement version(db_, "PRAGMA main.data_version");
      state_ = version.step() ? version.integer(0) : 0;
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

std::vector<std::string> OpenStore::views() const {
  storage::Statement all(db_, "SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name");
  std::vector<std::string> names;
  while (all.step()) names.emplace_back(all.text(0));
  return names;
}

std::vector<StoredColumn> OpenStore::columns(const std::string& view) const {
  bool known = false;
  for (const std::string& name : views()) known = known || name == view;
  std::vector<StoredColumn> columns;
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
  if (failures_of_ == state_) return;
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
  failures_of_ = state_;
}

std::string OpenStore::text(TextId id) {
  const Snapshot now(*this);
  if (readable_of_ != state_) {
    readable_.emplace(db_, level_, KnownTexts{});
    readable_of_ = state_;
  }
  readable_->require(id);  // before anything that could tell whether it is there
  if (id.value == 0) return {};
  if (!texts_) texts_ = store_->facts().read();
  return texts_->text(id);
}

}  // namespace residue::query
