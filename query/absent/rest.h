// What the absent attack finds beside an attack, from the hits of the attack: deeper searches only where these cannot
// tell.
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

// Of attacks that ask once for each record: the best hit among those that are not left out, in order of `records`.
// `hits`: the best `depth` of each. `search` is given records.
std::vector<std::optional<index::Hit>> rest_of(std::span<const std::size_t> records,
                                               std::span<const std::vector<index::Hit>> hits, std::size_t depth,
                                               const Absence& absence, const SearchDeeper& search);

// Of attacks whose claims vote: each claim's best hits among those of records that are not left out do. `asked`: by
// place in `records`, how many claims ask for it. `hits`: of all their claims, the best `depth`; deeper ones replace
// them. `search` is given places in `hits`. `owner` and `voted` as of index::vote(). A hit's score is its votes.
struct Votes {
  std::function<CandidateId(CandidateId)> owner;
  const index::Candidates& voted;
  index::VoteRule rule;
};
std::vector<std::optional<index::Hit>> rest_of_votes(std::span<const std::size_t> records,
                                                     std::span<const std::size_t> asked,
                                                     std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
                                                     const Absence& absence, const Votes& votes,
                                                     const SearchDeeper& search);

}  // namespace residue::query
