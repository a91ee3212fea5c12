#include "text/words/words.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/characters/break_iterator.h"

namespace residue::text {
namespace {

// Word_Break classes of ASCII, as far as ICU's root rules tell them apart (a colon joins nothing there).
enum Class : unsigned char {
  kOther,
  kLetter,
  kDigit,
  kJoiner,     // _
  kMidNumber,  // , ;
  kMidBoth,    // . '
};

constexpr std::array<Class, 128> kClass = [] {
  std::array<Class, 128> table{};
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32] = kLetter;
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = kDigit;
  table['@'] = kLetter;  // ICU since 72: an e-mail address is one word.
  table['_'] = kJoiner;
  table[','] = table[';'] = kMidNumber;
  table['.'] = table['\''] = kMidBoth;
  return table;
}();

Class class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

// The end of the segment at `at`, which begins with a letter, a digit or a joiner (rules WB5 to WB13b).
std::size_t segment_end(std::string_view text, std::size_t at) {
  while (true) {
    const Class here = class_of(text[at]);
    ++at;
    if (at == text.size()) return at;
    const Class next = class_of(text[at]);
    if (next == kLetter || next == kDigit || next == kJoiner) continue;
    if (next == kOther || here == kJoiner || at + 1 == text.size()) return at;
    // One mark may stand between two letters or between two digits.
    const Class after = class_of(text[at + 1]);
    if (after != here || (here == kLetter && next == kMidNumber)) return at;
    ++at;
  }
}

// Words of ASCII text, `base` bytes into the whole.
void ascii_words(std::string_view text, std::size_t base, std::vector<Span>& out) {
  for (std::size_t at = 0; at < text.size();) {
    const Class first = class_of(text[at]);
    if (first != kLetter && first != kDigit && first != kJoiner) {
      ++at;
      continue;
    }
    const std::size_t end = segment_end(text, at);
    // ICU calls one joiner alone no word, several one.
    if (first != kJoiner || end - at > 1) out.push_back({base + at, base + end});
    at = end;
  }
}

void icu_words(std::string_view text, std::size_t base, std::vector<Span>& out) {
  thread_local BreakIterator iterator(BreakIterator::Kind::kWord);
  iterator.set_text(text);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = iterator.next();
    if (iterator.is_word()) out.push_back({base + begin, base + end});
    begin = end;
  }
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The end of the run of blanks and non-blanks at `at`: up to the next blank behind something else.
std::size_t chunk_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  while (at < text.size() && !is_blank(text[at])) ++at;
  return at;
}

}  // namespace

void words(std::string_view text, std::vector<Span>& out) {
  out.clear();
  if (is_ascii(text)) {
    ascii_words(text, 0, out);
    return;
  }
  // No rule for words looks across a blank, so only neighbouring chunks that are not ASCII go to ICU, together.
  std::size_t begin = 0;
  bool ascii = true;
  const auto flush = [&](std::size_t end) {
    if (begin == end) return;
    const std::string_view part = text.substr(begin, end - begin);
    ascii ? ascii_words(part, begin, out) : icu_words(part, begin, out);
    begin = end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = chunk_end(text, at);
    const bool chunk_ascii = is_ascii(text.substr(at, end - at));
    if (chunk_ascii != ascii) flush(at);
    ascii = chunk_ascii;
    at = end;
  }
  flush(text.size());
}

std::vector<Span> words_by_icu(std::string_view text) {
  std::vector<Span> out;
  icu_words(text, 0, out);
  return out;
}

// Whether a chunk between blanks is in ASCII and has a letter or digit: that is a word, whatever stands around.
bool has_plain_word(std::string_view text) {
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = chunk_end(text, at);
    const std::string_view chunk = text.substr(at, end - at);
    const auto starts = [](char c) { return class_of(c) == kLetter || class_of(c) == kDigit; };
    if (is_ascii(chunk) && std::any_of(chunk.begin(), chunk.end(), starts)) return true;
  }
  return false;
}

bool has_word_outside_tags(std::string_view text) {
  std::string outside;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find_first_of("[<", at), text.size());
    if (has_plain_word(text.substr(at, open - at))) return true;
    outside.append(text.substr(at, open - at)).push_back(' ');
    if (open == text.size()) break;
    const std::size_t close = text.find(text[open] == '[' ? ']' : '>', open);
    if (close == std::string_view::npos) {
      outside += text.substr(open);
      break;
    }
    at = close + 1;
  }
  std::ranges::replace(outside, '_', ' ');
  std::vector<Span> found;
  words(outside, found);
  return !found.empty();
}

}  // namespace residue::text
