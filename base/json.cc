#include "base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace residue {
namespace {

constexpr std::size_t kMostDepth = 1000;  // of what is read: values are taken apart by recursion

[[noreturn]] void mismatch(const char* wanted) { throw JsonError(std::string("JSON: not ") + wanted); }

// Builds a Json from what nlohmann's parser finds.
class Builder {
 public:
  Builder(Json& root, bool& repeated) : root_(root), repeated_(repeated) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string& /*text*/) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool key(std::string& key) {
    key_ = std::move(key);
    repeated_ = repeated_ || open_.back()->contains(key_);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <class Error>
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const Error& /*error*/) {
    return false;
  }

 private:
  Json& place() {
    if (open_.empty()) return root_;
    if (open_.back()->is_object()) return (*open_.back())[key_];
    open_.back()->push_back(nullptr);
    return open_.back()->back();
  }
  template <class Value>
  bool put(Value&& value) {
    place() = Json(std::forward<Value>(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == kMostDepth) return false;
    Json& at = place();
    at = std::move(value);
    open_.push_back(&at);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  bool& repeated_;
  std::vector<Json*> open_;  // an element that is open is the last one of its parent: nothing moves it
  std::string key_;
};

// Tells a listener what nlohmann's parser finds.
class Telling {
 public:
  explicit Telling(JsonListener& listener) : listener_(listener) {}

  bool null() { return other(); }
  bool boolean(bool /*value*/) { return other(); }
  bool number_integer(std::int64_t /*value*/) { return other(); }
  bool number_unsigned(std::uint64_t /*value*/) { return other(); }
  bool number_float(double /*value*/, const std::string& /*text*/) { return other(); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return other(); }
  bool string(std::string& value) { return listener_.text(value), true; }
  bool key(std::string& key) { return listener_.key(key), true; }
  bool start_object(std::size_t /*size*/) { return listener_.open_object(), true; }
  bool start_array(std::size_t /*size*/) { return listener_.open_array(), true; }
  bool end_object() { return listener_.close(), true; }
  bool end_array() { return listener_.close(), true; }
  template <class Error>
  bool parse_error(std::size_t at, const std::string& /*token*/, const Error& /*error*/) {
    return listener_.invalid(at), false;
  }

 private:
  bool other() { return listener_.other(), true; }

  JsonListener& listener_;
};

void append_string(std::string& out, const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void append_line(std::string& out, int indent, std::size_t depth) {
  if (indent >= 0) out.append(1, '\n').append(static_cast<std::size_t>(indent) * depth, ' ');
}

void append(std::string& out, const Json& json, int indent, std::size_t depth) {
  if (json.is_string()) return append_string(out, json.string());
  if (json.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (i > 0) out += ',';
      append_line(out, indent, depth + 1);
      append(out, json.at(i), indent, depth + 1);
    }
    if (!json.empty()) append_line(out, indent, depth);
    out += ']';
  } else if (json.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      if (!first) out += ',';
      first = false;
      append_line(out, indent, depth + 1);
      append_string(out, key);
      out += indent >= 0 ? ": " : ":";
      append(out, value, indent, depth + 1);
    }
    if (!json.empty()) append_line(out, indent, depth);
    out += '}';
  } else if (json.is_null()) {
    out += "null";
  } else if (json.is_boolean()) {
    out += json.boolean() ? "true" : "false";
  } else if (json.is_integer()) {
    out += json.is_unsigned() ? std::to_string(static_cast<std::uint64_t>(json.integer()))
                              : std::to_string(json.integer());
  } else {
    out += nlohmann::json(json.real()).dump();
  }
}

}  // namespace

Json::Json(std::initializer_list<Json> values) {
  const bool object = std::ranges::all_of(
      values, [](const Json& one) { return one.is_array() && one.size() == 2 && one.at(std::size_t{0}).is_string(); });
  if (!object) {
    value_ = Array(values);
    return;
  }
  value_ = Object();
  for (const Json& one : values) (*this)[one.front().string()] = one.back();
}

