#include "ingest/rows/span_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "ingest/read/json_items.h"
#include "ingest/read/json_parser.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/source_base.h"
#include "ingest/rows/text_spans.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "spans", "unit", "error"};
constexpr std::string_view kSpaces = " \t\r\n";

// Whether the first object of the input is one of spans by id: not so where its first member is a string, a number or a
// truth value, or a member that is called as ids are.
class Looking {
 public:
  bool keyed(InputBuffer& input) {
    if (input.begin() != '{') return false;
    for (std::size_t at = 0; at <= kMaxRowBytes; ++at) {
      while (at == input.view().size()) {
        if (!input.more()) return true;  // It is not closed: whoever reads it says so.
      }
      if (const auto known = look(input.view()[at])) return *known;
    }
    return true;  // No row is that long.
  }

 private:
  std::optional<bool> look(char c) {
    if (string_) {
      string_ = escape_ || c != '"';
      escape_ = !escape_ && c == '\\';
      if (string_ && depth_ == 1) name_ += c;
      return std::nullopt;
    }
    if (kSpaces.find(c) != std::string_view::npos) return std::nullopt;
    if (value_ && depth_ == 1) {
      const bool plain = c != '[' && c != '{' && c != 'n';
      if (plain && (first_ || std::ranges::find(kIdAliases, name_) != std::end(kIdAliases))) return false;
      first_ = false;
    }
    value_ = c == ':';
    string_ = c == '"';
    if (string_) name_.clear();
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && --depth_ == 0) return true;
    return std::nullopt;
  }

  bool string_ = false, escape_ = false, value_ = false, first_ = true;
  std::string name_;  // of the member at hand
  std::size_t depth_ = 0;
};

// Members {id: spans} as rows {"id", "spans"}, and {id: {...}} as rows {"id", ...}.
class KeyedRows final : public RowReader {
 public:
  explicit KeyedRows(InputBuffer input) : RowReader(std::move(input)), items_(input_, JsonItems::Of::kObject) {}

  bool next(InputRow& row) override {
    row.index = index_++;
    row.number = index_;
    std::string_view item;
    try {
      if (!items_.next(item)) return false;
    } catch (const Refusal&) {
      row.line = items_.line();
      throw;
    }
    row.line = items_.line();
    member_ = fmt::format("{{{}}}", item);
    parser_.parse(member_, parsed_, true);
    if (parsed_.items.size() != 1)
      throw Refusal{"a member of the object is not of the form {id: spans}", "write one id a member"};
    Value value = std::move(parsed_.items.front());
    row.object = Value{};
    row.object.kind = Value::Kind::kObject;
    Value& id = row.object.items.emplace_back();
    id.kind = Value::Kind::kString;
    id.text = value.key;
    id.key = "id";
    if (value.is(Value::Kind::kObject)) {
      for (Value& field : value.items) {
        if (field.key != "id") row.object.items.push_back(std::move(field));
      }
    } else {
      value.key = "spans";
      row.object.items.push_back(std::move(value));
    }
    return true;
  }

 private:
  JsonItems items_;
  JsonParser parser_;
  std::string member_;
  Value parsed_;
  std::uint64_t index_ = 0;
};

class SpanRows final : public ReaderSource<VariantRow> {
 public:
  SpanRows(const VariantSourceOptions& options, std::unique_ptr<RowReader> reader, bool keyed)
      : ReaderSource(std::move(reader)),
        keyed_(keyed),
        numbered_(options.numbered()),
        originals_(options.originals),
        default_unit_(options.unit),
        id_("id", options, numbered_ ? std::nullopt : options.id),
        spans_("spans", options),
        unit_("unit", options),
        error_("error", options) {}

  RowResult next(VariantRow& row, RowError& bad) override {
    ++entry_;
    const RowResult result = ReaderSource::next(row, bad);
    if (keyed_ && result == RowResult::kBad) bad.cause = fmt::format("entry {}: {}", entry_, bad.cause);
    return result;
  }

