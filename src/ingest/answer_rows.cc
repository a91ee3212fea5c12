#include "ingest/fields.h"
#include "ingest/presets.h"
#include "ingest/source_base.h"
#include "model/task.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"model", "task", "record", "run", "answer"};

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
  throw Refusal{"the answer cannot be used: " + answer.problem, "null says that the model gave none that can be used"};
}

class AnswerRows final : public ReaderSource<AnswerRow> {
 public:
  AnswerRows(const SourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)),
        preset_(preset),
        model_("model", options),
        task_("task", options),
        record_("record", options, options.record),
        run_("run", options),
        answer_("answer", options) {}

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
    row.model = string_of(need(model_), "model");
    if (const std::string task = string_of(need(task_), "task"); task == "attributes") {
      throw Refusal{"guesses of attributes are not read yet", "leave these rows out: --on-error skip"};
    } else if (task != "choice" && task != "coherence" && task != "category" && task != "utility" && task != "qa") {
      throw Refusal{"the task is unknown", "\"task\" is choice, coherence, category, utility or qa"};
    } else {
      row.task = task;
    }
    row.record = id_of(need(record_), "record");
    row.run = string_of(need(run_), "run");
    const Value* answer = answer_.find(input);
    if (answer == nullptr) {
      throw Refusal{"field \"answer\" is missing", "null says that the model was asked and gave no answer"};
    }
    if (!absent(answer, input.typed)) row.answer = canonical_answer(row.task, *answer);
    return true;
  }

  const Preset* preset_;
  Field model_, task_, record_, run_, answer_;
};

}  // namespace

std::unique_ptr<RowSource<AnswerRow>> open_answers(const SourceOptions& options) {
  const Preset* preset = find_preset(options, PresetVerb::kAnswers);
  check_map(options, kKnown);
  return std::make_unique<AnswerRows>(options, preset);
}

}  // namespace residue::ingest
