#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"
#include "model/tasks/task.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"model",   "task",      "record",   "run",      "answer",
                                       "guesses", "annotator", "response", "restored", "key"};
constexpr std::string_view kTasks[] = {"choice", "coherence", "category", "utility", "qa", "response", "attributes"};
constexpr std::string_view kResponse = "response";

// In the form of task_answer (model/task.h); Refusal for words that say nothing of it.
std::string canonical_answer(const std::string& task, const Value& value) {
  if (task == "choice") return string_of(value, "answer");
  if (task == "qa") {
    const std::vector<std::string> answers = strings_of(value, "answer");
    if (answers.empty()) throw Refusal{"field \"answer\" has no answers", "null says that the model gave none"};
    return json_array(answers);
  }
  model::TaskSetting setting;
  setting.kind = task == "coherence"  ? model::TaskKind::kCoherenceChat
                 : task == "category" ? model::TaskKind::kCategory
                                      : model::TaskKind::kUtility;
  const std::string words = value.is(Value::Kind::kString) ? std::string(value.text) : canonical(value);
  model::TaskAnswer answer = model::parse_task(setting, model::AnswerForm::kText, {}, words);
  if (answer.problem.empty()) return std::move(answer.answer);
  throw Refusal{
      "the answer cannot be used: " + answer.problem,
      task == "category"
          ? "residue help ingest answers has the list, as docs/categories.md; null says that the model gave none of it"
          : "null says that the model gave none that can be used"};
}

// An attribute's name, where it is one: anything else may be a text of the user's.
std::string named(const std::string& attribute) {
  const bool plain = attribute.size() <= 40 && !attribute.empty() &&
                     attribute.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  return plain ? fmt::format("of \"{}\" ", attribute) : "";
}

[[noreturn]] void refuse_guesses(const std::string& attribute, const std::string& what) {
  throw Refusal{fmt::format("the guesses {}cannot be used: {}", named(attribute), what),
                "\"guesses\": {\"age\": {\"guess\": [\"45\", \"46\", \"40\"], \"certainty\": 4}}; \"same\": [\"no\", "
                "\"yes\"] says "
                "what a judge decided about each (yes, no, less precise)"};
}

// {"age":{"guess":[...],"certainty":1-5,"same":[...]}} in canonical JSON.
std::string canonical_guesses(const Value& guesses) {
  const auto json = Json::parse(canonical(guesses)).value_or(Json());
  if (!json.is_object()) refuse_guesses("", "an object of attributes is expected");
  for (const auto& [attribute, said] : json.items()) {
    if (!said.is_object()) refuse_guesses(attribute, "an object with \"guess\" is expected");
    // What residue ask --task same_entity writes.
    if (said.contains("judged")) refuse_guesses(attribute, "\"judged\" is not read from files, \"same\" is");
    const auto guess = said.value("guess", Json());
    const bool list = guess.is_array() && std::ranges::all_of(guess, [](const auto& one) { return one.is_string(); });
    if (!list && !guess.is_string() && !guess.is_null())
      refuse_guesses(attribute, "\"guess\" is a list of strings, one string or null");
    const std::size_t count = list ? guess.size() : guess.is_string() ? 1 : 0;
    if (const Json* same = said.find("same"); same != nullptr) {
      const auto decided = [](const Json& one) {
        return one.is_null() || one == "yes" || one == "no" || one == "less precise" || one == 0 || one == 1 ||
               one == 0.5;
      };
      if (!same->is_array() || !std::ranges::all_of(*same, decided))
        refuse_guesses(attribute, "\"same\" is a list of \"yes\", \"no\", \"less precise\" (or 1, 0, 0.5) or null");
      if (same->size() > count) refuse_guesses(attribute, "\"same\" is longer than \"guess\"");
    }
    const auto certainty = said.value("certainty", Json());
    if (certainty.is_null()) continue;
    if (!certainty.is_integer() || certainty.integer() < 1 || certainty.integer() > 5)
      refuse_guesses(attribute, "\"certainty\" is a whole number from 1 to 5");
  }
  return json.sorted().dump();
}

class AnswerRows final : public ReaderSource<AnswerRow> {
 public:
  AnswerRows(const AnswerSourceOptions& options, const Preset* preset, std::unique_ptr<RowReader> reader)
      : ReaderSource(std::move(reader)),
        preset_(preset),
        otherwise_{options.model, options.task, options.run},
        model_("model", options),
        task_("task", options),
        record_("record", options),
        key_("key", options),
        run_("run", options),
        answer_("answer", options),
        guesses_("guesses", options),
        annotator_("annotator", options),
        response_("response", options),
        restored_("restored", options),
        labels_(options.labels) {}

