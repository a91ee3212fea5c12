#include <memory>
#include <string_view>
#include <vector>

#include "ingest/rows/fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "text", "person", "label", "task"};

class RecordRows final : public ReaderSource<RecordRow> {
 public:
  RecordRows(const RecordSourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)),
        preset_(preset),
        id_("id", options, options.id),
        text_("text", options, options.text),
        person_("person", options),
        label_("label", options),
        task_("task", options) {}

 private:
  bool take(const InputRow& input, RecordRow& row) override {
    if (preset_ != nullptr) {
      row = preset_record(preset_->name, input);
      return true;
    }
    row = RecordRow{};
    row.line = input.line;
    const Value* id = id_.find(input, kIdAliases);
    if (id == nullptr) throw id_.missing("--id");
    row.key = id_of(*id, id_.path());
    const Value* text = text_.find(input, kTextAliases, true);
    if (text == nullptr) throw text_.missing("--text");
    row.text = text_of(*text, text_.path());
    std::vector<std::string_view> used = {id_.path(), text_.path()};
    const auto optional = [&](Field& field) -> const Value* {
      const Value* value = field.find(input);
      used.push_back(field.path().empty() ? field.name() : field.path());
      return absent(value, input.typed) ? nullptr : value;
    };
    if (const Value* person = optional(person_)) row.person = string_of(*person, "person");
    if (const Value* label = optional(label_)) row.label = string_of(*label, "label");
    if (const Value* task = optional(task_)) {
      if (!task->is(Value::Kind::kObject))
        throw Refusal{"field \"task\" is no object", "write {\"question\": ..., \"options\": ..., \"answer\": ...}"};
      row.task = canonical(*task);
    }
    row.meta = rest_of(input, used);
    return true;
  }

  const Preset* preset_;
  Field id_, text_, person_, label_, task_;
};

}  // namespace

std::unique_ptr<RowSource<RecordRow>> open_records(const RecordSourceOptions& options) {
  const Preset* preset = find_preset(options, PresetVerb::kDataset);
  check_map(options, kKnown);
  return std::make_unique<RecordRows>(options, preset);
}

}  // namespace residue::ingest
