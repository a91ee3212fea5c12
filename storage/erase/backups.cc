#include "storage/erase/backups.h"

#include <limits>
#include <system_error>
#include <utility>

#include "storage/catalog/sources/backup.h"

namespace residue::storage {
namespace fs = std::filesystem;

std::vector<RecordedBackup> backups_with(Db& db, std::int64_t text) {
  std::vector<RecordedBackup> found;
  Statement find = db.prepare(sql::kBackupsWithText);
  find.bind(text);
  while (find.step()) {
    std::error_code ignored;
    const std::string path(find.text(0));
    found.push_back({path, find.integer(1), fs::exists(path, ignored)});
  }
  return found;
}

std::int64_t note_backup_begun(Db& db, const fs::path& file, std::int64_t now_ms) {
  // What is written meanwhile may get into it: until it is finished, any text may be in it.
  db.prepare(sql::kInsertBackup).run(fs::absolute(file).string(), now_ms, std::numeric_limits<std::int64_t>::max());
  return db.last_insert_id();
}

void note_backup_finished(Db& db, std::int64_t id, std::int64_t next_text, std::int64_t now_ms) {
  db.prepare(sql::kUpdateBackupFinished).run(id, now_ms, next_text);
}

fs::path partial_of(const fs::path& file) { return fs::path(fs::absolute(file)) += ".partial"; }
fs::path parts_of(const fs::path& file) { return fs::path(fs::absolute(file)) += ".parts"; }

std::vector<std::string> remove_unfinished_backups(Db& db) {
  struct Unfinished {
    std::int64_t id = 0;
    fs::path file;
    std::int64_t begun_ms = 0, next_text = 0;
  };
  std::vector<Unfinished> unfinished;
  Statement find = db.prepare(sql::kBackupsUnfinished);
  while (find.step())
    unfinished.push_back({find.integer(0), std::string(find.text(1)), find.integer(2), find.integer(3)});
  Statement forget = db.prepare(sql::kDeleteBackup);
  std::vector<std::string> left;
  for (const auto& [id, file, begun_ms, next_text] : unfinished) {
    std::error_code error;
    if (fs::exists(file, error)) {  // only the note that it is finished is missing
      note_backup_finished(db, id, next_text, begun_ms);
      continue;
    }
    bool removed = true;
    for (const fs::path& leftover : {partial_of(file), parts_of(file)}) {
      fs::remove_all(leftover, error);
      if (!error) continue;
      left.push_back(leftover.string());
      removed = false;
    }
    if (removed) forget.run(id);
  }
  return left;
}

}  // namespace residue::storage
