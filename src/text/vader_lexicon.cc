#include "text/vader_lexicon.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "text/python_text.h"
#include "text/unicode.h"
#include "text/vader_words.h"

namespace residue::text {
namespace {

constexpr std::uint32_t kUnknown = 0;
constexpr std::uint32_t kUnknownNegation = 1;  // unknown, but with n't in it
constexpr std::size_t kSeenBits = std::size_t{1} << 17;

enum Class : unsigned char { kLetter, kPunctuation, kSpace };

constexpr std::array<Class, 256> kClass = [] {
  std::array<Class, 256> table{};
  for (unsigned c = '!'; c <= '~'; ++c) {
    const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!alphanumeric) table[c] = kPunctuation;
  }
  for (unsigned c = 0; c < 0x80; ++c) {
    if (is_ascii_python_space(c)) table[c] = kSpace;
  }
  return table;
}();

Class class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

// Up to eight bytes, zero behind them.
std::uint64_t load(const char* at, std::size_t length) {
  std::uint64_t out = 0;
  std::memcpy(&out, at, std::min<std::size_t>(8, length));
  return out;
}

// The 0x80 of each ASCII byte from `first` to `last`.
std::uint64_t in_range(std::uint64_t bytes, char first, char last) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  const std::uint64_t low = bytes & (kOnes * 0x7F);
  const std::uint64_t above = low + kOnes * static_cast<std::uint64_t>(0x80 - first);
  const std::uint64_t beyond = low + kOnes * static_cast<std::uint64_t>(0x7F - last);
  return above & ~beyond & ~bytes & (kOnes * 0x80);
}

std::uint64_t lower_ascii(std::uint64_t bytes) { return bytes | (in_range(bytes, 'A', 'Z') >> 2); }

std::uint64_t scatter(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

// Of the lower case of `word`, whose own ASCII letters may be capitals.
std::uint64_t hash_of(std::string_view word) {
  std::uint64_t hash = word.size();
  for (std::size_t i = 0; i < word.size(); i += 8) {
    hash = scatter(hash ^ lower_ascii(load(word.data() + i, word.size() - i)));
  }
  return hash;
}

bool equals_lowered(std::string_view spelling, std::string_view word) {
  for (std::size_t i = 0; i < word.size(); i += 8) {
    if (load(spelling.data() + i, spelling.size() - i) != lower_ascii(load(word.data() + i, word.size() - i))) {
      return false;
    }
  }
  return true;
}

// str.isupper().
bool is_upper(std::string_view word) {
  bool cased = false;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint c = code_point_at(word, at);
    const auto value = static_cast<UChar32>(c.value);
    if (u_hasBinaryProperty(value, UCHAR_LOWERCASE) != 0 || u_istitle(value) != 0) return false;
    cased = cased || u_hasBinaryProperty(value, UCHAR_UPPERCASE) != 0;
    at += c.bytes;
  }
  return cased;
}

// Calls `f(line number, first field, second field)` for each line that is not empty; both fields are empty where there
// is no tab.
template <class F>
void each_line(std::string_view text, F&& f) {
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = python_strip(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      f(number, std::string_view(), std::string_view());
      continue;
    }
    const std::string_view rest = line.substr(tab + 1);
    f(number, line.substr(0, tab), rest.substr(0, rest.find('\t')));
  }
}

}  // namespace

VaderLexicon::VaderLexicon(std::string_view lexicon, std::string_view emoji) {
  words_.resize(2);
  words_[kUnknownNegation].roles = kVaderNegates;
  read_valences(lexicon);
  read_emoji(emoji);
  for (const VaderRoleWord& word : vader_role_words()) entry(word.word).roles |= word.role;
  const auto add_boosters = [this](std::span<const std::string_view> boosters, double value) {
    for (const std::string_view booster : boosters) {
      Word& word = entry(booster);
      word.roles |= kVaderBooster;
      word.booster = value;
    }
  };
  add_boosters(vader_intensifiers(), kVaderMore);
  add_boosters(vader_dampeners(), -kVaderMore);
  const auto add_part = [this](std::string_view word) {
    if (!word.empty()) entry(word).in_phrase = true;
  };
  for (const VaderPhrase& phrase : vader_phrases()) std::ranges::for_each(phrase.words, add_part);
  for (const auto& pair : vader_double_dampeners()) std::ranges::for_each(pair, add_part);
  for (Word& word : words_) {
    if (word.spelling.find("n't") != std::string::npos) word.roles |= kVaderNegates;
  }
  index();
}

VaderLexicon::Word& VaderLexicon::entry(std::string_view spelling) {
  if (const auto found = numbers_.find(spelling); found != numbers_.end()) return words_[found->second];
  words_.push_back({.spelling = std::string(spelling)});
  numbers_.emplace(words_.back().spelling, static_cast<std::uint32_t>(words_.size() - 1));
  return words_.back();
}

