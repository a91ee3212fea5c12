// A cascade: an embedded judge rates every pair, and a model is asked where that judge is not sure (judge notes, 2.3).
//
//   pairs ── first ──> score outside the band ──> its rating
//                 └──> score within the band, or one that its rating contradicts ──> second ──> its rating
//
// Which pairs are asked about depends on their texts alone. A model of several claims per request is asked about a
// whole request if the first judge is unsure of any of its claims; of the others its rating stands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/judge/asking_judge.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::string_view kCascade = "cascade:";

// Scores of the first judge, both ends included. Chosen on labels (docs/judges.md).
struct Band {
  double low = 0.1, high = 0.95;
};

// Scores that mean unsupported and same with every embedded judge. Rules (of names, numbers, opposites) may rate
// otherwise than the score, which stays: there the judge contradicts itself.
inline constexpr double kMeansUnsupported = 0.25, kMeansSame = 0.75;
inline bool contradicts_itself(const Rating& rating) {
  return (rating.score < kMeansUnsupported && rating.rating < 3) || (rating.score > kMeansSame && rating.rating > 1);
}

// Whether the second judge is asked about a pair that the first one rated so: its score lies in the band, or is another
// rating's.
inline bool is_unsure(const Rating& rating, Band band) {
  return (rating.score >= band.low && rating.score <= band.high) || contradicts_itself(rating);
}

// cascade:FIRST,SECOND or cascade:FIRST,SECOND,LOW-HIGH. Throws Error{usage}.
struct CascadeName {
  std::string first, second;
  Band band;
};
CascadeName parse_cascade(std::string_view name);

// Whose answers a judge of this name reads: of a cascade those of its second judge.
std::string answering_judge(const std::string& name);

class CascadeJudge final : public AskingJudge {
 public:
  // `first` is embedded.
  CascadeJudge(std::string name, std::unique_ptr<Judge> first, std::unique_ptr<AskingJudge> second, Band band);

  // Knows what was answered to a judge of this name and spec(), asks nothing. Nothing if it is no spec of a
  // CascadeJudge of this version.
  static std::unique_ptr<CascadeJudge> from_answers(storage::Store& store, const std::string& name,
                                                    std::string_view spec);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] std::size_t claims_per_request() const override { return second_->claims_per_request(); }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override;
  // Of passages of which something was asked.
  [[nodiscard]] Trust trust(const Request& request) const override;
  [[nodiscard]] Explanation explain(std::string_view passage, std::string_view claim) const override;
  [[nodiscard]] Explanation explain_in(const Request& request, std::size_t claim) const override;
  [[nodiscard]] NotAsked not_asked(std::span<const Request> requests) const override;
  [[nodiscard]] std::uint32_t votes() const override { return second_->votes(); }
  [[nodiscard]] std::uint32_t checks() const override { return second_->checks(); }
  [[nodiscard]] std::optional<Destination> destination() const override { return second_->destination(); }

 private:
  struct Split;  // what the first judge is sure of, and the rest
  [[nodiscard]] Split split(std::span<const Request> requests) const;

  std::string name_;
  std::unique_ptr<Judge> first_;
  std::unique_ptr<AskingJudge> second_;
  Band band_;
  std::string spec_;
};

}  // namespace residue::query
