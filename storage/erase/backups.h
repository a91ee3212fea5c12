// Which backups were made, so that a purge can name those that still hold what it removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

struct RecordedBackup {
  std::string path;
  std::int64_t at_ms = 0;  // unix milliseconds, when it was finished
  bool there = false;      // a file of that name is there now
};

// Finished ones in which a text of this id may be, oldest first.
std::vector<RecordedBackup> backups_with(Db& db, std::int64_t text);

// Within a transaction for writing. `next_text`: the id that the next new text would get.
std::int64_t note_backup_begun(Db& db, const std::filesystem::path& file, std::int64_t now_ms);
void note_backup_finished(Db& db, std::int64_t id, std::int64_t next_text, std::int64_t now_ms);

// What is gathered for the backup `file` beside it, and under which name it is written.
std::filesystem::path partial_of(const std::filesystem::path& file);
std::filesystem::path parts_of(const std::filesystem::path& file);

// Removes what backups that were killed left; within a transaction for writing, while no backup is being made. Returns
// the files that could not be removed.
std::vector<std::string> remove_unfinished_backups(Db& db);

}  // namespace residue::storage
