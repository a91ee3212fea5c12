// The values of a row as the child process of a statement writes them (sql_message.h), read one after another in place.
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

class PackedValues {
 public:
  explicit PackedValues(std::string_view row) : rest_(row) {}

  // False at the end of the row. Throws Error{internal} for bytes that are no values.
  bool next(PackedValue& value) {
    if (rest_.empty()) return false;
    value.type = rest_.front();
    rest_.remove_prefix(1);
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
        break;
      default:
        garbled();
    }
    const auto size = number<std::uint32_t>();
    if (rest_.size() < size) garbled();
    value.text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

 private:
  [[noreturn]] static void garbled() {
    throw Error(Code::kInternal, "sql: the answer of the statement cannot be read", "this is a bug of residue");
  }
  template <class Number>
  Number number() {
    if (rest_.size() < sizeof(Number)) garbled();
    Number value{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view rest_;
};

}  // namespace residue::query
