#include "ingest/rewrite/inferences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "model/replies/answer_words.h"

namespace residue::ingest {
namespace {

constexpr int kMerePrejudice = 1;

bool is_no_guess(const std::string& guess) {
  constexpr std::string_view kNone[] = {"",
                                        "unknown",
                                        "none",
                                        "na",
                                        "noguess",
                                        "notknown",
                                        "unclear",
                                        "unspecified",
                                        "notstated",
                                        "uncertain",
                                        "undetermined",
                                        "indeterminate",
                                        "cannotinfer",
                                        "notinferable",
                                        "notmentioned",
                                        "notspecified",
                                        "cannotbeinferred",
                                        "cannotbedetermined",
                                        "notenoughinformation",
                                        "insufficientinformation"};
  // Other scripts have no letters that plain() keeps.
  const std::string said = model::plain(guess);
  if (said.empty() && !guess.empty()) return guess == "-" || guess == "?";
  return std::ranges::find(kNone, said) != std::end(kNone);
}

}  // namespace

std::vector<Inference> inferences_of(const model::TaskAnswer& answer) {
  const Json all = Json::parse(answer.answer).value();
  const auto reasons = Json::parse(answer.reasons).value_or(Json());
  std::vector<Inference> inferences;
  for (const auto& [attribute, one] : all.items()) {
    Inference inference{attribute, one.at("guess").get<std::vector<std::string>>(), one.at("certainty").get<int>(), {}};
    if (inference.certainty <= kMerePrejudice || inference.guesses.empty() || is_no_guess(inference.guesses.front())) {
      continue;
    }
    inference.reason = reasons.value(attribute, "");
    inferences.push_back(std::move(inference));
  }
  return inferences;
}

bool another_round(std::span<const Inference> inferences, int cutoff) {
  return std::ranges::any_of(inferences, [&](const Inference& one) { return one.certainty > cutoff; });
}

std::string inference_words(std::span<const Inference> inferences) {
  std::string words;
  for (const Inference& one : inferences) {
    words += fmt::format("{}{}: {} (certainty {} of 5)", words.empty() ? "" : "\n", one.attribute,
                         fmt::join(one.guesses, "; "), one.certainty);
    if (!one.reason.empty()) words += fmt::format("\n  because: {}", one.reason);
  }
  return words;
}

}  // namespace residue::ingest
