// `purge`: a person, record, run or dataset goes so that no byte of the store says it any more.
//
//   rows, what was paid for ── purge_rows ──> told ── collect_garbage ──> bytes gone ── paid_left ──> what is kept
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ingest/files/purge.h"
#include "storage/store.h"

namespace residue::verbs {

struct PurgeOptions {
  ingest::PurgeTarget target;
  int wait_ms = 10'000;                                            // for other processes to close the store
  std::function<void(const ingest::Purged& gone)> rows_gone = {};  // told when the rows went, before their bytes do
  ProgressFunction rewriting = {};                                 // of texts that were made with what goes
};

struct PurgeResult {
  ingest::Purged gone;
  ingest::PaidLeft left;
  std::vector<std::string> outdated;  // of the dataset, where it is still there: what is to be done again
  std::uint64_t notes = 0;            // of a person or record: notes on runs of the dataset, which may name them
};

// Throws as ingest::purge_rows, and Error{try again} where bytes may be left: the same call goes on from there. What
// would go, ingest::count_purge says before.
PurgeResult purge(storage::Store& store, const PurgeOptions& options);

// Throws Error{try again} where something was kept because it was paid for: it may quote what went, so nobody says that
// it is gone.
void require_nothing_paid(const ingest::PaidLeft& left);

}  // namespace residue::verbs
