// The terms of an index: number to name, name to number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_table.h"
#include "base/hash.h"

namespace residue::index {

// Numbers from 0 in the order of adding.
class TermTable {
 public:
  void add(std::string_view term) {
    names_ += term;
    ends_.push_back(names_.size());
  }

  // After the last term: makes find() work.
  void finish() {
    slots_.reset(ends_.size());
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
      const std::uint64_t hash = hash_bytes(name(i));
      slots_.at(hash, [](const Slot&) { return false; }) = {i + 1, static_cast<std::uint32_t>(hash >> 32)};
    }
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }

  [[nodiscard]] std::string_view name(std::uint32_t term) const {
    const std::size_t begin = term == 0 ? 0 : ends_[term - 1];
    return std::string_view(names_).substr(begin, ends_[term] - begin);
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view term) const { return find(term, hash_bytes(term)); }

  // For many terms: their hashes first, so that what find() reads is on its way when it comes to read it.
  [[nodiscard]] std::uint64_t prepare(std::string_view term) const {
    const std::uint64_t hash = hash_bytes(term);
    __builtin_prefetch(slots_.first(hash));
    return hash;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view term, std::uint64_t hash) const {
    const Slot& slot = slots_.at(hash, [&](const Slot& one) {
      return one.check == static_cast<std::uint32_t>(hash >> 32) && name(one.next - 1) == term;
    });
    if (slot.free()) return std::nullopt;
    return slot.next - 1;
  }

 private:
  struct Slot {
    std::uint32_t next = 0;   // number plus one; 0: free
    std::uint32_t check = 0;  // of the hash, to look at names only where they match

    [[nodiscard]] bool free() const { return next == 0; }
  };

  std::string names_;
  std::vector<std::size_t> ends_;
  FlatTable<Slot> slots_;
};

}  // namespace residue::index
