#include "ingest/read/big_integers.h"

#include <algorithm>

namespace residue::ingest {
namespace {

constexpr std::size_t kBigDigits = 19;  // fewer always fit

// Bytes of the integer at the front; 0 where there is none that is big.
std::size_t big_integer(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", sign), text.size());
  if (end - sign < kBigDigits || text[sign] == '0') return 0;
  return end == text.size() || std::string_view(",]} \t\r\n").find(text[end]) != std::string_view::npos ? end : 0;
}

// Bytes of the string at the front, which begins with its quote.
std::size_t string_size(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

}  // namespace

QuotedIntegers quote_big_integers(std::string_view json) {
  QuotedIntegers out;
  out.json.reserve(json.size() + 64);
  std::size_t strings = 0;
  bool fresh = true;  // a number may begin here
  for (std::size_t at = 0; at < json.size();) {
    std::size_t size = 1;
    if (json[at] == '"') {
      size = string_size(json.substr(at));
      ++strings;
    } else if (const std::size_t digits = fresh ? big_integer(json.substr(at)) : 0; digits > 0) {
      out.json.append(1, '"').append(json, at, digits).append(1, '"');
      out.at.push_back(strings++);
      at += digits;
      fresh = false;
      continue;
    }
    fresh = std::string_view(":[, \t\r\n").find(json[at]) != std::string_view::npos;
    out.json.append(json, at, size);
    at += size;
  }
  return out;
}

}  // namespace residue::ingest
