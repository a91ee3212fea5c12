#include "ingest/rewrite/span_abstract.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ingest/method/asking_sanitizer.h"
#include "text/identifiers/restoration.h"

namespace residue::ingest {
namespace {

using model::TaskAnswer;
using model::TaskKind;
using Texts = SanitizerTask::Texts;

std::vector<Passage> passages_of(const std::string& answer) {
  std::vector<Passage> passages;
  const Json all = Json::parse(answer).value();
  for (const Json& one : all) {
    passages.push_back({one.at("text").get<std::string>(), one.at("type").get<std::string>()});
  }
  return passages;
}

class SpanAbstract final : public AskingSanitizer {
 public:
  explicit SpanAbstract(const SanitizerSetting& setting)
      : AskingSanitizer("span-abstract", 2, Json::object()),
        find_(add(std::make_unique<SanitizerTask>(setting, std::string(kSpanAbstractAsks[0]), TaskKind::kDisclosures,
                                                  setting.asking.model))),
        abstract_(add(std::make_unique<SanitizerTask>(setting, std::string(kSpanAbstractAsks[1]), TaskKind::kAbstract,
                                                      setting.asking.model))) {}

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    auto [open, questions] = open_texts(inputs, outputs);
    const std::vector<TaskAnswer> found = find_.ask(questions);
    std::vector<std::vector<MaskedSpan>> spans(inputs.size());
    std::vector<std::pair<std::size_t, std::size_t>> asked;  // input, span
    questions.clear();
    for (std::size_t q = 0; q < open.size(); ++q) {
      const std::size_t i = open[q];
      if (!found[q].problem.empty()) {
        outputs[i].error = find_.error(found[q]);
        continue;
      }
      spans[i] = passages_in(inputs[i].text, passages_of(found[q].answer));
      for (std::size_t s = 0; s < spans[i].size(); ++s) {
        asked.emplace_back(i, s);
        questions.push_back(
            {inputs[i].text, inputs[i].text.substr(spans[i][s].begin, spans[i][s].end - spans[i][s].begin)});
      }
    }
    const std::vector<TaskAnswer> phrases = abstract_.ask(questions);
    for (std::size_t q = 0; q < asked.size(); ++q) {
      const auto [i, s] = asked[q];
      if (phrases[q].problem.empty()) {
        spans[i][s].with = Json::parse(phrases[q].answer).value().front().get<std::string>();
      } else if (!outputs[i].error) {
        outputs[i].error = abstract_.error(phrases[q]);
      }
    }
    for (const std::size_t i : open) {
      if (!outputs[i].error) outputs[i] = mask(inputs[i].text, std::move(spans[i]), Masking::kTag);
    }
  }

 private:
  SanitizerTask& find_;
  SanitizerTask& abstract_;
};

}  // namespace

std::vector<MaskedSpan> passages_in(std::string_view text, std::span<const Passage> passages) {
  std::vector<MaskedSpan> all;
  for (const Passage& passage : passages) {
    for (const text::Span& where : text::occurrences(text, passage.text)) {
      all.push_back({where.begin, where.end, passage.type, std::nullopt});
    }
  }
  std::ranges::stable_sort(all, [](const MaskedSpan& a, const MaskedSpan& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<MaskedSpan> disjoint;
  for (MaskedSpan& span : all) {
    if (!disjoint.empty() && span.begin < disjoint.back().end) {
      disjoint.back().end = std::max(disjoint.back().end, span.end);
    } else {
      disjoint.push_back(std::move(span));
    }
  }
  return disjoint;
}

std::unique_ptr<Sanitizer> make_span_abstract(const SanitizerSetting& setting) {
  return std::make_unique<SpanAbstract>(setting);
}

}  // namespace residue::ingest
