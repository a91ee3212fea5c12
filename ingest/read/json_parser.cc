#include "ingest/read/json_parser.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <string>
#include <vector>

#include "ingest/read/big_integers.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kMaxDepth = 32;

[[noreturn]] void refuse(std::string_view cause, const char* remedy) { throw Refusal{std::string(cause), remedy}; }

[[noreturn]] void refuse(simdjson::error_code code) {
  switch (code) {
    case simdjson::UTF8_ERROR:
      refuse("not valid UTF-8", "convert the file to UTF-8");
    case simdjson::DEPTH_ERROR:
      refuse("nested deeper than 32 levels", "flatten the row");
    case simdjson::NUMBER_ERROR:
      refuse("a number is malformed or out of range", "write long numbers as strings");
    case simdjson::STRING_ERROR:
      refuse("a string has a malformed escape or a lone surrogate", "write the row with a JSON library");
    case simdjson::UNCLOSED_STRING:
      refuse("a string is not closed", "write one whole object a line, line breaks as \\n");
    case simdjson::UNESCAPED_CHARS:
      refuse("a string has an unescaped control character", "write control characters as escapes");
    default:
      refuse("not one JSON object", "write one whole object a line and nothing after it");
  }
}

// Whether a value is NaN or Infinity, as Python's json.dumps writes them: outside strings, after [ , : or a minus.
bool has_not_finite(std::string_view json) {
  char before = '\0';
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char byte = json[at];
    if (byte == '"') {
      for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
    }
    const std::string_view rest = json.substr(std::min(at, json.size()));
    if ((rest.starts_with("NaN") || rest.starts_with("Infinity")) &&
        (before == '[' || before == ',' || before == ':' || before == '-')) {
      return true;
    }
    if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r') before = byte;
  }
  return false;
}

}  // namespace

struct JsonParser::State {
  simdjson::dom::parser parser;
  std::deque<std::array<char, 32>> numbers;
  std::vector<std::string_view> keys;
  bool escapes = false;
  QuotedIntegers big;        // of a text that has integers beyond 64 bits
  std::size_t strings = 0;   // converted so far, keys included
  std::size_t next_big = 0;  // position in big.at

  std::string_view checked(std::string_view text) const {
    if (!escapes) return text;  // simdjson has validated the raw bytes, and raw NULs are refused as control characters
    if (text.find('\0') != std::string_view::npos)
      refuse("a NUL character", "remove NUL characters from names and texts");
    if (!valid_utf8(text)) refuse(simdjson::STRING_ERROR);
    return text;
  }

  // Whether the next string was written as an integer.
  bool is_big() {
    const bool found = next_big < big.at.size() && big.at[next_big] == strings;
    ++strings;
    if (found) ++next_big;
    return found;
  }

  template <class Number>
  std::string_view spelled(Number number) {
    auto& room = numbers.emplace_back();
    const auto end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
    return {room.data(), static_cast<std::size_t>(end - room.data())};
  }

  void check_keys(const Value& object) {
    keys.clear();
    for (const Value& item : object.items) keys.push_back(item.key);
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
      refuse("a field appears twice in one object", "keep one of the fields of the same name");
    }
  }

  void convert(simdjson::dom::element element, Value& value, std::size_t depth) {
    using simdjson::dom::element_type;
    using Kind = Value::Kind;
    switch (element.type()) {
      case element_type::NULL_VALUE:
        value.kind = Kind::kNull;
        return;
      case element_type::BOOL:
        value.kind = Kind::kBool;
        value.text = element.get_bool().value_unsafe() ? "true" : "false";
        return;
      case element_type::INT64:
        value.kind = Kind::kInteger;
        value.text = spelled(element.get_int64().value_unsafe());
        return;
      case element_type::UINT64:
        value.kind = Kind::kInteger;
        value.text = spelled(element.get_uint64().value_unsafe());
        return;
      case element_type::DOUBLE:
        value.kind = Kind::kReal;
        value.text = spelled(element.get_double().value_unsafe());
        return;
      case element_type::STRING:
        value.kind = is_big() ? Kind::kInteger : Kind::kString;
        value.text = checked(element.get_string().value_unsafe());
        return;
      case element_type::ARRAY: {
        if (depth >= kMaxDepth) refuse(simdjson::DEPTH_ERROR);
        value.kind = Kind::kArray;
        simdjson::dom::array array;
        if (element.get(array) != simdjson::SUCCESS) refuse(simdjson::TAPE_ERROR);
        for (const auto item : array) convert(item, value.items.emplace_back(), depth + 1);
        return;
      }
      case element_type::OBJECT: {
        if (depth >= kMaxDepth) refuse(simdjson::DEPTH_ERROR);
        value.kind = Kind::kObject;
        simdjson::dom::object object;
        if (element.get(object) != simdjson::SUCCESS) refuse(simdjson::TAPE_ERROR);
        for (const auto field : object) {
          Value& item = value.items.emplace_back();
          item.key = checked(field.key);
          ++strings;
          convert(field.value, item, depth + 1);
        }
        check_keys(value);
        return;
      }
    }
  }
};

JsonParser::JsonParser() : state_(std::make_unique<State>()) {}
JsonParser::~JsonParser() = default;
JsonParser::JsonParser(JsonParser&&) noexcept = default;

void JsonParser::parse(std::string_view json, Value& value, bool copy) {
  const std::string_view key = value.key;
  value = Value{};
  value.key = key;
  state_->numbers.clear();
  state_->escapes = json.find('\\') != std::string_view::npos;
  state_->big.at.clear();
  state_->strings = state_->next_big = 0;
  simdjson::dom::element root;
  auto code = state_->parser.parse(json.data(), json.size(), copy).get(root);
  if (code == simdjson::NUMBER_ERROR) {
    state_->big = quote_big_integers(json);
    if (!state_->big.at.empty()) code = state_->parser.parse(state_->big.json).get(root);
  }
  if (code != simdjson::SUCCESS && code != simdjson::UTF8_ERROR && has_not_finite(json)) {
    refuse(kNotFinite, "JSON has neither NaN nor Infinity: compute the row again, or leave it out");
  }
  if (code != simdjson::SUCCESS) refuse(code);
  state_->convert(root, value, 0);
}

bool valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

}  // namespace residue::ingest
