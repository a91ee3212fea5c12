// What the best hits of a record's query say: the crowd that is tied at the top, how sure the best is, what the absent
// attack finds, and what that one's own absent attack does. Deeper searches only where the hits at hand cannot tell.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "index/linker.h"
#include "query/absent/absence.h"
#include "query/absent/rest.h"
#include "query/place/people.h"
#include "query/place/place.h"

namespace residue::query {

// What is asked beside the links; null: it is not.
struct Beside {
  const Absence* absence = nullptr;  // what the absent attack finds, and its own one
  const People* people = nullptr;    // the record's place; of aligned runs only
};

// The best hits of one query, in order. `all`: there are no more.
struct Seen {
  std::span<const index::Hit> hits;
  bool all = false;
};

struct Sight {
  std::optional<index::Hit> rest;   // of the absent attack; nothing: it finds nobody
  std::optional<index::Hit> third;  // of the absent attack's own absent attack; nothing also where `rest` is
  Crowd crowd;
  std::optional<Sure> sure, rest_sure;
  std::size_t looked = 0;  // how many of the hits said so, and whether it was asked if there are more
  bool to_the_end = false;
  std::size_t needs = 0;  // not 0: the hits cannot tell; the best so many can, or say how many can
};

Sight sight_of(const Seen& seen, std::size_t record, const Beside& beside);

// Of attackers whose claims vote; all that anybody voted for, and what the absent attacks found.
Sight sight_of_votes(std::span<const index::Hit> voted, const RestOfVotes& rest, std::size_t record,
                     const Beside& beside);

// By place in `records`. `hits`: the best `depth` of each. `search` is given records.
std::vector<Sight> sights_of(std::span<const std::size_t> records, std::span<const std::vector<index::Hit>> hits,
                             std::size_t depth, const Beside& beside, const SearchDeeper& search);

}  // namespace residue::query
