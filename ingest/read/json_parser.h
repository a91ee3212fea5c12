// JSON text to a Value, strictly: the wall around simdjson.
#pragma once

#include <memory>
#include <string_view>

#include "ingest/read/value.h"

namespace residue::ingest {

inline constexpr std::string_view kNotFinite = "a number is not finite";

class JsonParser {
 public:
  JsonParser();
  ~JsonParser();
  JsonParser(JsonParser&&) noexcept;

  // `json` must be followed by 64 readable bytes, unless `copy`. The views of `value` live until the next call.
  // An integer beyond 64 bits is kept as it is written. Throws Refusal: not JSON, invalid UTF-8, NUL, a lone surrogate,
  // nesting over 32, a repeated key, a real number out of range; kNotFinite for NaN and Infinity.
  void parse(std::string_view json, Value& value, bool copy = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

bool valid_utf8(std::string_view text);

}  // namespace residue::ingest
