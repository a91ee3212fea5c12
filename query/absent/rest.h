// What the absent attack finds beside an attack whose claims vote, and what that one's own absent attack does, from the
// hits of the claims: deeper searches only where these cannot tell.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"
#include "index/voting.h"
#include "query/absent/absence.h"

namespace residue::query {

// The best `depth` hits of each of some queries, which are named by numbers.
using SearchDeeper =
    std::function<std::vector<std::vector<index::Hit>>(std::span<const std::size_t> queries, std::size_t depth)>;

// All that are voted for in the absent attack; the first is found. A hit's score is its votes. `third`: whom the claims
// elect where those are left out, too, that an attack on the one that was found leaves out.
struct RestOfVotes {
  std::vector<index::Hit> voted;
  std::optional<index::Hit> third;
};

// Of attacks whose claims vote: each claim's best hits among those of records that are not left out do. `asked`: by
// place in `records`, how many claims ask for it. `hits`: of all their claims, the best `depth`; deeper ones replace
// them. `search` is given places in `hits`. `owner` and `voted` as of index::vote(). By record.
struct Votes {
  std::function<CandidateId(CandidateId)> owner;
  const index::Candidates& voted;
  index::VoteRule rule;
};
std::vector<RestOfVotes> rest_of_votes(std::span<const std::size_t> records, std::span<const std::size_t> asked,
                                       std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
                                       const Absence& absence, const Votes& votes, const SearchDeeper& search);

// What somebody voted for, as hits.
std::vector<index::Hit> hits_of(std::span<const index::Vote> votes);

}  // namespace residue::query
