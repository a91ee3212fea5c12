#include "text/encodings/signs.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

template <class Inside>
bool stands_between(std::string_view text, std::size_t at, const Inside& inside) {
  const Span row = row_of_signs(text, at);
  return row.begin > 0 && row.end < text.size() && row.begin < row.end && inside(text[row.begin - 1]) &&
         inside(text[row.end]);
}

}  // namespace

std::size_t wide_blank_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte != 0xC2 && byte != 0xE1 && byte != 0xE2 && byte != 0xE3) return 0;  // None begins otherwise.
  const CodePoint c = code_point_at(text, at);
  return is_space(c.value) ? c.bytes : 0;
}

std::vector<Span> chunks_of(std::string_view text) {
  std::vector<Span> out;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t blank = blank_at(text, at); blank > 0) {
      at += blank;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && blank_at(text, end) == 0) ++end;
    out.push_back({at, end});
    at = end;
  }
  return out;
}

Span row_of_signs(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 3;
  constexpr std::string_view kOneByOne = ".-/,;:";
  Span row{at, at + 1};
  if (kOneByOne.find(text[at]) != std::string_view::npos) return row;
  while (row.begin > 0 && text[row.begin - 1] == text[at] && at - row.begin < kLongest) --row.begin;
  while (row.end < text.size() && text[row.end] == text[at] && row.end - at <= kLongest) ++row.end;
  return row.end - row.begin <= kLongest ? row : Span{at, at};
}
bool joins_letters(std::string_view text, std::size_t at) { return stands_between(text, at, is_letter); }
bool joins(std::string_view text, std::size_t at) {
  return stands_between(text, at, [](char c) { return is_letter(c) || is_digit(c); });
}

Joints joints_of(std::string_view text) {
  Joints out;
  out.letters = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_letter));
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto sign = sign_at(text[at]);
    if (sign == kNoSign || (at > 0 && text[at - 1] == text[at]) || !joins(text, at)) continue;
    ++out.count[sign];
    out.underscores += text[at] == '_' && joins_letters(text, at) ? 1 : 0;
  }
  return out;
}

}  // namespace residue::text
