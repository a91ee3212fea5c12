// The terms of an index: number to name, name to number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    std::size_t slots = 16;
    while (slots < ends_.size() * 2) slots *= 2;
    slots_.assign(slots, 0);
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
      std::size_t at = hash_bytes(name(i)) & (slots - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots - 1);
      slots_[at] = i + 1;
    }
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }

  [[nodiscard]] std::string_view name(std::uint32_t term) const {
    const std::size_t begin = term == 0 ? 0 : ends_[term - 1];
    return std::string_view(names_).substr(begin, ends_[term] - begin);
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view term) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash_bytes(term) & mask; slots_[at] != 0; at = (at + 1) & mask) {
      if (name(slots_[at] - 1) == term) return slots_[at] - 1;
    }
    return std::nullopt;
  }

 private:
  std::string names_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> slots_;  // number plus one, at the hash or after
};

}  // namespace residue::index
