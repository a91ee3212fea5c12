#include "ingest/rows/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "ingest/read/byte_source.h"
#include "ingest/rows/near_fields.h"
#include "text/characters/spreadsheet.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kErrorBytes = 200;

[[noreturn]] void refuse(std::string_view name, std::string_view problem, std::string_view remedy) {
  throw Refusal{fmt::format("field \"{}\" {}", name, problem), std::string(remedy)};
}

}  // namespace

Field::Field(std::string_view name, const SourceOptions& options, const std::optional<std::string>& flag)
    : name_(name), file_(shown_name(options.path)) {
  const auto mapped = options.map.find(name_);
  if (mapped != options.map.end()) path_ = mapped->second;
  if (flag) path_ = *flag;
}

const Value* Field::find(const InputRow& row, std::span<const std::string_view> aliases, bool exclusive) {
  if (!path_.empty()) return row.object.at(path_);
  const Value* found = nullptr;
  for (const std::string_view alias : aliases) {
    const Value* value = row.object.member(alias);
    if (value == nullptr) continue;
    if (found != nullptr) {
      throw Error(Code::kUsage,
                  fmt::format("{}: both \"{}\" and \"{}\" could be the text", place(row), found->key, alias),
                  fmt::format("choose with --text {} or --text {}", found->key, alias));
    }
    found = value;
    if (!exclusive) break;
  }
  if (found != nullptr) path_ = found->key;
  return found;
}

const Value* Field::find(const InputRow& row) { return row.object.at(path_.empty() ? name_ : path_); }

std::string Field::place(const InputRow& row) const { return fmt::format("{}:{}", file_, row.line); }

Refusal Field::missing(std::string_view flag) const {
  return {fmt::format("field \"{}\" is missing", path_.empty() ? name_ : path_),
          fmt::format("name the field with {}", flag)};
}

Refusal Field::missing(std::string_view flag, const InputRow& row) const {
  const std::string& wanted = path_.empty() ? name_ : path_;
  if (header_is_a_row(row)) {
    throw Error(
        Code::kBadInput,
        fmt::format("{}: field \"{}\" is missing, and the first line looks like a row, not like names of columns",
                    file_, wanted),
        "put a line with the names of the columns before it, such as id,text; without that line the first row "
        "would be lost");
  }
  const auto near = near_field(wanted, row.object.items);
  if (!near) return missing(flag);
  const std::string_view option = flag.substr(0, flag.find(','));
  const char* quote = near->find(' ') == std::string::npos ? "" : "'";
  return {fmt::format("field \"{}\" is missing", wanted),
          fmt::format("there is \"{0}\": {1} {2}{0}{2}", *near, option, quote)};
}

void check_map(const SourceOptions& options, std::span<const std::string_view> known) {
  for (const auto& [field, path] : options.map) {
    if (std::find(known.begin(), known.end(), field) != known.end() && !path.empty()) continue;
    throw Error(Code::kUsage, fmt::format("--map {}: no such field here", field),
                fmt::format("fields: {}", fmt::join(known, ", ")));
  }
}

std::string id_of(const Value& value, std::string_view name) {
  if (value.is(Value::Kind::kReal)) refuse(name, "is a number that is no integer", "write ids as strings or integers");
  if (!value.is(Value::Kind::kString) && !value.is(Value::Kind::kInteger)) {
    refuse(name, "is neither a string nor an integer", "write ids as strings or integers");
  }
  if (value.text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    refuse(name, "is empty", "give every row an id");
  return std::string(value.text);
}

std::string text_of(const Value& value, std::string_view name) {
  if (value.is(Value::Kind::kString)) return std::string(value.text);
  if (!value.is(Value::Kind::kArray)) {
    refuse(name, "is neither a string nor an array of strings", "name another field with --text");
  }
  std::string text;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (!value.items[i].is(Value::Kind::kString)) {
      refuse(name, "is an array with an element that is no string", "name another field with --text");
    }
    if (i > 0) text += ' ';
    text += value.items[i].text;
  }
  return text;
}

