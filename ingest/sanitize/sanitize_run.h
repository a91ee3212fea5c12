// The variants of one run: what a sanitizer makes of the records' texts, or of those of the round before.
//
//   record texts ─> Sanitizer::sanitize_all ─────────────────────> a batch for each page of records
//                └> Sanitizer::sanitize_each, where asked() says ─> a batch each second; what is stored is not asked
//                for
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/batches/record_pages.h"
#include "ingest/batches/result.h"
#include "ingest/files/run.h"
#include "ingest/method/sanitizer.h"
#include "storage/store.h"

namespace residue::ingest {

// One run, of a method of rounds one of them.
struct RunOfRound {
  std::string name;
  std::uint32_t round = 0;            // 0: the method has none
  std::optional<std::string> before;  // the run whose texts these are made of; nothing: the originals
};

// Outputs of `records`, in their order. A record without a text has nothing to sanitize: it is not applicable in every
// metric. One with an error keeps it.
std::vector<SanitizeOutput> sanitized(const Sanitizer& sanitizer, const std::vector<RecordText>& records,
                                      unsigned jobs);

// Makes or updates the run, which is incomplete meanwhile, and adds to `result`; no answer stays unstored for longer
// than `keep_every`. Throws as sanitize_dataset().
void make_run(storage::Store& store, std::string_view dataset, const RunOfRound& run, const RunSpec& spec,
              Sanitizer& sanitizer, unsigned jobs, std::chrono::milliseconds keep_every, const IngestOptions& options,
              IngestResult& result);

}  // namespace residue::ingest
