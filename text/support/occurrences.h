// Where each key occurs in a passage: the places of a key lie in a row and ascend, so that of many only those between
// two words need be looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::text {

using Places = std::span<const std::uint32_t>;  // ascending

class Occurrences {
 public:
  // Forgets everything and keeps the memory.
  void clear();
  // In the order of the places. Nothing is found before finish().
  void add(std::uint64_t key, std::uint32_t place) { entries_.push_back({key, place, 0}); }
  void finish();

  // Valid until the next clear().
  [[nodiscard]] Places of(std::uint64_t key) const;
  [[nodiscard]] bool has(std::uint64_t key) const { return !of(key).empty(); }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t place;
    std::uint32_t number;  // of the key, in keys_
  };
  struct Key {
    std::uint64_t key;
    std::uint32_t begin, count;  // in places_
  };
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;

  std::vector<Entry> entries_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;  // numbers of keys from 1 on, 0 for none; a power of two, at most half of it used
  std::vector<std::uint32_t> places_;
};

// The places from `from` up to `to`, without it.
[[nodiscard]] Places between(Places places, std::uint32_t from, std::uint32_t to);

}  // namespace residue::text
