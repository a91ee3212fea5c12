#include "ingest/rewrite/span_abstract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/hidden_words.h"
#include "ingest/method/safe_replacements.h"
#include "text/characters/unicode.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

using model::TaskAnswer;
using model::TaskKind;
using Texts = SanitizerTask::Texts;

// A text while it is worked on.
struct Work {
  std::vector<MaskedSpan> spans;
  std::vector<bool> stays = {};           // spans that no phrase was given for
  std::uint64_t lost = 0;                 // passages that are not in the text
  std::uint64_t without_phrase = 0;       // spans
  std::uint64_t repeated = 0;             // spans of which all phrases say what they should hide
  std::optional<std::string> error = {};  // of the first of these
};

// The first phrase that says nothing of the passage, nor of another one; none: all do.
std::optional<std::string> hiding_phrase(const Json& phrases, std::string_view passage, const HiddenWords& hidden) {
  for (const Json& one : phrases) {
    if (std::string phrase = one.get<std::string>(); !repeats_words(phrase, passage) && !hidden.said_in(phrase))
      return phrase;
  }
  return std::nullopt;
}

class SpanAbstract final : public AskingSanitizer {
 public:
  explicit SpanAbstract(const SanitizerSetting& setting)
      : AskingSanitizer("span-abstract", 5, Json::object()),
        find_(add(std::make_unique<SanitizerTask>(setting, std::string(kSpanAbstractAsks[0]), TaskKind::kDisclosures,
                                                  setting.asking.model))),
        abstract_(add(std::make_unique<SanitizerTask>(setting, std::string(kSpanAbstractAsks[1]), TaskKind::kAbstract,
                                                      setting.asking.model))) {}

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    auto [open, questions] = open_texts(inputs, outputs);
    const std::vector<TaskAnswer> found = find_.ask(questions);
    std::vector<Work> works(inputs.size());
    std::vector<std::pair<std::size_t, std::size_t>> asked;  // input, span
    questions.clear();
    for (std::size_t q = 0; q < open.size(); ++q) {
      const std::size_t i = open[q];
      if (!found[q].problem.empty()) {
        outputs[i].error = find_.error(found[q]);
        continue;
      }
      const FoundPassages all = passages_of(found[q].answer);
      works[i].lost = all.lost;
      std::vector<MaskedSpan>& spans = works[i].spans = passages_in(inputs[i].text, all.passages);
      works[i].stays.resize(spans.size());
      const std::string small = text::lower(inputs[i].text);
      for (MaskedSpan& span : spans) span.type = safe_type(small, span.type);
      for (std::size_t s = 0; s < spans.size(); ++s) {
        asked.emplace_back(i, s);
        questions.push_back({inputs[i].text, inputs[i].text.substr(spans[s].begin, spans[s].end - spans[s].begin)});
      }
    }
    const std::vector<TaskAnswer> phrases = abstract_.ask(questions);
    std::optional<HiddenWords> hidden;  // of the input that is looked at
    std::size_t hidden_of = inputs.size();
    for (std::size_t q = 0; q < asked.size(); ++q) {
      const auto [i, s] = asked[q];
      Work& work = works[i];
      if (phrases[q].problem.empty()) {
        const Json given = Json::parse(phrases[q].answer).value();
        if (std::exchange(hidden_of, i) != i) hidden.emplace(inputs[i].text, work.spans);
        work.spans[s].with = hiding_phrase(given, questions[q][1], *hidden);
        work.repeated += work.spans[s].with ? 0 : 1;
        continue;
      }
      work.stays[s] = true;
      ++work.without_phrase;
      if (!work.error) work.error = abstract_.error(phrases[q]);
      if (phrases[q].problem == SanitizerTask::kNotAsked) outputs[i].error = work.error;
    }
    for (const std::size_t i : open) {
      if (!outputs[i].error) outputs[i] = replaced(inputs[i].text, std::move(works[i]));
    }
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (repeated_ > 0) {
      notes.push_back(
          fmt::format("{} of {} passages became tags: the model's phrases for them repeat words that must be hidden",
                      repeated_, passages_));
    }
    if (lost_ + without_phrase_ == 0) return notes;
    notes.push_back(
        fmt::format("{} of {} passages stay as they are (records: {}): the model did not copy {} of them from the "
                    "text, and gave no usable phrase for {}",
                    lost_ + without_phrase_, passages_, records_, lost_, without_phrase_));
    return notes;
  }

 private:
  // The text with what could be replaced, which is counted.
  SanitizeOutput replaced(std::string_view text, Work work) const {
    if (work.without_phrase > 0 && work.without_phrase == work.spans.size()) return {{}, std::move(work.error), {}};
    passages_ += work.spans.size() + work.lost;
    lost_ += work.lost;
    without_phrase_ += work.without_phrase;
    repeated_ += work.repeated;
    records_ += work.lost + work.without_phrase > 0 ? 1 : 0;
    std::vector<MaskedSpan> spans;
    for (std::size_t s = 0; s < work.spans.size(); ++s) {
      if (!work.stays[s]) spans.push_back(std::move(work.spans[s]));
    }
    return mask(text, std::move(spans), Masking::kTag);
  }

  SanitizerTask& find_;
  SanitizerTask& abstract_;
  // Texts that had not failed have so many passages, of which these stay as they are, in so many records.
  mutable std::uint64_t passages_ = 0, lost_ = 0, without_phrase_ = 0, repeated_ = 0, records_ = 0;
};

}  // namespace

FoundPassages passages_of(const std::string& answer) {
  FoundPassages found;
  const Json all = Json::parse(answer).value();
  for (const Json& one : all) {
    if (one.contains("not_found")) {
      ++found.lost;
    } else {
      found.passages.push_back({one.at("text").get<std::string>(), one.at("type").get<std::string>()});
    }
  }
  return found;
}

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
