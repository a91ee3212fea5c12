#include "ingest/rewrite/adversarial.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/method/asking_sanitizer.h"
#include "ingest/rewrite/inferences.h"
#include "ingest/rewrite/rewriting.h"

namespace residue::ingest {
namespace {

using model::TaskKind;

// The paper goes to five rounds, FSP C.1 takes three.
constexpr SanitizerParam kParams[] = {
    {"rounds", "3", "the most rounds; each is a run: NAME@1, NAME@2 ...", whole_from(1, kMostRounds)},
    {"attributes", "", "which attributes, separated by commas (default: the paper's eight)"},
    {"cutoff", "1", "stop when no guess is more certain than this; 1: until nothing is inferred; 2: as in AA G.2",
     whole_from(1, 4)},
    {"infer", "", "the model that infers attributes (default: that of --model, which changes the texts)"},
    {"as", "", "the name of the guesses in reports (default: that model's name)"}};

std::vector<std::string> attributes_of(const SanitizerSetting& setting) {
  const std::string& list = setting.params.at("attributes");
  if (list.empty()) return model::default_items(TaskKind::kAttributes);
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

class Adversarial final : public AskingSanitizer {
 public:
  Adversarial(const SanitizerSetting& setting, std::uint32_t rounds, int cutoff)
      : AskingSanitizer("adversarial", 1, {{"attributes", attributes_of(setting)}, {"cutoff", cutoff}}),
        rounds_(rounds),
        cutoff_(cutoff),
        as_(setting.params.at("as")),
        infer_(add(std::make_unique<SanitizerTask>(
            setting, std::string(kAdversarialAsks[0]), TaskKind::kAttributes,
            setting.params.at("infer").empty() ? setting.asking.model : setting.params.at("infer"),
            attributes_of(setting)))),
        anonymize_(add(std::make_unique<SanitizerTask>(setting, std::string(kAdversarialAsks[1]), TaskKind::kAnonymize,
                                                       setting.asking.model))) {}

  [[nodiscard]] std::uint32_t rounds() const override { return rounds_; }

  [[nodiscard]] std::optional<Feedback> feedback() override {
    return Feedback{infer_, as_.empty() ? infer_.asker().endpoint().name : as_};
  }

  // One round.
  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    auto [open, questions] = open_texts(inputs, outputs);
    const auto guesses = infer_.ask(questions);
    std::vector<std::size_t> inferred;
    std::vector<std::string> words;
    for (std::size_t q = 0; q < open.size(); ++q) {
      SanitizeOutput& output = outputs[open[q]];
      if (!guesses[q].problem.empty()) {
        output.error = infer_.error(guesses[q]);
        continue;
      }
      const std::vector<Inference> inferences = inferences_of(guesses[q]);
      if (another_round(inferences, cutoff_)) {
        inferred.push_back(open[q]);
        words.push_back(inference_words(inferences));
      } else {
        output.text = std::string(inputs[open[q]].text);
      }
    }
    questions.clear();
    for (std::size_t q = 0; q < inferred.size(); ++q) questions.push_back({inputs[inferred[q]].text, words[q]});
    const auto texts = anonymize_.ask(questions);
    for (std::size_t q = 0; q < inferred.size(); ++q) {
      SanitizeOutput& output = outputs[inferred[q]];
      if (texts[q].problem.empty()) {
        output.text = Json::parse(texts[q].answer).value().at("text").get<std::string>();
      } else {
        output.error = anonymize_.error(texts[q]);
      }
    }
  }

 private:
  const std::uint32_t rounds_;
  const int cutoff_;
  const std::string as_;
  SanitizerTask& infer_;
  SanitizerTask& anonymize_;
};

}  // namespace

std::span<const SanitizerParam> adversarial_params() { return kParams; }

std::unique_ptr<Sanitizer> make_adversarial(const SanitizerSetting& setting) {
  const std::uint32_t rounds = whole_param(setting, "rounds");
  const std::uint32_t cutoff = whole_param(setting, "cutoff");
  return std::make_unique<Adversarial>(setting, rounds, static_cast<int>(cutoff));
}

}  // namespace residue::ingest
