// BM25 over one run, asked by a person: which of its texts match a text, and by which terms.
//
//   DATASET/RUN ── open_run ──> OpenRun ── text ──> find_hits ──> hits, each with the terms that decided
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/bm25/bm25_linker.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::size_t kMaxHits = 100;
inline constexpr std::size_t kDefaultHits = 10;

// A run and its index. Immutable; may be asked from several threads.
struct OpenRun {
  DatasetView dataset;  // without claims
  RunView run;
  RunCandidates candidates;
  std::unique_ptr<index::Bm25Linker> linker;

  // Whether any candidate has a text: `remove-all` has none to link to.
  [[nodiscard]] bool has_text() const;
};

// Throws Error{internal} if it is not among them.
std::size_t position_of(const RunCandidates& candidates, CandidateId candidate);

// kBuild: the index is built or brought up to date, under the lock of the run. kAsStored: nothing is written, and an
// index that is missing, damaged or of other texts is Error{not found} (hint: residue link).
enum class IndexUse { kBuild, kAsStored };

// `protocol` names the terms (its linker is bm25: see require_bm25). The caller holds Store::hold_texts(). Throws
// Error{not found} with the nearest names, Error{busy} where the index must be built while the run is evaluated. Cost:
// reads all rows of the dataset and the run, and the index's list of documents.
OpenRun open_run(storage::Store& store, const std::string& dataset, const std::string& run,
                 const ProtocolSpec& protocol, IndexUse use);

// The index of a run's candidates, as open_bm25() has them. Throws as open_run().
std::unique_ptr<index::Bm25Linker> open_index(storage::Store& store, const std::string& dataset, const RunView& run,
                                              const RunCandidates& candidates, const ProtocolSpec& protocol,
                                              IndexUse use, std::string_view claims = {});

// Whether what decides are terms of one run.
bool searches_terms(const ProtocolSpec& protocol);

// Throws Error{usage} for a protocol whose linker has no terms of one run: `doing` is what cannot be done ("rank a
// text").
void require_bm25(const ProtocolSpec& protocol, std::string_view doing);

struct TextHit {
  std::size_t rank = 0;  // from 1
  CandidateId candidate;
  std::string key;  // of the record; of the variant in a synthetic run
  TextId text;
  double score = 0;
  std::uint32_t tied = 0;               // other candidates with exactly this score
  std::vector<index::TermScore> terms;  // highest share first; summed in byte order of the terms they are the score
};

// The best `k` (at most kMaxHits). Empty: no term of the text occurs in the run.
std::vector<TextHit> find_hits(const OpenRun& run, std::string_view text, std::size_t k);

}  // namespace residue::query
