// The one flat hash table: open addressing, linear probing, a power of two of slots.
//
// Users define their own slots, so that a look-up reads as few cache lines as possible.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace residue {

// The first slot from the one of `hash` on for which `stop` is true: an entry, or a free slot. One must be free.
template <class Slot, class Stop>
Slot& probe(Slot* slots, std::size_t mask, std::uint64_t hash, const Stop& stop) {
  std::size_t at = hash & mask;
  while (!stop(slots[at])) at = (at + 1) & mask;
  return slots[at];
}

// Slots that grow. A value-initialized Slot is free; `Slot::free()` says so, `Slot::hash()` is that of its entry.
template <class Slot>
class FlatTable {
 public:
  // Room for `entries` at most half full, all free.
  void reset(std::size_t entries) {
    slots_.assign(std::bit_ceil(2 * entries + 2), Slot{});
    used_ = 0;
  }

  // The slot of the entry for which `same` is true, or the free slot where it belongs.
  template <class Same>
  Slot& at(std::uint64_t hash, const Same& same) {
    return probe(slots_.data(), slots_.size() - 1, hash,
                 [&same](const Slot& slot) { return slot.free() || same(slot); });
  }
  template <class Same>
  const Slot& at(std::uint64_t hash, const Same& same) const {
    return probe(slots_.data(), slots_.size() - 1, hash,
                 [&same](const Slot& slot) { return slot.free() || same(slot); });
  }

  // The same, after making room for one more entry. A free slot counts as taken. References to slots become invalid.
  template <class Same>
  Slot& place(std::uint64_t hash, const Same& same) {
    if ((used_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = at(hash, same);
    if (slot.free()) ++used_;
    return slot;
  }

  // Where a search for `hash` begins; callers prefetch it.
  [[nodiscard]] const Slot* first(std::uint64_t hash) const { return &slots_[hash & (slots_.size() - 1)]; }

  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  void grow() {
    std::vector<Slot> before(slots_.empty() ? 1024 : slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (!slot.free()) at(slot.hash(), [](const Slot&) { return false; }) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace residue
