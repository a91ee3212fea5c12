// The claims of what a run published, as candidates of an attacker whose hits vote (linker bm25-vote).
//
//   run_claim rows (control none: its own claims) ──> candidates ──> hits ── owner_of_claim ──> votes for variants
//
// FSP D.1. The reference takes the first seen of equally voted records (statistics.mode); here, as
// everywhere, the smallest key wins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/voting.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

// The run's claim set called `set`; nothing for the controls, which have none.
// Throws Error{not found}, and Error{bad input} if it is not of the content `run.content`.
std::optional<std::int64_t> find_run_claims(storage::Db& db, const std::string& dataset, const RunHead& run,
                                            const std::string& set);

// All claims of the run's usable variants: of the control `none` those of the view's claim set, or, where these are
// from outside, of its texts (find_own_claims); of `remove-all` none. Ascending ids; byte order of the keys is by
// variant's key, then by n. Throws as find_run_claims and find_own_claims do.
RunCandidates claim_candidates(storage::Store& store, const DatasetView& dataset, const RunView& run,
                               const std::string& set);

// The candidate for claim `n` of the variant that is the candidate `owner` of its run, and back. Other numbers than
// those of variants, so that the segments of both never look alike. Throws Error{internal} beyond 2^31 variants.
CandidateId claim_candidate(CandidateId owner, std::uint32_t n);
CandidateId owner_of_claim(CandidateId claim);
std::uint32_t number_of_claim(CandidateId claim);

// The variants that one record's claims vote for; a hit's score is its votes. `hits`: one list for each claim.
std::vector<index::Hit> elect(std::span<const std::vector<index::Hit>> hits, const index::Candidates& variants,
                              index::VoteRule rule);

// The name under which the run's claims are indexed.
std::string claims_indexed(storage::Db& db, const DatasetView& dataset, const RunView& run, const std::string& set);

}  // namespace residue::query
