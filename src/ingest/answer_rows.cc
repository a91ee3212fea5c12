#include "ingest/fields.h"
#include "ingest/presets.h"
#include "ingest/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"model", "task", "record", "run", "answer"};

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
    } else if (task != "choice") {
      throw Refusal{"the task is unknown", "\"task\" is \"choice\""};
    }
    row.record = id_of(need(record_), "record");
    row.run = string_of(need(run_), "run");
    const Value* answer = answer_.find(input);
    if (answer == nullptr) {
      throw Refusal{"field \"answer\" is missing", "null says that the model was asked and gave no answer"};
    }
    if (!absent(answer, input.typed)) row.answer = string_of(*answer, "answer");
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