 private:
  bool take(const InputRow& input, AnswerRow& row) override {
    if (preset_ != nullptr) {
      row = preset_answer(preset_->name, input);
      return true;
    }
    row = AnswerRow{};
    row.line = input.line;
    const auto need = [&](Field& field) -> const Value& {
      const Value* value = field.find(input);
      if (absent(value, input.typed)) {
        throw Refusal{"field \"" + field.name() + "\" is missing",
                      "a line is {\"model\", \"task\", \"record\", \"run\", \"answer\"}; name other fields with --map"};
      }
      return *value;
    };
    const auto given = [&](Field& field, std::string_view otherwise) {
      const Value* value = field.find(input);
      return absent(value, input.typed) ? std::string(otherwise) : string_of(*value, field.name());
    };
    // A label says who gave it, if anything, and without a run it is about the original.
    const auto named = [&](Field& field, const std::optional<std::string>& otherwise) {
      return otherwise ? given(field, *otherwise) : string_of(need(field), field.name());
    };
    row.model = labels_ ? given(model_, given(annotator_, kResponse)) : named(model_, otherwise_.model);
    row.task = labels_ ? given(task_, kResponse) : named(task_, otherwise_.task);
    if (labels_ ? row.task != kResponse : std::ranges::find(kTasks, row.task) == std::end(kTasks)) {
      throw Refusal{"the task is unknown",
                    labels_ ? "labels of the kind response have the task response, or none"
                            : "\"task\" is choice, coherence, category, utility, qa, response or attributes"};
    }
    // A text of a synthetic run belongs to no record: rows about it may say "key", as the run's own rows do.
    const Value* key = key_.find(input);
    const bool keyed = absent(record_.find(input), input.typed) && !absent(key, input.typed);
    row.record = keyed ? id_of(*key, "key") : id_of(need(record_), "record");
    row.run = labels_ ? given(run_, "none") : named(run_, otherwise_.run);
    if (row.task == kResponse) return take_response(input, row);
    if (row.task == "attributes") {
      const Value* guesses = guesses_.find(input);
      if (guesses == nullptr) {
        throw Refusal{"field \"guesses\" is missing", "null says that the model was asked and gave no answer"};
      }
      if (!absent(guesses, input.typed)) row.answer = canonical_guesses(*guesses);
      return true;
    }
    const Value* answer = answer_.find(input);
    if (answer == nullptr) {
      throw Refusal{"field \"answer\" is missing", "null says that the model was asked and gave no answer"};
    }
    if (!absent(answer, input.typed)) row.answer = canonical_answer(row.task, *answer);
    return true;
  }

  // {"response":...,"restored":...}: as it came, and with the originals in the place of their replacements.
  bool take_response(const InputRow& input, AnswerRow& row) {
    const Value* raw = response_.find(input);
    if (raw == nullptr) raw = answer_.find(input);
    const Value* restored = restored_.find(input);
    if (raw == nullptr && restored == nullptr) {
      throw Refusal{"field \"response\" is missing", "null says that the model was asked and gave no answer"};
    }
    Json answer;
    for (const auto& [name, value] : {std::pair("response", raw), std::pair("restored", restored)}) {
      if (absent(value, input.typed)) continue;
      std::string text = string_of(*value, name);
      if (text.empty()) throw Refusal{"the response is empty", "null says that the model gave none"};
      answer[name] = std::move(text);
    }
    if (!answer.is_null()) row.answer = answer.sorted().dump();
    return true;
  }

  const Preset* preset_;
  const struct { std::optional<std::string> model, task, run; } otherwise_;  // of rows that name none
  Field model_, task_, record_, key_, run_, answer_, guesses_, annotator_, response_, restored_;
  const bool labels_;
};

}  // namespace

std::unique_ptr<RowSource<AnswerRow>> open_answers(const AnswerSourceOptions& options) {
  const Preset* preset = find_preset(options, PresetVerb::kAnswers);
  check_map(options, kKnown);
  return std::make_unique<AnswerRows>(options, preset, open_rows(options.path));
}

std::unique_ptr<RowSource<AnswerRow>> open_answers(const AnswerSourceOptions& options,
                                                   std::unique_ptr<RowReader> reader) {
  return std::make_unique<AnswerRows>(options, nullptr, std::move(reader));
}

}  // namespace residue::ingest