 private:
  bool take(const InputRow& input, VariantRow& row) override {
    row = VariantRow{};
    row.line = input.line;
    if (keyed_) row.entry = entry_;
    row.key = numbered_ ? std::to_string(input.number) : key_of(input);
    const Value* original = originals_ ? input.object.member("original") : nullptr;
    if (!absent(original, input.typed)) row.original = text_of(*original, "original");
    row.error = error_of(error_.find(input), input.typed);
    if (row.error) return true;
    row.unit = unit_of(unit_.find(input), input.typed);
    const Value* spans = spans_.find(input);
    if (spans == nullptr) {
      throw Refusal{fmt::format("field \"{}\" is missing", spans_.path().empty() ? "spans" : spans_.path()),
                    "name the field with --map spans=FIELD; [] says that nothing is replaced"};
    }
    if (absent(spans, input.typed)) return true;
    if (!input.typed && spans->is(Value::Kind::kString)) {
      cell_.parse(spans->text, in_cell_, true);
      spans = &in_cell_;
    }
    check_spans(*spans);
    row.spans = canonical(*spans);
    return true;
  }

  std::string key_of(const InputRow& input) {
    const Value* id = id_.find(input, kIdAliases);
    if (id == nullptr && id_.path().empty()) {
      throw Refusal{"field \"id\" is missing",
                    "a row is {\"id\": ID, \"spans\": [[start, end], ...]}, or the file one object {ID: [[start, end], "
                    "...], ...}; --id names another field, --id auto numbers the rows"};
    }
    if (id == nullptr) throw id_.missing(kIdRemedy);
    return id_of(*id, id_.path());
  }

  [[nodiscard]] text::Unit unit_of(const Value* value, bool typed) const {
    if (absent(value, typed)) return default_unit_;
    const auto unit = value->is(Value::Kind::kString) ? unit_named(value->text) : std::nullopt;
    if (!unit) throw Refusal{"field \"unit\" has an unknown value", "write codepoint, byte or utf16"};
    return *unit;
  }

  const bool keyed_;
  const bool numbered_;
  const bool originals_;
  const text::Unit default_unit_;
  Field id_, spans_, unit_, error_;
  std::uint64_t entry_ = 0;
  JsonParser cell_;  // CSV: a cell that is JSON
  Value in_cell_;
};

void refuse_beside(const VariantSourceOptions& options) {
  const struct {
    const char* flag;
    bool given;
    const char* remedy;
  } kOthers[] = {{"--preset", !options.preset.empty(), "name the fields with --id and --map spans=FIELD"},
                 {"--text", options.text.has_value(), "name the spans with --map spans=FIELD"},
                 {"--synthetic", options.synthetic, "spans are of records: leave out --synthetic"}};
  for (const auto& [flag, given, remedy] : kOthers) {
    if (given) throw Error(Code::kUsage, fmt::format("{} cannot be used with --spans", flag), remedy);
  }
}

}  // namespace

std::unique_ptr<RowSource<VariantRow>> open_span_rows(const VariantSourceOptions& options) {
  refuse_beside(options);
  check_map(options, kKnown);
  InputBuffer input(open_bytes(options.path));
  const bool named = options.id || options.map.contains("id") || options.map.contains("spans");
  const bool keyed = !named && Looking().keyed(input);
  std::unique_ptr<RowReader> reader;
  if (keyed) {
    reader = std::make_unique<KeyedRows>(std::move(input));
  } else {
    reader = open_rows(std::move(input), options.path);
  }
  return std::make_unique<SpanRows>(options, std::move(reader), keyed);
}

std::unique_ptr<RowSource<VariantRow>> open_span_rows(const VariantSourceOptions& options,
                                                      std::unique_ptr<RowReader> reader) {
  return std::make_unique<SpanRows>(options, std::move(reader), false);
}

}  // namespace residue::ingest