void VaderLexicon::read_valences(std::string_view lexicon) {
  std::size_t words = 0;
  each_line(lexicon, [&](std::size_t line, std::string_view spelling, std::string_view number) {
    double valence = 0;
    if (number.starts_with('+')) number.remove_prefix(1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), valence);
    if (spelling.empty() || error != std::errc() || end != number.data() + number.size() || !std::isfinite(valence)) {
      throw Error(Code::kBadInput, fmt::format("line {} of the lexicon is not a word, a tab and a number", line),
                  "the file is vader_lexicon.txt of vaderSentiment, or has its form");
    }
    Word& word = entry(spelling);
    word.roles |= kVaderLexicon;
    word.valence = valence;
    ++words;
  });
  if (words == 0) {
    throw Error(Code::kBadInput, "the lexicon has no words",
                "the file is vader_lexicon.txt of vaderSentiment, or has its form");
  }
}

void VaderLexicon::read_emoji(std::string_view emoji) {
  each_line(emoji, [&](std::size_t line, std::string_view character, std::string_view description) {
    if (character.empty()) {
      throw Error(Code::kBadInput, fmt::format("line {} of the emoji table is not a character, a tab and words", line),
                  "the file is emoji_utf8_lexicon.txt of vaderSentiment, or has its form");
    }
    // Texts are read one code point at a time, so longer sequences are never met.
    const CodePoint first = code_point_at(character, 0);
    if (first.bytes == character.size()) emoji_[first.value] = description;
  });
}

void VaderLexicon::index() {
  slots_.assign(std::bit_ceil(words_.size() * 2), Slot{});
  seen_.assign(kSeenBits / 64, 0);
  for (std::uint32_t number = kUnknownNegation + 1; number < words_.size(); ++number) {
    const std::string& spelling = words_[number].spelling;
    // Words with capitals or of other scripts' rules are compared in lower case, so these are never met.
    if (lower(spelling) != spelling) continue;
    const std::uint64_t hash = hash_of(spelling);
    seen_[(hash % kSeenBits) / 64] |= std::uint64_t{1} << (hash % 64);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].length != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {load(spelling.data(), spelling.size()), static_cast<std::uint32_t>(spelling.size()), number};
  }
}

const VaderLexicon::Word& VaderLexicon::find(std::string_view word) const {
  const std::uint64_t hash = hash_of(word);
  if (((seen_[(hash % kSeenBits) / 64] >> (hash % 64)) & 1) != 0) {
    const std::uint64_t head = lower_ascii(load(word.data(), word.size()));
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at].length != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.head == head && slot.length == word.size() &&
          (word.size() <= 8 || equals_lowered(words_[slot.word].spelling, word))) {
        return words_[slot.word];
      }
    }
  }
  for (std::size_t at = 0; (at = word.find('\'', at)) != std::string_view::npos; ++at) {
    const bool negation =
        at > 0 && (word[at - 1] | 0x20) == 'n' && at + 1 < word.size() && (word[at + 1] | 0x20) == 't';
    if (negation) return words_[kUnknownNegation];
  }
  return words_[kUnknown];
}

VaderLexicon::Token VaderLexicon::ascii_token(std::string_view spelling) const {
  std::uint64_t capitals = 0;
  std::uint64_t small = 0;
  for (std::size_t i = 0; i < spelling.size(); i += 8) {
    const std::uint64_t bytes = load(spelling.data() + i, spelling.size() - i);
    capitals |= in_range(bytes, 'A', 'Z');
    small |= in_range(bytes, 'a', 'z');
  }
  return {&find(spelling), capitals != 0 && small == 0};
}

VaderLexicon::Token VaderLexicon::token_of(std::string_view spelling) const {
  if (is_ascii(spelling)) return ascii_token(spelling);
  return {&find(lower(spelling)), is_upper(spelling)};
}

std::string VaderLexicon::emoji_to_words(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  bool behind_space = true;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const CodePoint c = byte < 0x80 ? CodePoint{byte, 1} : code_point_at(text, at);
    const auto found = emoji_.find(c.value);
    if (found == emoji_.end()) {
      out += text.substr(at, c.bytes);
      behind_space = c.value == ' ';
    } else {
      if (!behind_space) out += ' ';
      out += found->second;
      behind_space = false;
    }
    at += c.bytes;
  }
  return out;
}

void VaderLexicon::tokens(std::string_view text, std::vector<Token>& out) const {
  out.clear();
  const bool ascii = is_ascii(text);
  const auto add = [&](Span word) {
    const std::string_view whole = slice(text, word);
    std::string_view stripped = whole;
    while (!stripped.empty() && class_of(stripped.back()) == kPunctuation) stripped.remove_suffix(1);
    while (!stripped.empty() && class_of(stripped.front()) == kPunctuation) stripped.remove_prefix(1);
    const std::size_t length = ascii ? stripped.size() : code_points(stripped);
    const std::string_view spelling = length <= 2 ? whole : stripped;
    out.push_back(ascii ? ascii_token(spelling) : token_of(spelling));
  };
  if (!ascii) {
    for_each_python_word(text, add);
    return;
  }
  for (std::size_t at = 0; at < text.size();) {
    if (class_of(text[at]) == kSpace) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && class_of(text[at]) != kSpace) ++at;
    add({begin, at});
  }
}

}  // namespace residue::text
