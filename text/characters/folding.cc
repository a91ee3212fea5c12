#include "text/characters/folding.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace residue::text {
namespace {

constexpr int kStays = -1;
constexpr int kLeftOut = -2;

// The ASCII character that `c`, of more than one byte, is read as, or one of the above.
int folded_point(char32_t c) {
  if (c >= 0x2010 && c <= 0x2013) return '-';
  if (c == 0x2212 || c == 0xFE63) return '-';
  if (c == 0x2BC) return '\'';  // Unicode has it among the letters; people write Smith's with it
  if (c >= 0xFF01 && c <= 0xFF5E) return static_cast<int>(c - 0xFF01 + '!');
  if (c == 0xFFFD) return kStays;
  const auto point = static_cast<UChar32>(c);
  switch (u_charType(point)) {
    case U_SPACE_SEPARATOR:
      return ' ';
    case U_DECIMAL_DIGIT_NUMBER:
      return '0' + u_charDigitValue(point);
    default:
      return u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 ? kLeftOut : kStays;
  }
}

bool goes_on(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20U) >= 'a' && (c | 0x20U) <= 'z');
}

// Where the next byte from `at` on is that may be folded: one of more than ASCII, or a low line. Eight bytes at a time,
// and most of them are neither.
std::size_t next_to_fold(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U, kOnes = 0x0101010101010101U, kLines = kOnes * '_';
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const std::uint64_t lines = bytes ^ kLines;  // a zero byte where a low line is
    if (((bytes | ((lines - kOnes) & ~lines)) & kHigh) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80 && text[at] != '_') ++at;
  return at;
}

}  // namespace

FoldedText::FoldedText(std::string_view written) : written_(written) {
  std::size_t copied = 0;  // bytes of `written` that are in folded_, or left out of it
  for (std::size_t at = next_to_fold(written, 0); at < written.size(); at = next_to_fold(written, at)) {
    if (written[at] == '_') {
      const std::size_t end = std::min(written.find_first_not_of('_', at), written.size());
      const bool within = at > 0 && goes_on(written, at - 1) && goes_on(written, end);
      if (!within) {
        if (at > copied || pieces_.empty()) pieces_.push_back({folded_.size(), copied, 0});
        folded_.append(written.substr(copied, at - copied));
        for (; at < end; ++at) {
          pieces_.push_back({folded_.size(), at, 1});
          folded_ += ' ';
        }
        copied = end;
      }
      at = end;
      continue;
    }
    const CodePoint point = code_point_at(written, at);
    const int sign = point.bytes == 1 ? kStays : folded_point(point.value);
    if (sign != kStays) {
      if (at > copied || pieces_.empty()) pieces_.push_back({folded_.size(), copied, 0});
      folded_.append(written.substr(copied, at - copied));
      if (sign != kLeftOut) {
        pieces_.push_back({folded_.size(), at, point.bytes});
        folded_ += static_cast<char>(sign);
      }
      copied = at + point.bytes;
    }
    at += point.bytes;
  }
  if (pieces_.empty() || copied == written.size()) return;
  pieces_.push_back({folded_.size(), copied, 0});
  folded_.append(written.substr(copied));
}

// The last of those that begin at or before it: an empty one may begin there as well.
const FoldedText::Piece& FoldedText::piece_of(std::size_t folded) const {
  return *(std::ranges::upper_bound(pieces_, folded, {}, &Piece::folded) - 1);
}

Span FoldedText::written(Span folded) const {
  if (pieces_.empty()) return folded;
  const Piece& first = piece_of(folded.begin);
  const Piece& last = piece_of(folded.end - 1);
  const std::size_t begin = first.written + (folded.begin - first.folded);
  return {begin, last.bytes != 0 ? last.written + last.bytes : last.written + (folded.end - last.folded)};
}

std::string folded(std::string_view text) { return std::string(FoldedText(text).text()); }

}  // namespace residue::text
