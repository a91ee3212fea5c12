// A flat map from 64-bit hashes to small numbers: which keys a file has had, in 12 bytes a slot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace residue::ingest {

// Two keys share a hash with a chance of 2^-64 a pair; a caller that would refuse a row for it checks the store first.
class KeyMap {
 public:
  static std::uint64_t hash(std::string_view key, std::uint64_t number = 0) {
    const std::uint64_t h = hash_of(0x6b657973, key, number);
    return h == 0 ? 1 : h;  // 0 marks a free slot
  }

  // The value under `hash`, made with `initial` if it was not there. The reference lives until the next call.
  struct Found {
    std::uint32_t& value;
    bool inserted;
  };
  Found at(std::uint64_t hash, std::uint32_t initial = 0) {
    if ((used_ + 1) * 4 > hashes_.size() * 3) grow();
    const std::size_t slot = slot_of(hash);
    const bool inserted = hashes_[slot] == 0;
    if (inserted) {
      hashes_[slot] = hash;
      values_[slot] = initial;
      ++used_;
    }
    return {values_[slot], inserted};
  }

  // True if it was not there yet.
  bool add(std::uint64_t hash) { return at(hash).inserted; }

  [[nodiscard]] std::size_t size() const { return used_; }

 private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const {
    const std::size_t mask = hashes_.size() - 1;
    std::size_t slot = hash & mask;
    while (hashes_[slot] != 0 && hashes_[slot] != hash) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<std::uint64_t> hashes(hashes_.empty() ? 1024 : hashes_.size() * 2);
    std::vector<std::uint32_t> values(hashes.size());
    hashes_.swap(hashes);
    values_.swap(values);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (hashes[i] == 0) continue;
      const std::size_t slot = slot_of(hashes[i]);
      hashes_[slot] = hashes[i];
      values_[slot] = values[i];
    }
  }

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> values_;
  std::size_t used_ = 0;
};

}  // namespace residue::ingest
