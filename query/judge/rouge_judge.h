// The papers' lexical baseline as a judge: ROUGE-L recall (stemmed) of the claim in the passage; at least 0.7 is rated
// 1, at least 0.4 is rated 2. The score is the recall.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/judge/judge.h"

namespace residue::query {

// ROUGE sees a-z and 0-9 only. A claim that it would judge by less than half of its letters and digits (other scripts,
// punctuation) is compared verbatim instead, so that what ROUGE cannot see never looks private.
class RougeJudge final : public Judge {
 public:
  RougeJudge();
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

  // The scores from which on a pair is rated 2, and 1.
  [[nodiscard]] static std::array<double, 2> thresholds();

 private:
  std::string name_ = "rouge";
  std::string spec_;
};

}  // namespace residue::query
