#include <algorithm>

#include "ingest/fields.h"
#include "ingest/presets.h"
#include "ingest/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "text", "error"};
constexpr std::size_t kErrorBytes = 200;

std::string cut(std::string text) {
  if (text.size() <= kErrorBytes) return text;
  std::size_t end = kErrorBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text;
}

class VariantRows final : public ReaderSource<VariantRow> {
 public:
  VariantRows(const SourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)),
        preset_(preset),
        synthetic_(options.synthetic),
        id_("id", options, options.id),
        text_("text", options, options.text),
        error_("error", options) {}

 private:
  bool take(const InputRow& input, VariantRow& row) override {
    if (preset_ != nullptr) {
      row = preset_variant(preset_->name, input);
      return true;
    }
    row = VariantRow{};
    row.line = input.line;
    const Value* id = id_.find(input, kIdAliases);
    if (!absent(id, input.typed)) {
      row.key = id_of(*id, id_.path());
    } else if (!synthetic_) {
      if (id != nullptr) row.key = id_of(*id, id_.path());
      throw id_.missing("--id");
    }
    const Value* error = error_.find(input);
    if (!absent(error, input.typed)) {
      if (!error->is(Value::Kind::kString))
        throw Refusal{"field \"error\" is neither a string nor null", "write the sanitizer's message as a string"};
      if (!error->text.empty()) row.error = cut(std::string(error->text));
    }
    const Value* text = text_.find(input, kSanitizedAliases, true);
    if (text == nullptr) text = text_.find(input, kTextAliases, true);
    if (row.error) return true;
    if (text == nullptr) throw text_.missing("--text");
    if (!text->is(Value::Kind::kNull)) row.text = text_of(*text, text_.path());
    return true;
  }

  const Preset* preset_;
  bool synthetic_;
  Field id_, text_, error_;
};

}  // namespace

std::unique_ptr<RowSource<VariantRow>> open_variants(const SourceOptions& options) {
  const Preset* preset = find_preset(options.preset, PresetVerb::kRun);
  check_map(options, kKnown);
  return std::make_unique<VariantRows>(options, preset);
}

}  // namespace residue::ingest
