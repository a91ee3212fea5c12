// Where the hashes of some words are: most other words are refused without a look into the table that has them.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace residue {

template <std::size_t Places>
class HashPlaces {
 public:
  void add(std::string_view word) { places_.set(hash_bytes(word) % Places); }
  // False: the word was never added.
  [[nodiscard]] bool may_have(std::string_view word) const { return may_have(hash_bytes(word)); }
  // The same of a word's hash_bytes().
  [[nodiscard]] bool may_have(std::uint64_t hash) const { return places_.test(hash % Places); }

 private:
  std::bitset<Places> places_;
};

}  // namespace residue
