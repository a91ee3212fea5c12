// A flat map from 64-bit hashes to small numbers: which keys a file has had, in 12 bytes a slot.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/flat_table.h"
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
    Slot& slot = slots_.place(hash, [hash](const Slot& one) { return one.hash() == hash; });
    const bool inserted = slot.free();
    if (inserted) slot = {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash), initial};
    return {slot.value, inserted};
  }

  // True if it was not there yet.
  bool add(std::uint64_t hash) { return at(hash).inserted; }

  [[nodiscard]] std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    std::uint32_t high = 0, low = 0;  // halves of the hash, 0: free; so a slot has 12 bytes
    std::uint32_t value = 0;

    [[nodiscard]] std::uint64_t hash() const { return (std::uint64_t{high} << 32U) | low; }
    [[nodiscard]] bool free() const { return hash() == 0; }
  };

  FlatTable<Slot> slots_;
};

}  // namespace residue::ingest
