#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/label_words.h"
#include "ingest/rows/near_fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"record",   "claim",     "run",      "annotator",  "rating", "passage",
                                       "start",    "end",       "unit",     "text",       "type",   "attribute",
                                       "value",    "certainty", "hardness", "identifier", "entity", "relevant",
                                       "category", "response",  "weight",   "level"};

constexpr std::string_view kOfSpans[] = {"annotator", "run", "type", "identifier", "entity", "weight", "unit", "text"};
constexpr std::string_view kOfAttributes[] = {"annotator", "run", "level", "certainty", "hardness"};
constexpr std::string_view kOfAll[] = {"annotator", "run"};

std::span<const std::string_view> optional_of(std::string_view kind) {
  if (kind == "span") return kOfSpans;
  if (kind == "attribute") return kOfAttributes;
  return kOfAll;
}

class LabelRows final : public ReaderSource<LabelRow> {
 public:
  LabelRows(const LabelSourceOptions& options, const Preset* preset)
      : ReaderSource(open_rows(options.path)), options_(options), words_(options.words), preset_(preset) {}

 private:
  [[nodiscard]] std::vector<std::string> of_fields() const override {
    PassedOver all = passed_over_;
    for (const auto& [name, path] : options_.map) {
      all.take(name);
      all.take(path);
    }
    return all.notes();
  }

  bool pending(LabelRow& row) override {
    if (queue_.empty()) return false;
    row = std::move(queue_.front());
    queue_.pop_front();
    return true;
  }

  bool take(const InputRow& input, LabelRow& row) override {
    row = LabelRow{};
    row.line = input.line;
    row.cells = !input.typed;
    if (preset_ != nullptr) {
      std::deque<LabelRow> made;  // a row is taken whole or not at all
      for (const PresetSpan& span : preset_spans(preset_->name, input)) made.push_back(from(span, input.line, words_));
      queue_ = std::move(made);
      return pending(row);
    }
    input_ = &input;
    passed_over_.see(input);
    fields_.clear();
    for (const Value& item : input.object.items) {
      if (!absent(&item, input.typed)) fields_[std::string(item.key)] = canonical(item);
    }
    for (const auto& [name, path] : options_.map) {
      if (const Value* value = input.object.at(path); !absent(value, input.typed)) fields_[name] = canonical(*value);
    }
    reference(row);
    if (const Value* run = find("run")) row.run = string_of(*run, "run");
    if (const Value* annotator = find("annotator")) row.annotator = string_of(*annotator, "annotator");
    kind(row);
    row.payload = payload();
    return true;
  }

