#include "ingest/rewrite/p_filter_model.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "ingest/mask/p_filter.h"
#include "ingest/method/asking_sanitizer.h"
#include "ingest/method/span_masking.h"
#include "model/values/token_probabilities.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{SanitizerParam{"p", "1e-5", "words less probable than this are taken out", kProbability},
                             SanitizerParam{"replacement", "tag", "tag: [REDACTED]; stars: ****; token: [REDACTED_1]"}};

// A record on its way through the model, utterance by utterance.
struct Reading {
  std::string_view text;
  std::vector<std::string_view> lines;
  std::size_t line = 0;  // the next one
  std::string left;      // of the last utterance with words
  std::vector<MaskedSpan> gone;
  std::string error;
  std::vector<text::Span> words = {};  // of the next line

  // Goes to the next utterance that has words; false behind the last.
  bool seek() {
    for (; error.empty() && line < lines.size(); ++line) {
      text::words(lines[line], words);
      if (!words.empty()) return true;
    }
    return false;
  }
  // Begins with a line end, so that every word has something before it.
  [[nodiscard]] std::string prompt() const { return left + "\n" + std::string(lines[line]); }
};

class PFilterModel final : public AskingSanitizer {
 public:
  PFilterModel(const SanitizerSetting& setting, double p, Masking redaction)
      : AskingSanitizer("p-filter-model", 1, {{"p", p}, {"replacement", name_of(redaction)}}),
        store_(*setting.store),
        p_(p),
        redaction_(redaction),
        asker_(store_, model::find_endpoint(store_.db(), setting.asking.model), setting.dataset_name,
               *setting.asking.session) {}

  [[nodiscard]] std::string spec() const override {
    Json spec = Json::parse(AskingSanitizer::spec()).value();
    spec["asked"]["probabilities"] = {{"label", asker_.endpoint().asking.model},
                                      {"model", asker_.endpoint().name},
                                      {"parser", 1},
                                      {"spec", to_hex(asker_.digest().bytes().substr(0, kShownDigestBytes))}};
    return spec.sorted().dump();
  }

  // One utterance of every record at a time.
  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    std::vector<Reading> records;
    for (const SanitizeInput& input : inputs) records.push_back({input.text, utterances(input.text), 0, {}, {}, {}});
    for (;;) {
      std::vector<Reading*> asking;
      std::vector<std::string> prompts;
      std::vector<std::string_view> texts;
      for (Reading& record : records) {
        if (!record.seek()) continue;
        asking.push_back(&record);
        prompts.push_back(record.prompt());
        texts.push_back(record.text);
      }
      if (asking.empty()) break;
      const std::vector<model::PromptTokens> answers = probabilities(prompts, texts);
      for (std::size_t i = 0; i < asking.size(); ++i) read(*asking[i], answers[i]);
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].error.empty()) {
        outputs[i] = mask(records[i].text, std::move(records[i].gone), redaction_);
      } else {
        outputs[i].error = records[i].error;
      }
    }
  }

  void keep(storage::Db& db, RunId run) override {
    model::keep_spec(db, asker_.spec());
    keep_votes(db, run, std::exchange(votes_, {}));
  }
  void plan_only() override { planning_ = true; }
  [[nodiscard]] std::vector<Planned> planned() const override { return {{&asker_.endpoint(), &plan_}}; }
  [[nodiscard]] bool asks_by_answers() const override { return true; }

 private:
  [[nodiscard]] std::vector<model::PromptTokens> probabilities(const std::vector<std::string>& prompts,
                                                               std::span<const std::string_view> texts) const {
    for (const std::string& prompt : prompts) votes_.insert(asker_.vote(prompt));
    if (!planning_) return asker_.ask(prompts, texts);
    std::vector<model::PromptTokens> answers;
    const auto reader = store_.facts().read();
    for (const std::string& prompt : prompts) {
      auto known = asker_.known(*reader, prompt);
      plan_.add(known.has_value(), asker_.vote(prompt), asker_.body(prompt).size());
      answers.push_back(known ? std::move(*known) : model::PromptTokens{{}, std::string(SanitizerTask::kNotAsked)});
    }
    return answers;
  }

  void read(Reading& record, const model::PromptTokens& answer) const {
    const std::string_view line = record.lines[record.line];
    const std::size_t before = record.left.size() + 1;
    std::vector<MaskedSpan> gone;
    std::string problem = answer.problem;
    for (const text::Span& word : record.words) {
      if (!problem.empty()) break;
      const auto probability = model::probability_of(answer.tokens, before + word.begin, before + word.end);
      if (!probability) problem = "a word without a probability";
      if (probability && *probability < p_) gone.push_back({word.begin, word.end, "redacted", std::nullopt});
    }
    if (!problem.empty()) {
      record.error =
          problem == SanitizerTask::kNotAsked
              ? problem
              : fmt::format("probabilities: model {} gave no usable answer: {}", asker_.endpoint().name, problem);
      return;
    }
    const auto begin = static_cast<std::size_t>(line.data() - record.text.data());
    for (const MaskedSpan& span : gone) {
      record.gone.push_back({begin + span.begin, begin + span.end, span.type, std::nullopt});
    }
    record.left = mask(line, std::move(gone), Masking::kTag).text.value_or("");
    ++record.line;
  }

  storage::Store& store_;
  const double p_;
  const Masking redaction_;
  mutable model::ProbabilityAsker asker_;
  mutable std::set<VoteKey> votes_;
  bool planning_ = false;
  mutable AskPlan plan_;
};

}  // namespace

std::span<const SanitizerParam> p_filter_model_params() { return kParams; }

std::unique_ptr<Sanitizer> make_p_filter_model(const SanitizerSetting& setting) {
  const double p = number_param(setting, "p");
  const Masking redaction = masking_named(setting.params.at("replacement"), "p-filter-model");
  if (setting.store == nullptr || setting.asking.session == nullptr) {
    throw Error(Code::kUsage, "there is no store whose models could be asked", "run it on a dataset");
  }
  if (!setting.asking.templates.empty()) {
    throw Error(Code::kUsage, "p-filter-model sends the text alone: it has no instructions", "leave out --template");
  }
  return std::make_unique<PFilterModel>(setting, p, redaction);
}

}  // namespace residue::ingest
