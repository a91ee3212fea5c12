#include "text/characters/unicode.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace residue::text {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
constexpr char32_t kReplacement = 0xFFFD;

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// First byte at or after `at` that is not ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t block = 0;
    std::memcpy(&block, text.data() + at, 8);
    if ((block & kHighBits) != 0) break;
    at += 8;
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

// Bytes of the well-formed sequence at `at`, 0 where there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + length > text.size()) return 0;
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const unsigned second = byte_at(text, at + 1);
  if (second < low || second > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

bool is_ascii(std::string_view text) { return skip_ascii(text, 0) == text.size(); }

bool valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while ((at = skip_ascii(text, at)) < text.size()) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = sequence_length(text, at);
  if (length == 0) return {kReplacement, 1};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (byte_at(text, at + i) & 0x3F);
  return {value, length};
}

std::size_t before(std::string_view text, std::size_t at) {
  for (std::size_t length = 2; length <= 4 && length <= at; ++length) {
    if (sequence_length(text, at - length) == length) return at - length;
  }
  return at - 1;
}

void append_utf8(std::string& out, char32_t value) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((value >> shift) & 0x3F)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0 | (value >> 6));
    tail(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0 | (value >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (value >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string capitals_of(std::string_view text) {
  std::string capitals;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = code_point_at(text, i);
    append_utf8(capitals, static_cast<char32_t>(u_toupper(static_cast<UChar32>(point.value))));
    i += point.bytes;
  }
  return capitals;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += code_point_at(text, at).bytes;
  return count;
}

std::string lower(std::string_view text) {
  std::string out;
  if (is_ascii(text)) {
    out.assign(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return out;
  }
  out.reserve(text.size() + 8);
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
                            status);
  if (U_FAILURE(status)) throw Error(Code::kInternal, "ICU could not lower-case a text", "please report this");
  return out;
}

bool is_space(char32_t value) {
  if (value < 0x80) return value == ' ' || (value >= '\t' && value <= '\r');
  return u_isUWhiteSpace(static_cast<UChar32>(value)) != 0;
}

bool has_visible(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = code_point_at(text, at);
    const auto value = static_cast<UChar32>(c.value);
    const bool invisible = is_space(c.value) || u_iscntrl(value) != 0 || u_charType(value) == U_FORMAT_CHAR ||
                           u_hasBinaryProperty(value, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
    if (!invisible) return true;
    at += std::max<std::size_t>(c.bytes, 1);
  }
  return false;
}

Span trim(std::string_view text, Span span) {
  while (span.begin < span.end) {
    const CodePoint c = code_point_at(text, span.begin);
    if (!is_space(c.value)) break;
    span.begin += c.bytes;
  }
  while (span.begin < span.end) {
    const std::size_t last = before(text, span.end);
    if (!is_space(code_point_at(text, last).value)) break;
    span.end = last;
  }
  return span;
}

std::optional<std::size_t> byte_offset(std::string_view text, std::int64_t offset, Unit unit) {
  if (offset < 0) return std::nullopt;
  std::int64_t here = 0;
  std::size_t at = 0;
  while (here < offset && at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    at += c.bytes;
    switch (unit) {
      case Unit::kCodepoint:
        here += 1;
        break;
      case Unit::kByte:
        here += static_cast<std::int64_t>(c.bytes);
        break;
      case Unit::kUtf16:
        here += c.value >= 0x10000 ? 2 : 1;
        break;
    }
  }
  if (here != offset) return std::nullopt;
  return at;
}

}  // namespace residue::text
