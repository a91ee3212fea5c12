#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/near_fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"
#include "ingest/rows/span_rows.h"
#include "ingest/rows/substitutions.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "text", "error", "substitutions"};
constexpr std::string_view kOptional[] = {"error", "substitutions"};
constexpr std::string_view kOriginal = "original";
constexpr std::size_t kLeastWords = 3;
constexpr std::size_t kLeastSanitized = 2;  // words of a field that is called as a sanitized text is
constexpr std::size_t kLongestName = 32;    // of a field that a message may name

bool is_words(const Value& value, std::size_t least) {
  return value.is(Value::Kind::kString) &&
         static_cast<std::size_t>(std::count(value.text.begin(), value.text.end(), ' ')) + 1 >= least;
}

// "redacted_note", "deidentifiedText": what a sanitizer's output is called.
bool sounds_sanitized(std::string_view name) {
  if (name.size() > kLongestName) return false;
  std::string lower;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != ' ') lower.push_back(is_upper(c) ? static_cast<char>(c + 32) : c);
  }
  static constexpr std::string_view kParts[] = {"sanitized", "sanitised",     "anonymized",   "anonymised",
                                                "anonymous", "redacted",      "deidentified", "pseudonymized",
                                                "masked",    "pseudonymised", "rewritten",    "scrubbed"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

class VariantRows final : public ReaderSource<VariantRow> {
 public:
  VariantRows(const VariantSourceOptions& options, const Preset* preset, std::unique_ptr<RowReader> reader)
      : ReaderSource(std::move(reader)),
        preset_(preset),
        synthetic_(options.synthetic),
        originals_(options.originals),
        numbered_(options.numbered()),
        text_named_(options.text || options.map.contains("text")),
        id_("id", options, numbered_ ? std::nullopt : options.id),
        text_("text", options, options.text),
        error_("error", options),
        substitutions_("substitutions", options) {}

 private:
  [[nodiscard]] std::vector<std::string> of_fields() const override {
    PassedOver all = passed_over_;
    for (const Field* field : {&id_, &text_, &error_, &substitutions_}) all.take(field->path());
    if (originals_) all.take(kOriginal);
    std::vector<std::string> notes = all.notes();
    if (!beside_.empty()) {
      notes.push_back(fmt::format("texts are read from the field \"{}\", not from \"{}\": --text names another",
                                  text_.path(), beside_));
    }
    return notes;
  }

  // A row with other fields than the one before: one of them may be called as a sanitized text is, or hold words.
  void look_beside(const InputRow& input) {
    for (const Value& item : input.object.items) {
      if (item.key == text_.path() || item.key == id_.path()) continue;
      if (is_words(item, kLeastSanitized) && sounds_sanitized(item.key)) {
        throw Error(
            Code::kUsage,
            fmt::format("{}: both \"{}\" and \"{}\" could be the text", text_.place(input), text_.path(), item.key),
            fmt::format("choose with --text {} or --text {}", text_.path(), item.key));
      }
      if (beside_.empty() && is_words(item, kLeastWords) && item.key != "error" && item.key.size() <= kLongestName)
        beside_ = std::string(item.key);
    }
  }

  bool take(const InputRow& input, VariantRow& row) override {
    if (preset_ != nullptr) {
      row = preset_variant(preset_->name, input);
      return true;
    }
    row = VariantRow{};
    row.line = input.line;
    const bool other_fields = passed_over_.see(input);
    if (numbered_) {
      row.key = std::to_string(input.number);
    } else {
      const Value* id = id_.find(input, kIdAliases);
      if (!absent(id, input.typed)) {
        row.key = id_of(*id, id_.path());
      } else if (!synthetic_) {
        if (id != nullptr) row.key = id_of(*id, id_.path());
        throw id_.missing(kIdRemedy, input);
      }
    }
    const Value* original = originals_ ? input.object.member(kOriginal) : nullptr;
    if (!absent(original, input.typed)) row.original = text_of(*original, kOriginal);
    row.error = error_of(error_.find(input), input.typed);
    if (row.error) return true;  // its text, if any, must not decide which field holds the texts
    const Value* text = sanitized(input);
    if (text == nullptr) throw text_.missing("--text", input);
    if (other_fields && !text_named_) look_beside(input);
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
      const Value* text = text_.find(input, kSanitizedAliases, true);
      unsure_ = text == nullptr;
      if (text == nullptr) text = text_.find(input, kTextAliases, true);
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
  const bool originals_;
  const bool numbered_;
  const bool text_named_;
  bool unsure_ = false;
  std::string beside_;  // another field of the row that decided, with words in it
  Field id_, text_, error_, substitutions_;
  PassedOver passed_over_{kOptional, "not used"};
};

}  // namespace

std::unique_ptr<RowSource<VariantRow>> open_variants(const VariantSourceOptions& options) {
  if (options.spans) return open_span_rows(options);
  const Preset* preset = find_preset(options, PresetVerb::kRun);
  check_map(options, kKnown);
  if (preset != nullptr && preset->neighbour) {
    throw Error(Code::kUsage, fmt::format("preset {} is for ingest run", preset->name), "bring the file in as a run");
  }
  return std::make_unique<VariantRows>(options, preset, open_rows(options.path));
}

std::unique_ptr<RowSource<VariantRow>> open_variants(const VariantSourceOptions& options,
                                                     std::unique_ptr<RowReader> reader) {
  if (options.spans) return open_span_rows(options, std::move(reader));
  return std::make_unique<VariantRows>(options, nullptr, std::move(reader));
}

}  // namespace residue::ingest
