// The embedded judge: which share of a claim's evidence do the words of the passage carry? No network, no model file.
//
//   texts ── text/support ──> features ── kLexicalWeights ──> points ── two thresholds ──> rating
//
// It finds absence well, tells full from partial support badly, and cannot be trusted where claim and passage share
// their words and differ in meaning. Wording beats points in two cases: a claim that occurs word for word is rated 1,
// and one made of nothing but function words, punctuation or placeholders is rated 3 unless it does.
#pragma once

#include "query/judge.h"

namespace residue::query {

class LexicalJudge final : public Judge {
 public:
  LexicalJudge();
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

 private:
  std::string name_ = "lexical";
  std::string spec_;
};

}  // namespace residue::query
