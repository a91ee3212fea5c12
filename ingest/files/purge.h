// `purge`: rows go, and what was paid for and quotes them; the bytes of both go with the garbage
// (Store::collect_garbage).
//
//   rows of the target ─> texts that nothing names any more ─> their ratings, the votes about them ─> one commit ─> gc
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/files/remove.h"
#include "storage/erase/backups.h"
#include "storage/store.h"

namespace residue::ingest {

// kRemoved: what `rm` and replaced texts left because it was paid for.
enum class PurgeKind { kPerson, kRecord, kRun, kDataset, kRemoved };

struct PurgeTarget {
  PurgeKind kind = PurgeKind::kDataset;
  std::string dataset;
  std::string name;  // of the person, record or run; the name of a dataset is `dataset`, what was removed has none
};

struct Purged {
  Removed rows;
  std::uint64_t texts = 0;                       // that nothing names any more
  std::uint64_t ratings = 0;                     // of these texts, by any judge
  std::uint64_t answers = 0;                     // votes about these texts, whose answers of models go
  std::uint64_t unknown_answers = 0;             // of them those of the dataset about no text that anybody has
  std::vector<storage::RecordedBackup> backups;  // made before, which may hold these texts
  std::vector<std::string> views;                // saved ones that named the dataset or run
  std::vector<std::string> synthetic;            // runs of the dataset whose texts may quote any record
  bool begun = false;  // the rows went with an earlier purge of the same name, which did not come to its end
};

// Paid answers about texts that the store no longer has. Nobody knows whose texts these were.
struct PaidLeft {
  std::uint64_t texts = 0;    // that only ratings name
  std::uint64_t answers = 0;  // saved questions about no text that anybody has
  [[nodiscard]] bool any() const { return texts + answers > 0; }
};

// After a purge and gc: earlier wordings of what went may be among it, so nothing else may be said. Answers are those
// of this dataset and of datasets that are not there any more.
PaidLeft paid_left(storage::Store& store, const std::string& dataset);

// What would go, without anything going. Throws Error{not found}, Error{usage} for an automatic control.
Purged count_purge(storage::Store& store, const PurgeTarget& target);

// Removes the rows; what depends on them is stale afterwards. Their bytes stay until gc has come to its end: until then
// the same purge is known again. Throws as count_purge(), and as remove_dataset().
Purged purge_rows(storage::Store& store, const PurgeTarget& target);

}  // namespace residue::ingest