Json Json::array(std::initializer_list<Json> values) {
  Json json;
  json.value_ = Array(values);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

std::optional<Json> Json::parse(std::string_view text) {
  bool repeated = false;
  return parse(text, repeated);
}

std::optional<Json> Json::parse(std::string_view text, bool& repeated) {
  Json json;
  Builder builder(json, repeated);
  if (!nlohmann::json::sax_parse(text, &builder)) return std::nullopt;
  return json;
}

bool Json::is_unsigned() const {
  const auto* whole = std::get_if<std::int64_t>(&value_);
  return holds<std::uint64_t>() || (whole != nullptr && *whole >= 0);
}

std::size_t Json::size() const {
  if (is_null()) return 0;
  if (const auto* array = std::get_if<Array>(&value_)) return array->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return 1;
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, key, &Member::key);
  return found == object->end() ? nullptr : &found->value;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(std::as_const(*this).find(key));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

const Json& Json::at(std::string_view key) const {
  const Json* found = find(key);
  if (found == nullptr) mismatch("an object with that key");
  return *found;
}

const Json& Json::at(std::size_t index) const {
  const Array& array = elements();
  if (index >= array.size()) mismatch("an array that long");
  return array[index];
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  Object& object = items();
  const auto found = std::ranges::find(object, key, &Member::key);
  if (found != object.end()) return found->value;
  return object.emplace_back(Member{std::string(key), nullptr}).value;
}

bool Json::boolean() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  mismatch("true or false");
}

std::int64_t Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<std::int64_t>(*value);
  if (const auto* value = std::get_if<bool>(&value_)) return *value ? 1 : 0;
  mismatch("a whole number");
}

double Json::real() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return static_cast<double>(integer());
}

const std::string& Json::string() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  mismatch("a string");
}

const Json::Array& Json::elements() const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  mismatch("an array");
}

const Json::Object& Json::items() const& {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  mismatch("an object");
}

Json::Object& Json::items() & {
  if (auto* value = std::get_if<Object>(&value_)) return *value;
  mismatch("an object");
}

Json::Object Json::items() && { return std::move(items()); }

const Json* Json::begin() const { return is_array() ? std::get<Array>(value_).data() : nullptr; }
const Json* Json::end() const { return is_array() ? begin() + size() : nullptr; }
Json* Json::begin() { return is_array() ? std::get<Array>(value_).data() : nullptr; }
Json* Json::end() { return is_array() ? begin() + size() : nullptr; }

void Json::push_back(Json value) {
  if (is_null()) value_ = Array();
  if (!is_array()) mismatch("an array");
  std::get<Array>(value_).push_back(std::move(value));
}

bool Json::erase(std::string_view key) {
  return std::erase_if(items(), [key](const Member& member) { return member.key == key; }) > 0;
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

std::string Json::dump(int indent) const {
  std::string out;
  append(out, *this, indent, 0);
  return out;
}

Json Json::sorted() const {
  Json copy = *this;
  for (Json& element : copy) element = element.sorted();
  if (copy.is_object()) {
    for (Member& member : copy.items()) member.value = member.value.sorted();
    std::ranges::sort(copy.items(), {}, &Member::key);
  }
  return copy;
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    if (!a.is_integer() || !b.is_integer()) return a.real() == b.real();
    return a.is_unsigned() == b.is_unsigned() && a.integer() == b.integer();
  }
  if (a.value_.index() != b.value_.index()) return false;
  if (a.is_object()) {
    return a.size() == b.size() && std::ranges::all_of(a.items(), [&b](const Json::Member& member) {
             const Json* other = b.find(member.key);
             return other != nullptr && *other == member.value;
           });
  }
  if (a.is_array()) return std::ranges::equal(a, b);
  if (a.is_string()) return a.string() == b.string();
  return a.is_null() || a.boolean() == b.boolean();
}

void read_json(std::string_view text, JsonListener& listener) {
  Telling telling(listener);
  nlohmann::json::sax_parse(text, &telling);
}

}  // namespace residue
