// Integers beyond 64 bits, which JSON allows and simdjson does not: ids of other databases, kept as they are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

// A JSON text whose integers of 19 digits and more are strings of the same characters.
struct QuotedIntegers {
  std::string json;
  std::vector<std::size_t> at;  // which strings of the text they are, keys included, counted from 0; ascending
};

// `json` may be malformed: what is no integer stays as it is. Cost: one copy.
QuotedIntegers quote_big_integers(std::string_view json);

}  // namespace residue::ingest
