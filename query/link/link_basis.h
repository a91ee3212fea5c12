// What the links of a run under a protocol were computed from: kept to compute them again with few searches.
//
// Self-contained: it says what was found for which query text among which documents, whatever the other tables say now.
// If anything about it is in doubt, it is not there, and all is searched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "base/ids.h"
#include "index/relinker.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

// Candidates that are indexed otherwise than before, and their texts before; nothing: they were not indexed.
using IndexChanges = std::vector<std::pair<CandidateId, std::optional<TextId>>>;

// More changed documents than this share, and than so many, are linked from scratch.
inline constexpr double kMostChanged = 0.03;
inline constexpr std::int64_t kAlwaysFew = 64;

struct LinkBasis {
  struct Link {
    RecordId record;
    TextId query;
    LinkView link = {};
    index::Standing standing = {};
    std::optional<index::Place> place = {};  // of the record's own candidate; nothing: it has none, or nobody asked
    // The best hits, as many as told the rest (query/place/sight.h): persons and originals may change where no document
    // does. None, and not all: they were too many to keep.
    std::vector<index::Hit> seen = {};
    bool seen_all = false;  // there are no more

    friend bool operator==(const Link&, const Link&) = default;
  };
  std::vector<Link> links;  // of the attacked records, ascending
  IndexChanges changes;     // from its documents to those that are indexed now
};

Fingerprint fingerprint_of(const RunCandidates& candidates);

// The basis of the links under `protocol`, if its documents were the present `candidates` with its changes taken back.
std::optional<LinkBasis> load_basis(storage::Db& db, RunId run, ProtocolId protocol, std::string_view analyzer,
                                    const RunCandidates& candidates);

// Whether anything is kept of the links, of whatever documents.
bool has_basis(storage::Db& db, RunId run, ProtocolId protocol);

// Replaces it; `basis` is about `candidates`, which are indexed as they are, and has no changes.
void store_basis(storage::Store& store, RunId run, ProtocolId protocol, std::string_view analyzer,
                 const RunCandidates& candidates, const LinkBasis& basis);

// In the transaction that changes the index: notes the changes with every basis of it, or forgets the basis if they
// have become many. `documents`: how many are indexed now.
void note_index_changes(storage::Db& db, RunId run, std::string_view analyzer, std::size_t documents,
                        const IndexChanges& changes);

// The stored form of the links, and back; nothing if `bytes` are not such a form.
std::string encode_links(const std::vector<LinkBasis::Link>& links);
std::optional<std::vector<LinkBasis::Link>> decode_links(std::string_view bytes);

}  // namespace residue::query
