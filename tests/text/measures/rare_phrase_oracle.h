// Rare phrases by definition: sets of persons by phrase, as words. For tests and the bench.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "text/measures/rare_phrases.h"

namespace residue::text::testing {

using PhraseOwners = std::map<std::vector<std::uint32_t>, std::set<std::uint32_t>>;

inline PhraseOwners owners_by_definition(const WordRuns& originals, std::span<const std::uint32_t> persons,
                                         std::size_t least, std::size_t most) {
  PhraseOwners owners;
  const auto words = originals.words();
  for (std::size_t text = 0; text < originals.texts(); ++text) {
    for (std::size_t at = originals.begin(text); at < originals.end(text); ++at) {
      for (std::size_t n = least; n <= most && at + n <= originals.end(text); ++n) {
        const auto phrase = words.subspan(at, n);
        if (std::count(phrase.begin(), phrase.end(), 0U) > 0) break;
        owners[{phrase.begin(), phrase.end()}].insert(persons[text]);
      }
    }
  }
  return owners;
}

inline Reach reach_by_definition(const PhraseOwners& owners, std::span<const std::uint32_t> words, std::size_t at,
                                 std::size_t least, std::size_t most) {
  Reach reach;
  for (std::size_t n = least; n <= most && at + n <= words.size(); ++n) {
    const auto phrase = words.subspan(at, n);
    const auto found = owners.find({phrase.begin(), phrase.end()});
    if (found == owners.end()) continue;
    if (found->second.size() == 1 && reach.alone == 0) reach.alone = static_cast<std::uint8_t>(n) & 15U;
    reach.longest = static_cast<std::uint8_t>(n) & 15U;
  }
  return reach;
}

}  // namespace residue::text::testing
