// Linking a run under a protocol: which variant an attacker with a record's auxiliary claims would pick.
//
//   variants ──> index segments ─┐
//   auxiliary queries ───────────┴─> Linker::top ──> link rows (linked variant, ties, rank of the truth)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "index/bm25/bm25_linker.h"
#include "index/linker.h"
#include "index/rouge/rouge_linker.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/chunks.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/place/place.h"
#include "query/place/sight.h"
#include "storage/store.h"

namespace residue::text {
class Analyzer;
}

namespace residue::query {

inline constexpr std::size_t kTopK = 10;  // depth of mrr and hit_at_10
inline constexpr std::size_t kQueriesAtOnce = 16'384;

struct LinkView {
  bool attacked = false;  // false: the record has no auxiliary claims, nothing was tried
  CandidateId linked;     // 0: not linked (no shared term)
  std::uint32_t tied = 0;
  std::optional<std::uint32_t> rank;  // of the record's own variant, if among the first kTopK; aligned runs only

  friend bool operator==(const LinkView&, const LinkView&) = default;
};

// The releases that an attacker looks at: the run itself, first, and the others that he holds (protocol option runs=).
using Releases = std::vector<const RunView*>;

// Computes the link of every record, in order. Brings the releases' indexes up to date first if the linker needs them.
std::vector<LinkView> compute_links(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                                    const AuxiliaryView& auxiliary, const ProtocolSpec& protocol,
                                    const ProgressFunction& progress);

// The links of an attack, and what is asked beside them, all by record.
struct AllLinks {
  std::vector<LinkView> links;
  std::vector<LinkView> rest = {};     // of the absent attack; empty: it is not asked for
  std::vector<LinkView> third = {};    // likewise, of the absent attack's own absent attack
  std::vector<LinkPlace> places = {};  // empty: they are not asked for
};
AllLinks compute_links(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                       const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, const Beside& beside,
                       const ProgressFunction& progress);

// Of a query that was looked at; `place`: where the record's own candidate stands.
LinkPlace to_place(const Sight& sight, const std::optional<index::Place>& place);

// The link of the absent attack, or of that one's own, that a hit is.
LinkView to_rest(const std::optional<index::Hit>& rest);

// Calls `take` with the attacked records in order, many at once.
void each_attacked(const AuxiliaryView& auxiliary, const ProgressFunction& progress,
                   const std::function<void(const std::vector<std::size_t>& records)>& take);

// The same before it is decided: calls `take` with each attacked record's best hits, at most kTopK, in order.
void for_hits(storage::Store& store, const DatasetView& dataset, const Releases& releases,
              const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, const ProgressFunction& progress,
              const std::function<void(std::size_t record, const std::vector<index::Hit>& hits)>& take);

// The record's own candidate; 0 where it has no usable variant, and in synthetic runs.
CandidateId own_candidate(const DatasetView& dataset, const Releases& releases, std::size_t record);

std::vector<CandidateId> own_candidates(const DatasetView& dataset, const Releases& releases,
                                        std::span<const std::size_t> records);

// The link that the best kTopK hits of a record's query say.
LinkView to_link(const std::vector<index::Hit>& hits, CandidateId own);

// The links as they are stored.
std::vector<LinkView> load_links(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol);

// Writes the rows that differ; if there are any, tier link of the attack `scored` is not up to date until scored.
// Returns how many. `protocol` is that attack, or an absent attack beside it.
std::uint64_t store_links(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol,
                          const std::vector<LinkView>& links, ProtocolId scored);

// The text that a link points at: 0 is the empty text. Nothing if the candidate is not a usable variant of the run.
std::optional<VariantView> linked_variant(const DatasetView& dataset, const RunView& run, CandidateId linked);

// The texts that the attacker reads: the linked record's in each release that has it, in order. At least one, unless
// the link is of other contents.
std::vector<TextId> linked_texts(const DatasetView& dataset, const Releases& releases, CandidateId linked);

// The run's usable variants as candidates of an attack.
struct RunCandidates {
  std::vector<CandidateId> ids;
  std::vector<std::string> keys;
  std::vector<TextId> texts;
};
RunCandidates candidates_of(const DatasetView& dataset, const RunView& run);
index::CandidateTable table_of(const RunCandidates& candidates);

// Of the protocol's BM25 index.
const text::Analyzer& analyzer_of(const ProtocolSpec& protocol);

// A BM25 linker over the run's segments, built or brought up to date if need be (run_index.cc). `claims` names the
// claim set that the candidates are claims of; empty: they are the run's variants. The caller holds Store::lock_run()
// and Store::hold_texts().
std::unique_ptr<index::Bm25Linker> open_bm25(storage::Store& store, const RunView& run, const RunCandidates& candidates,
                                             const ProtocolSpec& protocol, std::string_view claims = {});

// The same over the segments as they are, writing nothing; nullptr if they are missing, damaged or of other texts.
std::unique_ptr<index::Bm25Linker> open_current_bm25(storage::Store& store, const RunView& run,
                                                     const RunCandidates& candidates, const ProtocolSpec& protocol,
                                                     std::string_view claims = {});

// A ROUGE-L linker over the candidates' texts: of the protocol's linker, rouge-l or rouge-l-recall.
std::unique_ptr<index::RougeLinker> open_rouge(storage::Store& store, const RunCandidates& candidates,
                                               const ProtocolSpec& protocol);

// The sum over releases: `linkers`, in order of the releases' names, and all their candidates.
std::unique_ptr<index::Linker> combine(std::vector<std::unique_ptr<index::Linker>> linkers,
                                       const RunCandidates& candidates);

// The releases in the order in which their scores are added, and the candidates of all: of each its first text.
Releases by_name(const Releases& releases);
RunCandidates candidates_of(const DatasetView& dataset, const Releases& releases);

}  // namespace residue::query
