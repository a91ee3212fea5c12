// A condition on runs: --where 'param.rate > 0.3 and tag = nightly'.
//
//   or     := and { "or" and }              name    := tag run sanitizer group seed made param.NAME METRIC[.PART][.low
//   ...] and    := not { "and" not }             value   := a word, a number, a date, or anything in quotes not    :=
//   "not" not | "(" or ")" | name OP value          OP := = != < <= > >=
//
// A setting is compared as a number where both are one; behind = and != in quotes as the text that was given.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/report/report.h"
#include "verbs/runs/facts.h"
#include "verbs/runs/fields.h"

namespace residue::verbs {

// What is wrong with a condition, and where. Quotes the condition, which the user wrote, and names of runs, tags and
// settings.
class ConditionError : public Error {
 public:
  ConditionError(Code code, const std::string& message, std::string hint, std::string text, std::size_t at)
      : Error(code, message, std::move(hint)), text_(std::move(text)), at_(at) {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::size_t at() const noexcept { return at_; }  // the byte of the text

 private:
  std::string text_;
  std::size_t at_;
};

// A comparison with what a run does not have is neither true nor false, and nor is its negation; so such a run meets no
// condition that depends on it.
class Condition {
 public:
  // Reads it and looks its names up among `runs`. Throws ConditionError{usage}: no condition, an unknown name, a value
  // that its field cannot have; ConditionError{not found}: a tag, run, sanitizer or group that none of the runs has, so
  // that a mistyped name never stands for "no run" or, behind !=, for "every run". Nested deeper than 100: usage.
  Condition(std::string_view text, const std::vector<RunFacts>& runs);
  ~Condition();
  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether it compares numbers of evaluations.
  [[nodiscard]] bool of_metrics() const;

  // Whether the run meets it; nothing: that depends on what it lacks, whose names are added to `lacking`.
  [[nodiscard]] std::optional<bool> met(const RunFacts& run, const query::ReportRun* numbers,
                                        std::set<std::string>& lacking) const;

 private:
  struct Node;
  class Reader;

  std::string text_;
  std::unique_ptr<Node> root_;
};

}  // namespace residue::verbs
