// The embedded judge: which share of a claim's evidence do the words of the passage carry? No network.
//
//   texts ── text/support ──> features ── LexicalModel ──> points ── rules, two thresholds ──> rating
//
// Its weights are fitted to what people said (lexical_model.h). It finds absence well, tells full from partial support
// badly, and cannot be trusted where claim and passage share their words and differ in meaning. Rules beat points: a
// claim that occurs word for word is rated 1, one made of nothing but function words or placeholders 3 unless it does;
// without a name or a number, without any word of an atomic claim, with a word's opposite, another of its kind or
// something more general in its place, nothing is the same; a predicate that stands around a missing name, and a number
// that became a range, are similar. The score is what the points alone say.
//
// With a dictionary it is another judge, lexical-wordnet: words also match by what they mean, the weights are others,
// and the digest of the dictionary's files is in its spec.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/judge/dictionary.h"
#include "query/judge/judge.h"
#include "query/judge/lexical_model.h"
#include "text/support/support.h"

namespace residue::query {

// The rating of a pair with these features, of which neither side is empty.
Rating lexical_rating(const LexicalModel& model, const text::SupportFeatures& features);

class LexicalJudge final : public Judge {
 public:
  explicit LexicalJudge(const LexicalModel& model = lexical_model());
  explicit LexicalJudge(std::shared_ptr<const Dictionary> dictionary,
                        const LexicalModel& model = lexical_wordnet_model());
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;

  // The scores from which on a pair is rated 2, and 1, by its points alone.
  [[nodiscard]] std::array<double, 2> thresholds() const;
  // Null without a dictionary.
  [[nodiscard]] const text::WordNet* wordnet() const { return dictionary_ ? &dictionary_->wordnet : nullptr; }
  [[nodiscard]] std::string dictionary_digest() const { return dictionary_ ? dictionary_->digest : std::string(); }
  // What its weights were fitted to; nothing where that was another dictionary.
  [[nodiscard]] std::optional<LexicalValidation> validation() const;

 private:
  [[nodiscard]] std::optional<Rating> rate_pair(const text::SupportPassage& passage,
                                                const text::SupportClaim& claim) const;

  LexicalModel model_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::string name_;
  std::string spec_;
};

}  // namespace residue::query
