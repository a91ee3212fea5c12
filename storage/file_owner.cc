#include "storage/file_owner.h"

#include <optional>
#include <string>

#include "base/error.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {
namespace {

// Through the engine, since to open and close the file otherwise would drop the locks that the engine has on it. The
// engine leaves a log out where it takes the file for one that nobody changes.
std::optional<std::string> uuid_of_file_alone(const std::filesystem::path& catalog) {
  try {
    Db file(catalog, DbMode::kImmutable);
    Statement uuid = file.prepare(sql::kStoreInfoUuid);
    if (uuid.step()) return std::string(uuid.text(0));
  } catch (const Error&) {  // Its pages do not fit together: a checkpoint is at work, or the log has better ones.
  }
  return std::nullopt;
}

}  // namespace

void require_own_catalog(const std::filesystem::path& catalog, std::string_view uuid) {
  const auto of_file = uuid_of_file_alone(catalog);
  if (!of_file || *of_file == uuid) return;
  throw Error(
      Code::kCorrupt,
      "catalog.db is of another store; its log, catalog.db-wal, and facts/ are of this one: nothing was changed",
      "put this store's own catalog.db back, or restore the last backup");
}

}  // namespace residue::storage
