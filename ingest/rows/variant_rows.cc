#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"
#include "ingest/rows/span_rows.h"
#include "ingest/rows/substitutions.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "text", "error", "substitutions"};
class VariantRows final : public ReaderSource<VariantRow> {
 public:
  VariantRows(const VariantSourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)),
        preset_(preset),
        synthetic_(options.synthetic),
        numbered_(options.numbered()),
        id_("id", options, numbered_ ? std::nullopt : options.id),
        text_("text", options, options.text),
        error_("error", options),
        substitutions_("substitutions", options) {}

 private:
  bool take(const InputRow& input, VariantRow& row) override {
    if (preset_ != nullptr) {
      row = preset_variant(preset_->name, input);
      return true;
    }
    row = VariantRow{};
    row.line = input.line;
    if (numbered_) {
      row.key = std::to_string(input.number);
    } else {
      const Value* id = id_.find(input, kIdAliases);
      if (!absent(id, input.typed)) {
        row.key = id_of(*id, id_.path());
      } else if (!synthetic_) {
        if (id != nullptr) row.key = id_of(*id, id_.path());
        throw id_.missing(kIdRemedy);
      }
    }
    row.error = error_of(error_.find(input), input.typed);
    if (row.error) return true;  // its text, if any, must not decide which field holds the texts
    const Value* text = sanitized(input);
    if (text == nullptr) throw text_.missing("--text");
    if (!text->is(Value::Kind::kNull)) row.text = text_of(*text, text_.path());
    const Value* table = substitutions_.find(input);
    if (!absent(table, input.typed)) row.substitutions = canonical_substitutions(*table);
    row.no_substitutions = table != nullptr && !row.substitutions;
    return true;
  }

  // The field that the first row with a text decides on. Once it is one that may as well hold originals, a row that
  // has a sanitized one too shows that the choice was wrong.
  const Value* sanitized(const InputRow& input) {
    if (text_.path().empty()) {
      if (const Value* text = text_.find(input, kSanitizedAliases, true)) return text;
      const Value* text = text_.find(input, kTextAliases, true);
      unsure_ = text != nullptr;
      return text;
    }
    for (const std::string_view alias : kSanitizedAliases) {
      if (!unsure_ || input.object.member(alias) == nullptr) continue;
      throw Error(
          Code::kUsage,
          fmt::format("{}: \"{}\" where the rows before had only \"{}\"", text_.place(input), alias, text_.path()),
          fmt::format("choose with --text {} or --text {}", alias, text_.path()));
    }
    return text_.find(input, kSanitizedAliases);
  }

  const Preset* preset_;
  bool synthetic_;
  const bool numbered_;
  bool unsure_ = false;
  Field id_, text_, error_, substitutions_;
};

}  // namespace

std::unique_ptr<RowSource<VariantRow>> open_variants(const VariantSourceOptions& options) {
  if (options.spans) return open_span_rows(options);
  const Preset* preset = find_preset(options, PresetVerb::kRun);
  check_map(options, kKnown);
  return std::make_unique<VariantRows>(options, preset);
}

}  // namespace residue::ingest
