// `rm`: a dataset, a run, a record or labels go; their texts with the next garbage.
//
//   target ── count_removal ──> what would go ── somebody says yes ── remove ──> what went
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/files/remove.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::verbs {

struct RemoveOptions {
  storage::Target target;                // DATASET, DATASET/RUN or DATASET/RECORD
  bool record = false;                   // the last is a record, whatever runs are called
  std::string labels;                    // only the dataset's labels of this kind; empty: the target itself
  std::optional<std::string> annotator;  // and of these only this annotator's
  bool never_released = false;           // nobody saw its private releases: what they spent counts no more
};

struct Removal {
  enum class What : std::uint8_t { kDataset, kRun, kRecord, kLabels, kReleases };
  What what = What::kDataset;
  ingest::Removed rows;       // of kReleases what is there of the target
  bool there = true;          // false: kReleases of a target that is gone already
  std::int64_t releases = 0;  // kReleases: how many fewer count; 0: another run is the same release
};

struct RemoveResult {
  ingest::Removed rows;
  bool spent = false;                 // private releases of it stay in the ledger
  bool rated = false;                 // texts that models elsewhere rated stay
  std::vector<std::string> outdated;  // kRecord: what is to be done again
};

// What count_removal() refuses whatever the store holds. Throws Error{usage}.
void check(const RemoveOptions& options);

// Runs come first, as in show(): then a record is only meant where `record` says so. Throws as check(), Error{not
// found} with the nearest names, Error{usage} for an automatic control.
Removal count_removal(storage::Store& store, const RemoveOptions& options);

// `what`: as count_removal() said. Throws as ingest::remove_dataset.
RemoveResult remove(storage::Store& store, const RemoveOptions& options, Removal::What what);

}  // namespace residue::verbs
