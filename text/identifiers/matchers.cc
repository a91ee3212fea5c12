#include "text/identifiers/matchers.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace residue::text::match {

namespace {

bool word_point(UChar32 point) {
  if (point < 0) return true;                           // broken bytes belong to the word around them
  if (point >= 0xFB00 && point <= 0xFB06) return true;  // Latin ligatures
  if (point >= 0x2E80) return false;                    // CJK: no spaces between words and numbers
  return u_isalnum(point) != 0 || (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
}

}  // namespace

Decoded decode(std::string_view t, std::size_t i) {
  auto at = static_cast<std::int64_t>(i);
  const auto size = static_cast<std::int64_t>(t.size());
  UChar32 point = -1;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(t.data());
  U8_NEXT(bytes, at, size, point);
  return {point, static_cast<std::size_t>(at)};
}

bool word_at(std::string_view t, std::size_t i) {
  if (i >= t.size()) return false;
  if (is_ascii(t[i])) return is_alnum(t[i]) || t[i] == '_';
  return word_point(decode(t, i).point);
}

bool word_before(std::string_view t, std::size_t i) {
  if (i == 0) return false;
  if (is_ascii(t[i - 1])) return is_alnum(t[i - 1]) || t[i - 1] == '_';
  const std::size_t first = i > 4 ? i - 4 : 0;
  std::size_t lead = i - 1;
  while (lead > first && (static_cast<unsigned char>(t[lead]) & 0xC0U) == 0x80U) --lead;
  const Decoded decoded = decode(t.substr(0, i), lead);
  return decoded.next != i || word_point(decoded.point);
}

bool continues_behind_first(std::string_view t, std::size_t i, std::string_view word) {
  for (std::size_t k = 1; k < word.size(); ++k) {
    if (to_lower(t[i + k]) != word[k]) return false;
  }
  return true;
}

std::size_t digits(std::string_view t, std::size_t i, std::size_t limit) {
  const std::size_t stop = std::min(t.size(), i + limit);
  while (i < stop && is_digit(t[i])) ++i;
  return i;
}

std::size_t after_space(std::string_view t, std::size_t i) {
  if (peek(t, i) == ' ') return i + 1;
  if (peek(t, i) == '\xC2' && peek(t, i + 1) == '\xA0') return i + 2;
  return 0;
}

bool announced(std::string_view t, std::size_t at, std::span<const std::string_view> cues, int words) {
  const auto in_word = [](char c) { return is_alnum(c) || !is_ascii(c); };
  const std::size_t stop = at > 64 ? at - 64 : 0;
  std::size_t i = at;
  for (; words > 0; --words) {
    for (; i > stop && !in_word(t[i - 1]); --i) {
      if (std::string_view("[]{}<>?!;").find(t[i - 1]) != std::string_view::npos) return false;
    }
    const std::size_t end = i;
    std::size_t numerals = 0;
    for (; i > stop && in_word(t[i - 1]); --i) numerals += is_digit(t[i - 1]) ? 1U : 0U;
    if (i == end || numerals > 2 || (i > 0 && in_word(t[i - 1]))) return false;
    for (std::string_view cue : cues) {
      const bool begins = cue.back() == '*';
      if (begins) cue.remove_suffix(1);
      if (continues(t, i, cue) && (begins || !in_word(peek(t, i + cue.size())))) return true;
    }
  }
  return false;
}

bool stands_alone(std::string_view t, std::size_t at, std::size_t end) {
  if (at > 1 && std::string_view(".,:/").find(t[at - 1]) != std::string_view::npos && is_digit(t[at - 2])) return false;
  if (word_at(t, end)) return false;
  return !(std::string_view(".,:/").find(peek(t, end)) != std::string_view::npos && is_digit(peek(t, end + 1)));
}

std::string_view word_behind(std::string_view t, std::size_t at) {
  std::size_t end = at;
  while (end > 0 && at - end < 3 && std::string_view(" :\"'(\n").find(t[end - 1]) != std::string_view::npos) --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < 17 && is_alpha(t[begin - 1])) --begin;
  if (end == at || end - begin > 16 || word_before(t, begin)) return {};
  return t.substr(begin, end - begin);
}

bool after_version(std::string_view t, std::size_t at) {
  while (at > 0 && (t[at - 1] == ' ' || t[at - 1] == '.')) --at;
  std::size_t begin = at;
  while (begin > 0 && at - begin < 8 && is_alpha(t[begin - 1])) --begin;
  constexpr auto kWords =
      std::to_array<std::string_view>({"version", "versions", "ver", "v", "release", "section", "chapter"});
  const std::string_view word = t.substr(begin, at - begin);
  return std::ranges::any_of(kWords,
                             [&](std::string_view w) { return w.size() == word.size() && continues(word, 0, w); });
}

bool unit_follows(std::string_view t, std::size_t i) {
  if (peek(t, i) == '%') return true;
  if (peek(t, i) == '/' && word_at(t, i + 1)) return true;
  if (const std::size_t next = after_space(t, i)) i = next;
  if (peek(t, i) == '%') return true;
  constexpr auto kUnits = std::to_array<std::string_view>(
      {"mg",    "ml",    "g",   "kg",      "mcg",   "ug",     "l",      "dl",       "mm",
       "cm",    "m",     "km",  "iu",      "u",     "units",  "unit",   "cells",    "copies",
       "usd",   "eur",   "gbp", "dollars", "euros", "pounds", "people", "patients", "inhabitants",
       "years", "steps", "per", "bytes",   "times", "hours",  "miles",  "degrees",  "percent"});
  std::size_t end = i;
  while (end - i < 12 && is_alpha(peek(t, end))) ++end;
  const std::string_view word = t.substr(std::min(i, t.size()), end - i);
  return std::ranges::any_of(kUnits,
                             [&](std::string_view w) { return w.size() == word.size() && continues(word, 0, w); });
}

}  // namespace residue::text::match
