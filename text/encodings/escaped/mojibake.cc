#include "text/encodings/escaped/mojibake.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

constexpr char32_t kLatinEnd = 0x250;
constexpr std::size_t kFewestInARow = 3;

bool is_quote(char32_t c) {
  return c == 0xAB || c == 0xBB || (c >= 0x2018 && c <= 0x201E) || c == 0x2039 || c == 0x203A;
}

// A lead byte, where it was read as a letter, is Â to ô: all of them are written with this one first.
constexpr char kFirstByte = '\xC3';

struct Found {
  std::size_t begin = 0, end = 0;
  std::string reads;
  bool latin = false;
  bool doubtful = false;
};

// What the characters from `at` on were, taken for bytes; `bytes` 0: they were not.
std::optional<Found> found_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 4;
  std::string bytes;
  std::size_t end = at;
  char32_t last = 0;
  std::size_t needed = 0;
  while (end < text.size() && bytes.size() < kLongest) {
    const CodePoint c = code_point_at(text, end);
    const unsigned char byte = byte_of(c.value);
    if (byte == 0) return std::nullopt;
    bytes += static_cast<char>(byte);
    end += c.bytes;
    last = c.value;
    if (needed == 0) needed = byte < 0xC2 || byte > 0xF4 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (needed == 0 || (bytes.size() > 1 && (byte < 0x80 || byte > 0xBF))) return std::nullopt;
    if (bytes.size() == needed) break;
  }
  if (bytes.size() != needed || beyond_ascii_at(bytes, 0) != needed) return std::nullopt;
  Found out{at, end, bytes, false, false};
  const char32_t value = code_point_at(bytes, 0).value;
  constexpr char32_t kMarks = 0x300, kMarksEnd = 0x370, kPunctuation = 0x2010, kPunctuationEnd = 0x2070;
  out.latin = value < kLatinEnd || (value >= kMarks && value < kMarksEnd) ||
              (value >= kPunctuation && value < kPunctuationEnd) || (value >= 0x1E00 && value < 0x1F00) ||
              value == 0x20AC || value == 0x2122 || value == 0xFEFF || value >= 0x1F000;
  const bool letter_follows =
      end < text.size() && (is_alpha(text[end]) || static_cast<unsigned char>(text[end]) >= 0x80);
  out.doubtful = needed == 2 && is_quote(last) && !letter_follows;
  return out;
}

}  // namespace

std::optional<std::string> without_mojibake(std::string_view text) {
  std::vector<Found> all;
  bool certain = false;
  for (std::size_t at = text.find(kFirstByte); at != std::string_view::npos; at = text.find(kFirstByte, at)) {
    if (auto found = found_at(text, at)) {
      certain = certain || (found->latin && !found->doubtful);
      at = found->end;
      all.push_back(std::move(*found));
    } else {
      ++at;
    }
  }
  std::string out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;  // of a row of such
    while (end < all.size() && all[end].begin == all[end - 1].end) ++end;
    const bool row = end - i >= kFewestInARow;
    for (; i < end; ++i) {
      const Found& one = all[i];
      if (one.latin ? one.doubtful && !certain && !row : !row) continue;
      out.append(text, copied, one.begin - copied);
      out += one.reads;
      copied = one.end;
    }
  }
  if (copied == 0) return std::nullopt;
  out.append(text, copied);
  return out;
}

}  // namespace residue::text
