// Exact numbers to dense ids, for the tokens of one pair of texts; emptied in constant time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/flat_table.h"

namespace residue::text {

class IdMap {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Forgets everything and makes room for `keys` distinct keys.
  void reset(std::size_t keys) {
    const std::size_t wanted = std::bit_ceil(keys * 2 + 2);
    if (wanted > slots_.size()) {
      slots_.assign(wanted, Slot{});
      epoch_ = 0;
    }
    if (++epoch_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      epoch_ = 1;
    }
    mask_ = wanted - 1;
    shift_ = 64 - std::countr_zero(wanted);
    size_ = 0;
  }

  // The id of `key`: 0, 1, 2 ... in the order of first sight. At most as many keys as reset() was told.
  std::uint32_t add(std::uint64_t key) {
    Slot& slot = probe(slots_.data(), mask_, scattered(key), [&](const Slot& one) { return stops(one, key); });
    if (slot.epoch != epoch_) slot = {key, epoch_, size_++};
    return slot.id;
  }

  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    const Slot& slot = probe(slots_.data(), mask_, scattered(key), [&](const Slot& one) { return stops(one, key); });
    return slot.epoch == epoch_ ? slot.id : kNone;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;
    std::uint32_t id = 0;
  };

  [[nodiscard]] std::uint64_t scattered(std::uint64_t key) const {
    return (key * 0x9e3779b97f4a7c15ULL) >> shift_;  // Fibonacci hashing
  }
  [[nodiscard]] bool stops(const Slot& slot, std::uint64_t key) const {
    return slot.epoch != epoch_ || slot.key == key;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 63;
  std::uint32_t epoch_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace residue::text
