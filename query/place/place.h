// Where an attacked record stands among all candidates, whom an attacker would draw the best from, and how sure he may
// be of the best (METRICS.md section 9).
#pragma once

#include <cstdint>
#include <optional>

#include "query/metric/contribution.h"

namespace residue::query {

// How sure an attacker may be of his best hit, in units of 2^-32: (best - best of another person) / best. Another
// person has another original, too; a score below 0 counts as 0.
struct Sure {
  std::int64_t value = 0;
  bool alone = false;  // nobody else is a hit at all; then value is 1

  friend bool operator==(const Sure&, const Sure&) = default;
};

struct LinkPlace {
  bool attacked = false;
  // Candidates that score more than the record's own one, and others that score as much; nothing: it has none. A
  // candidate that is no hit stands after all hits.
  std::optional<std::uint32_t> ahead;
  std::uint32_t level = 0;
  std::uint32_t persons = 0;  // among the candidates with the best score; 0: nothing is linked
  bool own_person = false;    // the record's person, or an equal original, is among them
  // Nothing: the best score is not above 0, or there is no hit: nobody would claim anything. Of the absent attack also
  // where it was not made.
  std::optional<Sure> sure, rest_sure;

  // What a draw among the best hits has of the record's person, in units of 2^-32.
  [[nodiscard]] std::int64_t risk() const { return own_person ? fixed(1, persons) : 0; }

  friend bool operator==(const LinkPlace&, const LinkPlace&) = default;
};

}  // namespace residue::query
