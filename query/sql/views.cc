#include "query/sql/views.h"

#include <sqlite3.h>

#include <string>
#include <utility>

#include "query/sql/rows/view_rows.h"
#include "storage/catalog/content.h"
#include "storage/catalog/packed_scores.h"

namespace residue::query {
namespace {

constexpr int kBusyTimeoutMs = 2'000;

int run(sqlite3* db, const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr); }

}  // namespace

int prepare_views(sqlite3* db) {
  sqlite3_busy_timeout(db, kBusyTimeoutMs);
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}}) {
    if (const int code = sqlite3_db_config(db, option, value, nullptr); code != SQLITE_OK) return code;
  }
  const char* const settings =
      "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA wal_autocheckpoint=0;";
  if (const int code = run(db, settings); code != SQLITE_OK) return code;
  storage::attach_packed_scores(db);
  storage::attach_content_functions(db);
  return attach_views(db);
}

int attach_views(sqlite3* db) {
  if (const int code = attach_judged_claims(db); code != SQLITE_OK) return code;
  if (const int code = attach_record_scores(db); code != SQLITE_OK) return code;
  return run(db, std::string(embedded_views()).c_str());
}

}  // namespace residue::query
