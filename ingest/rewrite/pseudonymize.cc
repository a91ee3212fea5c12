#include "ingest/rewrite/pseudonymize.h"

#include <span>
#include <utility>
#include <vector>

#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/span_masking.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

using model::TaskKind;

class Pseudonymize final : public AskingSanitizer {
 public:
  explicit Pseudonymize(const SanitizerSetting& setting)
      : AskingSanitizer("pseudonymize", 1, Json::object()),
        task_(add(std::make_unique<SanitizerTask>(setting, std::string(kPseudonymizeAsks[0]), TaskKind::kPseudonymize,
                                                  setting.asking.model))) {}

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    const auto [open, questions] = open_texts(inputs, outputs);
    const auto answers = task_.ask(questions);
    for (std::size_t q = 0; q < open.size(); ++q) {
      SanitizeOutput& output = outputs[open[q]];
      if (answers[q].problem.empty()) {
        output = pseudonymized(inputs[open[q]].text, answers[q].answer);
      } else {
        output.error = task_.error(answers[q]);
      }
    }
  }

 private:
  SanitizerTask& task_;
};

}  // namespace

SanitizeOutput pseudonymized(std::string_view text, const std::string& answer) {
  const Json json = Json::parse(answer).value();
  std::vector<std::string> originals, replacements;
  Json table = Json::array();
  for (const auto& one : json.at("replacements")) {
    originals.push_back(one.at("original").get<std::string>());
    replacements.push_back(one.at("replacement").get<std::string>());
    table.push_back({originals.back(), replacements.back()});
  }
  const std::vector<std::string_view> words(originals.begin(), originals.end());
  std::vector<MaskedSpan> spans;
  for (const text::Occurrence& one : text::occurrences(text, words)) {
    spans.push_back({one.span.begin, one.span.end, "entity", replacements[one.word]});
  }
  SanitizeOutput output = mask(text, std::move(spans), Masking::kTag);
  if (!table.empty()) output.substitutions = table.dump();
  return output;
}

std::unique_ptr<Sanitizer> make_pseudonymize(const SanitizerSetting& setting) {
  return std::make_unique<Pseudonymize>(setting);
}

}  // namespace residue::ingest
