#include "text/measures/vader_lexicon.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <span>

#include "base/error.h"
#include "text/characters/eight_bytes.h"
#include "text/characters/python_text.h"
#include "text/characters/unicode.h"
#include "text/measures/vader_words.h"

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

std::uint64_t hash_of(const ShortWord& start, std::size_t length) {
  return scatter(scatter(start.head ^ (static_cast<std::uint64_t>(length) << 56)) ^ start.tail);
}

// The 0x80 of each ASCII byte that is no white space.
std::uint64_t mark_words(std::uint64_t word) {
  return ~(in_range(word, '\t', '\r') | in_range(word, '\x1C', ' ')) & (kEachByte * 0x80);
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

// Is n't, in any letters, in the word?
bool has_negation(std::string_view word) {
  for (std::size_t at = 1; at + 1 < word.size(); ++at) {
    if (word[at] == '\'' && small(word[at - 1]) == 'n' && small(word[at + 1]) == 't') return true;
  }
  return false;
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
  slots_.reset(words_.size());
  seen_.assign(kSeenBits / 64, 0);
  std::string padded;
  for (std::uint32_t number = kUnknownNegation + 1; number < words_.size(); ++number) {
    const std::string& spelling = words_[number].spelling;
    // Texts are compared in lower case, so these are never met.
    if (lower(spelling) != spelling) continue;
    pad(spelling, '\0', padded);
    const ShortWord start = load_short(padded.data(), spelling.size());
    const std::uint64_t hash = hash_of(start, spelling.size());
    seen_[(hash % kSeenBits) / 64] |= std::uint64_t{1} << (hash % 64);
    slots_.at(hash, [](const Slot&) { return false; }) = {start, static_cast<std::uint32_t>(spelling.size()), number};
  }
}

const VaderLexicon::Word& VaderLexicon::find(std::string_view word) const {
  ShortWord start = load_short(word.data(), word.size());
  const std::uint64_t apostrophes = in_range(start.head, '\'', '\'') | in_range(start.tail, '\'', '\'');
  start = {lower_ascii(start.head), lower_ascii(start.tail)};
  const std::uint64_t hash = hash_of(start, word.size());
  if (((seen_[(hash % kSeenBits) / 64] >> (hash % 64)) & 1) != 0) {
    const Slot& slot = slots_.at(hash, [&](const Slot& one) {
      return one.start == start && one.length == word.size() &&
             (word.size() <= 16 || std::ranges::equal(word, words_[one.word].spelling, {}, small));
    });
    if (!slot.free()) return words_[slot.word];
  }
  const bool negation = (apostrophes != 0 || word.size() > 16) && has_negation(word);
  return words_[negation ? kUnknownNegation : kUnknown];
}

VaderLexicon::Token VaderLexicon::ascii_token(std::string_view spelling) const {
  const ShortWord start = load_short(spelling.data(), spelling.size());
  std::uint64_t capitals = in_range(start.head, 'A', 'Z') | in_range(start.tail, 'A', 'Z');
  std::uint64_t smalls = in_range(start.head, 'a', 'z') | in_range(start.tail, 'a', 'z');
  for (std::size_t i = 16; i < spelling.size(); ++i) {
    capitals |= spelling[i] >= 'A' && spelling[i] <= 'Z' ? 1 : 0;
    smalls |= spelling[i] >= 'a' && spelling[i] <= 'z' ? 1 : 0;
  }
  return {&find(spelling), capitals != 0 && smalls == 0};
}

VaderLexicon::Token VaderLexicon::any_token(std::string_view spelling) const {
  std::string padded;
  const std::string lower_case = lower(spelling);
  pad(lower_case, '\0', padded);
  return {&find(std::string_view(padded).substr(0, lower_case.size())), is_upper(spelling)};
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
  const auto stripped = [](std::string_view word) {
    while (!word.empty() && class_of(word.back()) == kPunctuation) word.remove_suffix(1);
    while (!word.empty() && class_of(word.front()) == kPunctuation) word.remove_prefix(1);
    return word;
  };
  if (is_ascii(text)) {
    thread_local std::string padded;
    pad(text, ' ', padded);
    each_marked_run(padded.data(), text.size(), mark_words, [&](std::size_t begin, std::size_t end) {
      const std::string_view whole(padded.data() + begin, end - begin);
      const std::string_view bare = stripped(whole);
      out.push_back(ascii_token(bare.size() <= 2 ? whole : bare));
    });
    return;
  }
  for_each_python_word(text, [&](Span word) {
    const std::string_view whole = slice(text, word);
    const std::string_view bare = stripped(whole);
    out.push_back(any_token(code_points(bare) <= 2 ? whole : bare));
  });
}

}  // namespace residue::text
