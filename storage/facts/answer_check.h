// Which answers of models are damaged, and taking those out. An answer that is not found by its key looks like one that
// was never given: the order in which answers came says which were.
#pragma once

#include <cstdint>
#include <vector>

#include "base/digest.h"
#include "storage/facts/facts.h"

namespace residue::storage {

class AnswerCheck {
 public:
  struct Place {
    VoteKey vote;
    std::uint32_t attempt = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  struct Found {
    std::uint64_t read = 0;      // are what was stored
    std::vector<Place> damaged;  // were stored, and are lost
    std::uint64_t nameless = 0;  // were stored and are lost, and nothing says which they were
    std::uint64_t strays = 0;    // entries that are no answer: what is left of lost ones
    std::uint64_t mended = 0;  // damage that loses nothing: a wrong place in the order, an answer not found by its key
    [[nodiscard]] bool sound() const { return damaged.empty() && nameless + strays + mended == 0; }
  };

  // Reads every answer.
  static Found look(const Facts& facts);

  // Takes out what look() calls damaged, and mends the rest, in one transaction. An answer that is taken out is from
  // then on one that was never given. The caller holds the writer lock.
  static void repair(const Facts& facts);

  // Those of `places` that were stored, were not purged, and are not found. Where the order itself is damaged every one
  // that is not found.
  static std::vector<Place> lost(const Facts& facts, const std::vector<Place>& places);
};

}  // namespace residue::storage
