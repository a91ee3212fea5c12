#include "ingest/rewrite/model_tags.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/mask/merged_spans.h"
#include "ingest/mask/scrub.h"
#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/safe_replacements.h"
#include "ingest/method/span_masking.h"
#include "ingest/rewrite/span_abstract.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

using model::TaskAnswer;
using model::TaskKind;

class ModelTags final : public AskingSanitizer {
 public:
  ModelTags(const SanitizerSetting& setting, bool merge, Masking masking, Json params)
      : AskingSanitizer("model-tags", 2, std::move(params)),
        find_(add(std::make_unique<SanitizerTask>(setting, std::string(kModelTagsAsks[0]), TaskKind::kIdentifiers,
                                                  setting.asking.model))),
        merge_(merge),
        masking_(masking) {}

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    auto [open, questions] = open_texts(inputs, outputs);
    const std::vector<TaskAnswer> answers = find_.ask(questions);
    for (std::size_t q = 0; q < open.size(); ++q) {
      const std::size_t i = open[q];
      if (!answers[q].problem.empty()) {
        outputs[i].error = find_.error(answers[q]);
        continue;
      }
      const FoundPassages found = passages_of(answers[q].answer);
      std::vector<MaskedSpan> spans = passages_in(inputs[i].text, found.passages);
      const std::string small = text::lower(inputs[i].text);
      for (MaskedSpan& span : spans) span.type = safe_type(small, span.type);
      if (merge_) spans = merged_with_scrub(inputs[i].text, std::move(spans));
      outputs[i] = mask(inputs[i].text, std::move(spans), masking_);
      passages_ += found.passages.size() + found.lost;
      lost_ += found.lost;
      records_ += found.lost > 0 ? 1 : 0;
    }
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (lost_ == 0) return {};
    return {fmt::format("{} of {} passages, which the model did not copy from the text, are not its tags (records: {})",
                        lost_, passages_, records_)};
  }

 private:
  SanitizerTask& find_;
  const bool merge_;
  const Masking masking_;
  mutable std::uint64_t passages_ = 0, lost_ = 0, records_ = 0;  // of all texts that have not failed
};

}  // namespace

std::span<const SanitizerParam> model_tags_params() {
  static const std::array params{SanitizerParam{"merge", "scrub",
                                                "scrub: also replace what scrub finds; names that either found go "
                                                "wherever they stand; no: the model's spans alone"},
                                 SanitizerParam{"replacement", "tag", "tag ([PERSON]), token ([PERSON_1]) or stars"}};
  return params;
}

std::unique_ptr<Sanitizer> make_model_tags(const SanitizerSetting& setting) {
  const std::string& merge = setting.params.at("merge");
  if (merge != "no" && merge != "scrub") {
    throw Error(Code::kUsage, fmt::format("model-tags: cannot merge with '{}'", merge), "use merge=scrub or no");
  }
  const Masking masking = masking_named(setting.params.at("replacement"), "model-tags");
  Json params{{"merge", merge}, {"replacement", name_of(masking)}};
  if (merge == "scrub") params["scrub"] = kScrubVersion;
  return std::make_unique<ModelTags>(setting, merge == "scrub", masking, std::move(params));
}

}  // namespace residue::ingest
