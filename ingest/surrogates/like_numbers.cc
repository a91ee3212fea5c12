#include "ingest/surrogates/like_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/hash.h"
#include "ingest/surrogates/written_names.h"
#include "text/characters/folding.h"
#include "text/characters/token_diff.h"
#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"

namespace residue::ingest {
namespace {

using text::NameBits;

}  // namespace

std::string shaped(const Draws& draw, std::string_view original, std::uint64_t attempt, std::size_t keep, Shape shape) {
  std::string made;
  bool number = false;  // the character before is a digit
  const std::uint64_t own = draw(original, attempt);
  for (std::size_t i = 0, bytes = 0; i < original.size(); i += bytes) {
    const text::CodePoint point = text::code_point_at(original, i);
    bytes = point.bytes;
    const std::string_view written = original.substr(i, bytes);
    const std::string read = bytes == 1 ? std::string(written) : text::folded(written);
    const char c = read.size() == 1 ? read[0] : '\0';
    const std::uint64_t drawn = hash_of(own, "", i);
    const bool leads = !number;
    number = is_digit(c);
    if (leads && number && shape == Shape::kDates && is_digit(c)) {  // years say whether a date is one
      std::size_t end = i;
      while (end < original.size() && is_digit(original[end])) ++end;
      if (end - i == 4) bytes = 4;
      if (end - i == 4) made += original.substr(i, 4);
      if (end - i == 4) continue;
    }
    if (i < keep) {
      made += written;
    } else if (number) {
      made += static_cast<char>(leads && c != '0' ? '1' + drawn % 9 : '0' + drawn % 10);
    } else if (shape == Shape::kHex && (small(c) || capital(c))) {
      made += static_cast<char>((small(c) ? 'a' : 'A') + drawn % 6);
    } else if (capital(c) && (shape == Shape::kLetters || shape == Shape::kCapitals)) {
      made += static_cast<char>('A' + drawn % 26);
    } else if (small(c) && shape == Shape::kLetters) {
      made += static_cast<char>('a' + drawn % 26);
    } else if (shape == Shape::kLetters && bytes > 1 && text::is_word_character(point.value)) {
      made += 'x';  // another letter
    } else {
      made += written;
    }
  }
  return made;
}

std::string email_like(const Draws& draw, std::string_view original, std::uint64_t attempt) {
  const auto plain = [&](std::uint8_t kind, std::uint64_t number) {
    static const auto first = text::own_names(NameBits::kFirst), last = text::own_names(NameBits::kLast);
    const auto& list = kind == NameBits::kFirst ? first : last;
    for (std::uint64_t i = number;; i += 1'000) {
      const std::string name = text::lower(list[draw(original, i) % list.size()]);
      if (std::ranges::all_of(name, small)) return name;
    }
  };
  return fmt::format("{}.{}@example.org", plain(NameBits::kFirst, attempt * 2 + 1),
                     plain(NameBits::kLast, attempt * 2 + 2));
}

std::string url_like(const Draws& draw, std::string_view original, std::uint64_t attempt) {
  const std::size_t scheme = original.find("://");
  std::string made(scheme == std::string_view::npos ? std::string_view() : original.substr(0, scheme + 3));
  const std::string_view rest = original.substr(made.size());
  if (text::lower(rest.substr(0, 3)) == "www") made += rest.substr(0, rest.find('.') + 1);
  made += "example.org";
  return made.append("/").append(shaped(draw, "abcdefgh", attempt + draw(original, 0) % 1'000'000, 0));
}

std::string ip_like(const Draws& draw, std::string_view original, std::uint64_t attempt) {
  const std::uint64_t drawn = draw(original, attempt);
  if (original.find(':') != std::string_view::npos) {
    const std::size_t zone = std::min(original.find('%'), original.size());
    return fmt::format("2001:db8::{:x}:{:x}{}", drawn % 0xFFFF + 1, (drawn >> 16U) % 0xFFFF + 1, original.substr(zone));
  }
  constexpr std::array kBlocks{"192.0.2", "198.51.100", "203.0.113"};
  return fmt::format("{}.{}", kBlocks[drawn % kBlocks.size()], (drawn >> 8U) % 254 + 1);
}

std::string other_digits(const Draws& draw, std::string_view original, std::uint64_t attempt, std::string words) {
  const std::uint64_t own = draw(original, attempt);
  const std::string from = words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_digit(from[i])) continue;
    const std::uint64_t drawn = hash_of(own, "", i);
    const bool leads = i == 0 || !is_digit(from[i - 1]);
    words[i] = static_cast<char>(leads && from[i] != '0' ? '1' + drawn % 9 : '0' + drawn % 10);
  }
  return words;
}

}  // namespace residue::ingest
