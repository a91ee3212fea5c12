// Whether a model's answers are worth their money: a server that talks nonsense is not asked a hundred thousand times.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace residue::model {

// Of all that one command asks one model.
class Usability {
 public:
  static constexpr std::uint32_t kInARow = 20;
  static constexpr std::uint32_t kFirst = 100;

  // `problem`: why an answer cannot be used; empty if it can.
  void add(const std::string& problem) {
    ++answers_;
    in_a_row_ = problem.empty() ? 0 : in_a_row_ + 1;
    if (problem.empty()) return;
    ++reasons_[problem];
    if (answers_ <= kFirst) ++of_first_;
  }

  // So many in a row, or half of the first ones, cannot be used.
  [[nodiscard]] bool hopeless() const {
    return in_a_row_ >= kInARow || (answers_ == kFirst && 2 * of_first_ >= kFirst);
  }

  // "20 answers in a row cannot be used: truncated (18), refused (2)"
  [[nodiscard]] std::string words() const;

 private:
  std::uint64_t answers_ = 0;
  std::uint32_t in_a_row_ = 0, of_first_ = 0;
  std::map<std::string, std::uint64_t> reasons_;
};

}  // namespace residue::model