std::string string_of(const Value& value, std::string_view name) {
  if (!value.is(Value::Kind::kString) && !value.is(Value::Kind::kInteger) && !value.is(Value::Kind::kReal)) {
    refuse(name, "is neither a string nor a number", "write it as a string");
  }
  return std::string(value.text);
}

std::int64_t integer_of(const Value& value, bool typed, std::string_view name, std::int64_t low, std::int64_t high) {
  std::int64_t number = 0;
  const char* end = value.text.data() + value.text.size();
  const bool kind = value.is(Value::Kind::kInteger) || (!typed && value.is(Value::Kind::kString));
  const auto parsed = kind ? std::from_chars(value.text.data(), end, number) : std::from_chars_result{};
  if (!kind || value.text.empty() || parsed.ec != std::errc() || parsed.ptr != end || number < low || number > high) {
    if (high == INT64_MAX || high == UINT32_MAX) {
      refuse(name, fmt::format("is not an integer of at least {}", low), "write it as a whole number");
    }
    refuse(name, fmt::format("is not an integer from {} to {}", low, high), "correct the number, or leave the row out");
  }
  return number;
}

std::optional<std::int64_t> whole_number(std::string_view words) {
  const std::size_t point = words.find('.');
  const std::string_view fraction = point == std::string_view::npos ? std::string_view() : words.substr(point + 1);
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;
  if (fraction.find_first_not_of('0') != std::string_view::npos) return std::nullopt;
  words = words.substr(0, point);
  std::int64_t number = 0;
  const char* end = words.data() + words.size();
  const auto parsed = std::from_chars(words.data(), end, number);
  if (words.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::vector<std::string> strings_of(const Value& value, std::string_view name) {
  if (value.is(Value::Kind::kString)) return {std::string(value.text)};
  std::vector<std::string> strings;
  if (!value.is(Value::Kind::kArray)) refuse(name, "is neither a string nor an array of strings", "write [\"...\"]");
  for (const Value& item : value.items) {
    if (!item.is(Value::Kind::kString)) refuse(name, "has an element that is no string", "write an array of strings");
    strings.emplace_back(item.text);
  }
  return strings;
}

std::optional<std::string> error_of(const Value* value, bool typed) {
  if (absent(value, typed)) return std::nullopt;
  if (!value->is(Value::Kind::kString)) {
    refuse("error", "is neither a string nor null", "write the sanitizer's message as a string");
  }
  std::string_view words = value->text;
  if (words.empty()) return std::nullopt;
  if (words.size() > kErrorBytes) {
    std::size_t end = kErrorBytes;
    while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U) --end;
    words = words.substr(0, end);
  }
  return std::string(words);
}

bool is_disarmed(std::string_view cell) { return text::has_apostrophe(cell); }

bool absent(const Value* value, bool typed) {
  return value == nullptr || value->is(Value::Kind::kNull) ||
         (!typed && value->is(Value::Kind::kString) && value->text.empty());
}

std::optional<std::string> rest_of(const InputRow& row, std::span<const std::string_view> used) {
  Value rest;
  rest.kind = Value::Kind::kObject;
  for (const Value& item : row.object.items) {
    if (std::find(used.begin(), used.end(), item.key) != used.end()) continue;
    if (!row.typed && absent(&item, false)) continue;
    rest.items.push_back(item);
  }
  if (rest.items.empty()) return std::nullopt;
  return canonical(rest);
}

ClaimReference claim_of(const std::string& reference, std::string_view name) {
  const std::size_t hash = reference.rfind('#');
  std::uint32_t n = 0;
  const char* end = reference.data() + reference.size();
  const bool good = hash != std::string::npos && hash > 0 && hash + 1 < reference.size();
  const auto parsed = good ? std::from_chars(reference.data() + hash + 1, end, n) : std::from_chars_result{};
  if (!good || parsed.ec != std::errc() || parsed.ptr != end || n == 0) {
    refuse(name, "is no reference to a claim", "write record#n, n counting from 1");
  }
  return {reference.substr(0, hash), n};
}

std::string json_array(const std::vector<std::string>& strings) {
  std::string out = "[";
  for (const std::string& text : strings) {
    if (out.size() > 1) out += ',';
    out += json_string(text);
  }
  return out + "]";
}

}  // namespace residue::ingest
