// JSON values: made, looked into, printed and read. Objects keep the order in which their keys came.
//
//   text ── Json::parse ──> Json ── dump ──> text (keys as they came)
//                              └── sorted().dump() ──> canonical text (keys in byte order)
//
// nlohmann/json does the reading and the numbers behind it (json.cc), out of sight: its header alone costs seconds a
// source.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace residue {

// A value that is not of the kind that was asked for, or a key that is not there.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // no key twice

  Json() = default;
  Json(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): values become JSON where they stand
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_signed_v<T>) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<std::uint64_t>(value);
    }
  }
  Json(double value) : value_(value) {}                         // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(const char* value) : Json(std::string_view(value)) {}    // NOLINT(google-explicit-constructor)
  // A list of pairs whose first is a string is an object, every other list an array.
  Json(std::initializer_list<Json> values);
  // Null where there is none.
  template <class T>
  Json(const std::optional<T>& value) {  // NOLINT(google-explicit-constructor)
    if (value) *this = Json(*value);
  }
  // An array of what is in a container; pairs of a map from strings become an object.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<Range, std::string_view> && !std::same_as<Range, Json> &&
           !std::same_as<std::remove_cvref_t<std::ranges::range_reference_t<const Range>>, Range>)
      Json(const Range& range) {  // NOLINT(google-explicit-constructor)
    if constexpr (requires { range.begin()->second; }) {
      value_ = Object();
      for (const auto& [key, value] : range) (*this)[key] = value;
    } else {
      value_ = Array();
      for (const auto& value : range) push_back(value);
    }
  }

  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  // Nothing for what is not exactly one JSON value, or is nested deeper than 1,000. Of equal keys the last counts, in
  // the place of the first.
  static std::optional<Json> parse(std::string_view text);
  // `repeated` becomes true where an object has a key twice, also in front of where the text stops being JSON.
  static std::optional<Json> parse(std::string_view text, bool& repeated);

  [[nodiscard]] bool is_null() const { return holds<std::nullptr_t>(); }
  [[nodiscard]] bool is_boolean() const { return holds<bool>(); }
  [[nodiscard]] bool is_string() const { return holds<std::string>(); }
  [[nodiscard]] bool is_array() const { return holds<Array>(); }
  [[nodiscard]] bool is_object() const { return holds<Object>(); }
  [[nodiscard]] bool is_integer() const { return holds<std::int64_t>() || holds<std::uint64_t>(); }
  // Also where a whole number is held as a signed one that is not negative.
  [[nodiscard]] bool is_unsigned() const;
  [[nodiscard]] bool is_number() const { return is_integer() || holds<double>(); }

  // Elements or members; 0 for null, 1 for every other value.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }

  // The value of a key of an object; nullptr where there is none, or this is no object.
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] Json* find(std::string_view key);
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
  // Throw JsonError where there is none.
  [[nodiscard]] const Json& at(std::string_view key) const;
  [[nodiscard]] const Json& at(std::size_t index) const;
  template <std::integral Index>
  [[nodiscard]] const Json& operator[](Index index) const {
    return at(static_cast<std::size_t>(index));
  }
  template <std::integral Index>
  [[nodiscard]] Json& operator[](Index index) {
    return const_cast<Json&>(at(static_cast<std::size_t>(index)));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }
  [[nodiscard]] const Json& operator[](std::string_view key) const { return at(key); }
  // Made (null) where it is not there; null becomes an object. Throws JsonError for another kind.
  Json& operator[](std::string_view key);

  // Of an object: the value of a key, or `other` where there is none. Throws JsonError as get().
  template <class T>
  [[nodiscard]] T value(std::string_view key, const T& other) const {
    const Json* found = find(key);
    return found == nullptr ? other : found->get<T>();
  }
  [[nodiscard]] std::string value(std::string_view key, const char* other) const {
    return value(key, std::string(other));
  }

  // The value as bool, number, std::string, Json, or std::vector of one of them. Numbers are converted as C++ does.
  // Throws JsonError for a value of another kind.
  template <class T>
  [[nodiscard]] T get() const {
    if constexpr (std::same_as<T, bool>) {
      return boolean();
    } else if constexpr (std::integral<T>) {
      return holds<double>() ? static_cast<T>(real()) : static_cast<T>(integer());
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(real());
    } else if constexpr (std::same_as<T, std::string>) {
      return string();
    } else if constexpr (std::same_as<T, Json>) {
      return *this;
    } else {
      T values;
      for (const Json& element : elements()) values.push_back(element.get<typename T::value_type>());
      return values;
    }
  }
  template <class T>
  void get_to(T& value) const {
    value = get<T>();
  }
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer() const;  // of an unsigned one the same bits
  [[nodiscard]] double real() const;           // of any number
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const Array& elements() const;  // of an array
  [[nodiscard]] const Object& items() const&;   // of an object: for (const auto& [key, value] : json.items())
  [[nodiscard]] Object& items() &;
  [[nodiscard]] Object items() &&;  // lives as long as the loop: for (const auto& [key, value] : json.sorted().items())

  // Elements of an array; nothing of every other value.
  [[nodiscard]] const Json* begin() const;
  [[nodiscard]] const Json* end() const;
  [[nodiscard]] Json* begin();
  [[nodiscard]] Json* end();
  [[nodiscard]] const Json& front() const { return at(std::size_t{0}); }
  [[nodiscard]] const Json& back() const { return at(size() - 1); }
  [[nodiscard]] Json& back() { return (*this)[size() - 1]; }

  // Null becomes an array. Throws JsonError for another kind.
  void push_back(Json value);
  template <class... Args>
  Json& emplace_back(Args&&... args) {
    push_back(Json(std::forward<Args>(args)...));
    return back();
  }
  // Whether the key was there.
  bool erase(std::string_view key);
  // Takes over all members of another object; of equal keys its values.
  void update(const Json& other);

  // One line, or lines indented by `indent` spaces. Bytes that are no UTF-8 become U+FFFD.
  [[nodiscard]] std::string dump(int indent = -1) const;
  // The same value with the keys of all objects in it in byte order.
  [[nodiscard]] Json sorted() const;

  // The same kind and value; numbers by value, objects whatever the order of their keys.
  friend bool operator==(const Json& a, const Json& b);

 private:
  template <class T>
  [[nodiscard]] bool holds() const {
    return std::holds_alternative<T>(value_);
  }

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

// Is told what a text has, in its order, without a value being built: read_json.
class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void text(std::string& value) = 0;  // may be moved away
  virtual void other() = 0;                   // null, true, false, a number
  virtual void key(std::string& key) = 0;
  virtual void open_object() = 0;
  virtual void open_array() = 0;
  virtual void close() = 0;
  virtual void invalid(std::size_t byte) = 0;  // counted from 1; nothing more is told
};

// What the listener throws goes through.
void read_json(std::string_view text, JsonListener& listener);

}  // namespace residue
