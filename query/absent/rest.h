// What the absent attack finds beside an attack whose claims vote, from the hits of the claims: deeper searches only
// where these cannot tell.
#pragma once

#include <cstddef>
#include <functional>
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

// Of attacks whose claims vote: each claim's best hits among those of records that are not left out do. `asked`: by
// place in `records`, how many claims ask for it. `hits`: of all their claims, the best `depth`; deeper ones replace
// them. `search` is given places in `hits`. `owner` and `voted` as of index::vote(). By record all that are voted for,
// the first is found; a hit's score is its votes.
struct Votes {
  std::function<CandidateId(CandidateId)> owner;
  const index::Candidates& voted;
  index::VoteRule rule;
};
std::vector<std::vector<index::Hit>> rest_of_votes(std::span<const std::size_t> records,
                                                   std::span<const std::size_t> asked,
                                                   std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
                                                   const Absence& absence, const Votes& votes,
                                                   const SearchDeeper& search);

// What somebody voted for, as hits.
std::vector<index::Hit> hits_of(std::span<const index::Vote> votes);

}  // namespace residue::query
