// The links of a run, searched only where something may have changed since they were last computed.
//
//   basis of the last links ──┬─ same documents, same query ──────────────> the same link
//                             ├─ other documents ──> Relinker ── decided ──> link
//   no basis, other query ────┴────────── open ──> Linker::top ───────────> link     (and a new basis)
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "query/link/linking.h"

namespace residue::query {

struct Relinked {
  std::vector<LinkView> links;    // by record: what compute_links() gives
  std::vector<LinkView> rest;     // likewise, of the absent attack; empty: it was not asked for
  std::vector<LinkView> third;    // likewise, of the absent attack's own absent attack
  std::vector<LinkPlace> places;  // likewise; empty: they were not asked for
  std::uint64_t attacked = 0;     // of them
  std::uint64_t searched = 0;     // queries searched, because the link could be another
  // Queries searched although the link was known: for the rank of the record's own variant, for the absent attack, or
  // for who is tied and how sure the best is.
  std::uint64_t ranked = 0;
};

// compute_links() with a memory; `id` is the protocol's. Keeps a basis for linker bm25 over one release; otherwise all
// queries are searched. Where documents changed, places are found anew: they depend on the scores of all. The
// caller holds Store::lock_run() and Store::hold_texts().
Relinked relink(storage::Store& store, const DatasetView& dataset, const Releases& releases,
                const AuxiliaryView& auxiliary, const ProtocolSpec& protocol, ProtocolId id, const Beside& beside,
                const ProgressFunction& progress);

}  // namespace residue::query
