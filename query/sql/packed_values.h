// The fields of a message of the child process (sql_message.h), read one after another in place. The values of a row
// are such fields, too.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace residue::query {

struct PackedValue {
  char type = 'n';  // 'n' NULL, 'i' whole, 'r' real, 't' text, 'b' blob
  std::int64_t whole = 0;
  double real = 0;
  std::string_view text;  // lives as long as the row
};

// A child that a statement took over could send anything. Throws Error{internal}.
[[noreturn]] inline void garbled_answer() {
  throw Error(Code::kInternal, "sql: the answer of the statement cannot be read", "this is a bug of residue");
}

// All throw Error{internal} for bytes that are no such field.
class PackedValues {
 public:
  explicit PackedValues(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  template <class Number>
  Number number() {
    if (rest_.size() < sizeof(Number)) garbled_answer();
    Number value{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view text() {
    const auto size = number<std::uint32_t>();
    if (rest_.size() < size) garbled_answer();
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  // False at the end of the row.
  bool next(PackedValue& value) {
    if (empty()) return false;
    value.type = number<char>();
    switch (value.type) {
      case 'n':
        return true;
      case 'i':
        value.whole = number<std::int64_t>();
        return true;
      case 'r':
        value.real = number<double>();
        return true;
      case 't':
      case 'b':
        value.text = text();
        return true;
      default:
        garbled_answer();
    }
  }

 private:
  std::string_view rest_;
};

}  // namespace residue::query
