// Where the hashes of some words are: most other words are refused without a look into the table that has them.
#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>

#include "base/hash.h"

namespace residue {

template <std::size_t Places>
class HashPlaces {
 public:
  void add(std::string_view word) { places_.set(hash_bytes(word) % Places); }
  // False: the word was never added.
  [[nodiscard]] bool may_have(std::string_view word) const { return places_.test(hash_bytes(word) % Places); }

 private:
  std::bitset<Places> places_;
};

}  // namespace residue
