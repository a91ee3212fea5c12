#include "ingest/rewrite/rewriting.h"

#include <string>
#include <utility>
#include <vector>

#include "ingest/method/asking_sanitizer.h"

namespace residue::ingest {
namespace {

using model::TaskKind;

constexpr SanitizerParam kAnonymizeParams[] = {
    {"rounds", "1", "how many rounds; from 2 on, each round is a run: NAME@1, NAME@2 ...", whole_from(1, kMostRounds)}};

// The text of an answer to either kind of task.
std::string text_in(TaskKind kind, const std::string& answer) {
  return kind == TaskKind::kRewrite ? answer : Json::parse(answer).value().at("text").get<std::string>();
}

struct Step {
  std::string_view name;
  TaskKind kind;
};

// One task after the other, each about what the one before made.
class Rewriting final : public AskingSanitizer {
 public:
  Rewriting(const SanitizerSetting& setting, std::string_view method, const std::vector<Step>& steps, Json params,
            std::uint32_t rounds)
      : AskingSanitizer(method, 1, std::move(params)), rounds_(rounds) {
    for (const Step& step : steps) {
      add(std::make_unique<SanitizerTask>(setting, std::string(step.name), step.kind, setting.asking.model));
    }
  }

  [[nodiscard]] std::uint32_t rounds() const override { return rounds_ > 1 ? rounds_ : 0; }

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    std::vector<std::string> texts;
    for (const SanitizeInput& input : inputs) texts.emplace_back(input.text);
    std::vector<std::size_t> open = open_texts(inputs, outputs).places;
    for (const auto& task : tasks()) {
      std::vector<SanitizerTask::Texts> questions;
      for (const std::size_t i : open) questions.push_back({texts[i]});
      const auto answers = task->ask(questions);
      std::vector<std::size_t> answered;
      std::vector<std::string> next = texts;
      for (std::size_t q = 0; q < open.size(); ++q) {
        if (answers[q].problem.empty()) {
          next[open[q]] = text_in(task->asker().setting().kind, answers[q].answer);
          answered.push_back(open[q]);
        } else {
          outputs[open[q]].error = task->error(answers[q]);
        }
      }
      texts = std::move(next);
      open = std::move(answered);
    }
    for (const std::size_t i : open) outputs[i].text = std::move(texts[i]);
  }

 private:
  const std::uint32_t rounds_;
};

}  // namespace

std::span<const SanitizerParam> anonymize_params() { return kAnonymizeParams; }

std::unique_ptr<Sanitizer> make_paraphrase(const SanitizerSetting& setting) {
  return std::make_unique<Rewriting>(setting, "paraphrase", std::vector<Step>{{kParaphraseAsks[0], TaskKind::kRewrite}},
                                     Json::object(), 1);
}

// What a round does is the same however many there are: the params have the round's number instead (sanitize.cc).
std::unique_ptr<Sanitizer> make_anonymize(const SanitizerSetting& setting) {
  const std::uint32_t rounds = whole_param(setting, "rounds");
  return std::make_unique<Rewriting>(
      setting, "anonymize", std::vector<Step>{{kAnonymizeAsks[0], TaskKind::kAnonymizeAlone}}, Json::object(), rounds);
}

std::unique_ptr<Sanitizer> make_sanitize_paraphrase(const SanitizerSetting& setting) {
  return std::make_unique<Rewriting>(setting, "sanitize-paraphrase",
                                     std::vector<Step>{{kSanitizeParaphraseAsks[0], TaskKind::kAnonymizeAlone},
                                                       {kSanitizeParaphraseAsks[1], TaskKind::kRewrite}},
                                     Json::object(), 1);
}

}  // namespace residue::ingest
