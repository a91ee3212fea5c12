// What `eval` would ask a model now, as files for somebody else to answer.
//
//   plan's pairs ─> requests without a usable answer, in an order of their texts ─> ledger rows ─> batch files
//
// Which texts are judged is known only where the links are: without them nothing is exported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/asking/batch_file.h"
#include "query/evaluate/evaluate.h"
#include "storage/store.h"

namespace residue::query {

struct ExportOptions {
  EvalOptions eval;  // protocols, judge, seeds, sample; progress and interrupted are looked at
  std::filesystem::path folder;
  std::uint64_t lines_per_file = model::kBatchLines;
};

struct Exported {
  std::string model, host;  // the endpoint, and where it is; the files may go elsewhere
  bool loopback = false;
  std::uint64_t requests = 0;
  std::uint64_t too_long = 0;           // more requests, longer than what the model reads: not written, as not sent
  std::uint64_t texts = 0;              // different passages and claims in them, as the plan counts them
  std::uint64_t bytes = 0;              // of the files
  std::uint64_t before = 0;             // requests that are in an earlier export and have no answer yet
  std::vector<model::BatchFile> files;  // none where nothing is open: no folder is made
};

// The same store gives the same files, whatever its history. Throws Error{usage} for a judge that is no endpoint, for
// texts that may not be sent to its host, and for a folder that has parts; Error{not found} where links are not known;
// Error{interrupted}: no file is there then.
Exported export_work(storage::Store& store, const std::vector<Target>& targets, const ExportOptions& options);

}  // namespace residue::query