  const Value* find(std::string_view name) const {
    const auto mapped = options_.map.find(std::string(name));
    const Value* value = mapped != options_.map.end() ? input_->object.at(mapped->second) : input_->object.member(name);
    return absent(value, input_->typed) ? nullptr : value;
  }
  const Value& need(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) {
      if (input_->object.member(name) != nullptr) {
        throw Refusal{fmt::format("field \"{}\" is empty", name),
                      "fill it in"};
      }
      const auto near = near_field(name, input_->object.items);
      throw Refusal{fmt::format("field \"{}\" is missing", name),
                    near ? fmt::format("there is \"{0}\": --map {1}={0}", *near, name) : "name the field with --map"};
    }
    return *value;
  }
  std::int64_t integer(std::string_view name, std::int64_t low, std::int64_t high) {
    const std::int64_t number = integer_of(need(name), input_->typed, name, low, high);
    fields_[std::string(name)] = std::to_string(number);
    return number;
  }

  void reference(LabelRow& row) const {
    const Value* claim = find("claim");
    const Value* record = find("record");
    const bool by_claim = options_.kind == "support" || options_.kind == "category";
    if (by_claim && claim != nullptr) {
      const ClaimReference parts = claim_of(id_of(*claim, "claim"), "claim");
      row.record = parts.record;
      row.claim = parts.n;
      if (record != nullptr && id_of(*record, "record") != row.record) {
        throw Refusal{"\"claim\" and \"record\" name different records", "write one of them"};
      }
      return;
    }
    if (options_.kind == "support") need("claim");
    if (record == nullptr) throw Refusal{"field \"record\" is missing", "name the record, or the field with --record"};
    row.record = id_of(*record, "record");
  }

  void kind(LabelRow& row) {
    const std::string& kind = options_.kind;
    if (kind == "support") {
      const std::int64_t rating = rating_of();
      if (options_.reversed_scale) fields_["rating"] = std::to_string(4 - rating);
    } else if (kind == "span") {
      span(row);
    } else if (kind == "attribute") {
      text("attribute");
      fields_["attribute"] = json_string(words_.attribute(std::string(need("attribute").text)));
      filled(string_of(need("value"), "value"), "value", "leave the row out: nobody can guess nothing");
      if (find("level") != nullptr) {
        text("level");
        fields_["level"] = json_string(words_.level(std::string(need("level").text)));
      }
      for (const std::string_view name : {"certainty", "hardness"}) {
        if (find(name) != nullptr) integer(name, 0, 5);
      }
    } else if (kind == "entity") {
      text("entity");
      filled(need("entity").text, "entity", "leave the row out: nothing cannot be replaced");
      type(row);
      relevant();
    } else if (kind == "category") {
      fields_["category"] = json_array(words_.categories(strings_of(need("category"), "category")));
    } else {
      text("response");
    }
  }

  // A number, or a word that --map-label knows.
  std::int64_t rating_of() {
    const Value& value = need("rating");
    const bool word = value.is(Value::Kind::kString), whole = value.is(Value::Kind::kInteger);
    const bool real = value.is(Value::Kind::kReal);
    const auto plain = whole || real || !input_->typed ? whole_number(value.text) : std::nullopt;
    auto number = word || whole || real ? words_.rating(std::string(value.text)) : std::nullopt;
    if (!number && plain) number = words_.rating(std::to_string(*plain));
    if (!number) {
      const std::int64_t rating = plain.value_or(0);
      if (rating < 1 || rating > 3) {
        throw Refusal{"field \"rating\" is none of 1, 2 and 3",
                      "write 1, 2 or 3, or map what it says with --map-label WORD=NUMBER"};
      }
      fields_["rating"] = std::to_string(rating);
      return rating;
    }
    if (number->size() != 1 || *number < "1" || *number > "3") {
      throw Refusal{"field \"rating\" is mapped to none of 1, 2 and 3", "write --map-label WORD=1, 2 or 3"};
    }
    fields_["rating"] = *number;
    return std::stoll(*number);
  }

  void text(std::string_view name) const {
    if (!need(name).is(Value::Kind::kString))
      throw Refusal{"field \"" + std::string(name) + "\" is no string", "write it as a string"};
  }

  static void filled(std::string_view value, const char* name, const char* remedy) {
    if (value.find_first_not_of(" \t\r\n") != std::string_view::npos) return;
    throw Refusal{fmt::format("field \"{}\" is empty", name), remedy};
  }

  void type(LabelRow& row) {
    text("type");
    filled(need("type").text, "type", row.start ? "leave the field out" : "write what kind of thing the entity is");
    const LabelWords::Type named = words_.type(std::string(need("type").text));
    fields_["type"] = json_string(named.name);
    row.unknown_type = !named.known;
  }

  void relevant() {
    const Value& value = need("relevant");
    const bool spelled = !input_->typed && (value.text == "true" || value.text == "false");
    if (!value.is(Value::Kind::kBool) && !spelled)
      throw Refusal{"field \"relevant\" is neither true nor false", "write true or false"};
    fields_["relevant"] = value.text;
  }

  void span(LabelRow& row) {
    row.start = integer("start", 0, INT64_MAX);
    row.end = integer("end", 0, INT64_MAX);
    if (*row.start >= *row.end)
      throw Refusal{"\"start\" is not before \"end\"", "write the offset behind the last character as \"end\""};
    if (const Value* unit = find("unit")) {
      row.unit = unit->is(Value::Kind::kString) ? std::string(unit->text) : std::string();
      if (row.unit != "codepoint" && row.unit != "byte" && row.unit != "utf16") {
        throw Refusal{"field \"unit\" has an unknown value", "write codepoint, byte or utf16"};
      }
    }
    if (find("type") != nullptr) type(row);
    if (const Value* identifier = find("identifier")) {
      text("identifier");
      fields_["identifier"] = json_string(words_.identifier(std::string(identifier->text)));
    }
    if (const Value* covered = find("text")) {
      text("text");
      row.span_text = covered->text;
    }
    if (const Value* weight = find("weight")) {
      if (find("identifier") != nullptr || find("entity") != nullptr) {
        throw Refusal{"a span is a mention that must be masked or a word's weight, not both",
                      "write two rows: one with \"weight\", one with \"identifier\" and \"entity\""};
      }
      fields_["weight"] = amount(*weight);
    }
  }

  // What a word tells: a number from 0 to a million.
  std::string amount(const Value& value) const {
    const bool number = value.is(Value::Kind::kInteger) || value.is(Value::Kind::kReal) || !input_->typed;
    const auto json = Json::parse(value.text).value_or(Json());
    if (!number || !json.is_number() || json.real() < 0 || json.real() > 1'000'000) {
      throw Refusal{"field \"weight\" is not an amount of information", "write a number from 0 to 1000000"};
    }
    return json.dump();
  }

  static LabelRow from(const PresetSpan& span, std::uint64_t line, const LabelWords& words) {
    if (span.start >= span.end)
      throw Refusal{"a span does not start before its end", "check that the preset fits the file"};
    LabelRow row;
    row.line = line;
    row.record = span.record;
    row.start = span.start;
    row.end = span.end;
    if (!span.text.empty()) row.span_text = span.text;
    if (!span.annotator.empty()) row.annotator = span.annotator;
    std::map<std::string, std::string> fields = {{"record", json_string(span.record)},
                                                 {"start", std::to_string(span.start)},
                                                 {"end", std::to_string(span.end)},
                                                 {"type", json_string(span.type)}};
    const auto add = [&](const char* name, const std::string& text) {
      if (!text.empty()) fields[name] = json_string(text);
    };
    add("text", span.text);
    if (!span.identifier.empty()) add("identifier", words.identifier(span.identifier));
    add("entity", span.entity);
    add("annotator", span.annotator);
    row.payload = joined(fields);
    return row;
  }

  static std::string joined(const std::map<std::string, std::string>& fields) {
    std::string out = "{";
    for (const auto& [name, json] : fields) {
      if (out.size() > 1) out += ',';
      out += json_string(name) + ":" + json;
    }
    return out + "}";
  }
  std::string payload() const { return joined(fields_); }

  LabelSourceOptions options_;
  LabelWords words_;
  const Preset* preset_;
  const InputRow* input_ = nullptr;
  PassedOver passed_over_{optional_of(options_.kind), "kept with the label"};
  std::map<std::string, std::string> fields_;  // canonical JSON by name: what becomes the payload
  std::deque<LabelRow> queue_;
};

}  // namespace

std::unique_ptr<RowSource<LabelRow>> open_labels(const LabelSourceOptions& options) {
  if (std::ranges::find(kLabelKinds, options.kind) == kLabelKinds.end()) {
    throw Error(Code::kUsage, "no such kind of labels", "kinds: support, category, attribute, span, entity, response");
  }
  const Preset* preset = find_preset(options, PresetVerb::kLabels);
  if (preset != nullptr && options.kind != "span") {
    throw Error(Code::kUsage, "presets read labels of the kind span only", "use --kind span");
  }
  check_map(options, kKnown);
  return std::make_unique<LabelRows>(options, preset);
}

}  // namespace residue::ingest
