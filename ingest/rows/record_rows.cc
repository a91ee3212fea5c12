#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/near_fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "text", "person", "label", "task"};

constexpr std::string_view kOptional[] = {"person", "label", "task"};

class RecordRows final : public ReaderSource<RecordRow> {
 public:
  RecordRows(const RecordSourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)),
        preset_(preset),
        numbered_(options.numbered()),
        text_named_(options.text || options.map.contains("text")),
        id_("id", options, numbered_ ? std::nullopt : options.id),
        text_("text", options, options.text),
        person_("person", options),
        label_("label", options),
        task_("task", options) {
    for (const std::string& name : options.clear) {
      const auto* const field = std::find(kRecordFields.begin(), kRecordFields.end(), name);
      if (field == kRecordFields.end()) {
        throw Error(Code::kUsage, fmt::format("--clear {}: this is not a field that can be emptied", name),
                    fmt::format("fields: {}", fmt::join(kRecordFields, ", ")));
      }
      cleared_[static_cast<std::size_t>(field - kRecordFields.begin())] = true;
    }
  }

 private:
  [[nodiscard]] std::vector<std::string> of_fields() const override {
    PassedOver all = passed_over_;
    for (const Field* field : {&id_, &text_, &person_, &label_, &task_}) all.take(field->path());
    return all.notes();
  }

  bool take(const InputRow& input, RecordRow& row) override {
    if (preset_ != nullptr) {
      row = preset_record(preset_->name, input);
      row.empties = cleared_;
      return true;
    }
    row = RecordRow{};
    row.line = input.line;
    row.empties = cleared_;
    passed_over_.see(input);
    std::vector<std::string_view> used;
    if (numbered_) {
      row.key = std::to_string(input.number);
    } else {
      const Value* id = id_.find(input, kIdAliases);
      if (id == nullptr) throw id_.missing(kIdRemedy, input);
      row.key = id_of(*id, id_.path());
      used.push_back(id_.path());
    }
    // A file may add fields to records that are there; that a new one needs a text, the store knows.
    const Value* text = text_.find(input, kTextAliases, true);
    const bool misspelt = text == nullptr && std::ranges::any_of(input.object.items, [](const Value& item) {
                            return same_letters(item.key, "text");
                          });
    if (text == nullptr && (text_named_ || misspelt || (numbered_ && header_is_a_row(input)))) {
      throw text_.missing("--text", input);
    }
    if (text != nullptr) row.text = text_of(*text, text_.path());
    used.push_back(text_.path());
    const auto optional = [&](Field& field, RecordField which) -> const Value* {
      const Value* value = field.find(input);
      used.push_back(field.path().empty() ? field.name() : field.path());
      if (!absent(value, input.typed)) return value;
      if (value != nullptr) row.empties[static_cast<std::size_t>(which)] = true;
      return nullptr;
    };
    if (const Value* person = optional(person_, RecordField::kPerson)) {
      const std::string name = string_of(*person, "person");
      const std::string_view bare = text::slice(name, text::trim(name, {0, name.size()}));  // "p1 " is "p1"
      if (!bare.empty()) row.person = std::string(bare);
      row.empties[static_cast<std::size_t>(RecordField::kPerson)] |= bare.empty();
    }
    if (const Value* label = optional(label_, RecordField::kLabel)) row.label = string_of(*label, "label");
    if (const Value* task = optional(task_, RecordField::kTask)) {
      if (!task->is(Value::Kind::kObject))
        throw Refusal{"field \"task\" is no object", "write {\"question\": ..., \"options\": ..., \"answer\": ...}"};
      row.task = canonical(*task);
    }
    row.meta = rest_of(input, used);
    return true;
  }

  const Preset* preset_;
  const bool numbered_;
  const bool text_named_;
  std::array<bool, kRecordFields.size()> cleared_ = {};
  Field id_, text_, person_, label_, task_;
  PassedOver passed_over_{kOptional, "kept as metadata"};
};

}  // namespace

std::unique_ptr<RowSource<RecordRow>> open_records(const RecordSourceOptions& options) {
  const Preset* preset = find_preset(options, PresetVerb::kDataset);
  check_map(options, kKnown);
  return std::make_unique<RecordRows>(options, preset);
}

}  // namespace residue::ingest
