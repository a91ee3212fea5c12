#include "text/words/sentences.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "text/characters/break_iterator.h"
#include "text/words/abbreviations.h"

namespace residue::text {
namespace {

bool is_letter(char32_t value) { return u_isalpha(static_cast<UChar32>(value)) != 0; }

bool is_upper(char32_t value) { return u_isupper(static_cast<UChar32>(value)) != 0; }

bool is_closer(char32_t value) {
  if (value == '"' || value == '\'') return true;
  switch (u_charType(static_cast<UChar32>(value))) {
    case U_END_PUNCTUATION:
    case U_FINAL_PUNCTUATION:
    case U_INITIAL_PUNCTUATION:
      return true;
    default:
      return false;
  }
}

// The place between two sentences that ICU proposes: white space (or nothing) from `left` to `right`.
struct Gap {
  std::size_t left = 0;
  std::size_t right = 0;
};

// The word that ends at `end`, back to white space or an opening mark.
std::string_view word_before(std::string_view text, std::size_t from, std::size_t end) {
  std::size_t begin = end;
  while (begin > from) {
    const std::size_t last = before(text, begin);
    const char32_t value = code_point_at(text, last).value;
    if (is_space(value) || value == '(' || value == '[' || value == '{' || value == '"' || value == 0x201C ||
        value == 0x2018 || value == 0x2014) {
      break;
    }
    begin = last;
  }
  return text.substr(begin, end - begin);
}

// Letters at `at`, lower-case.
std::string letters_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (!is_letter(c.value)) break;
    at += c.bytes;
  }
  return lower(text.substr(begin, at - begin));
}

// Behind "1.", "12)", "-", "*" or a bullet there must be a blank, or it is a number or a word.
bool is_list_marker_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end > at) {
    if (end - at > 3 || end == text.size() || (text[end] != '.' && text[end] != ')')) return false;
    ++end;
  } else {
    const CodePoint c = code_point_at(text, at);
    if (c.value != '-' && c.value != '*' && c.value != 0x2022) return false;
    end += c.bytes;
  }
  return end == text.size() || is_space(code_point_at(text, end).value);
}

// A sentence that would be nothing but "1." or "(2)" belongs to what follows.
bool is_list_number(std::string_view sentence) {
  if (sentence.size() > 5) return false;
  const auto digits = std::count_if(sentence.begin(), sentence.end(), is_digit);
  return digits > 0 && digits <= 3 && std::all_of(sentence.begin(), sentence.end(), [](char c) {
           return is_digit(c) || c == '.' || c == '(' || c == ')';
         });
}

// "J." of "J. Smith" or "John F. Kennedy": one capital letter behind a capitalized word or nothing. Not "hepatitis C.".
bool is_initial(std::string_view text, std::size_t from, std::string_view word) {
  const CodePoint first = code_point_at(word, 0);
  if (!is_upper(first.value) || word.size() != first.bytes + 1) return false;
  const auto begin = static_cast<std::size_t>(word.data() - text.data());
  const Span previous = trim(text, {from, begin});
  if (previous.begin == previous.end) return true;
  const std::string_view name = word_before(text, from, previous.end);
  return !name.empty() && is_upper(code_point_at(name, 0).value);
}

// Whether the point before `gap` belongs to its word and the sentence goes on.
bool point_joins(std::string_view text, std::size_t from, Gap gap) {
  const std::string_view word = word_before(text, from, gap.left);
  if (word.size() < 2) return false;
  const bool number_follows = is_digit(text[gap.right]) || text[gap.right] == '#';
  const bool starter_follows = begins_sentences(letters_at(text, gap.right));
  if (const auto known = abbreviation(lower(word))) {
    switch (*known) {
      case Abbreviation::kJoins:
        return true;
      case Abbreviation::kBeforeNumber:
        return number_follows;
      case Abbreviation::kMayEnd:
        return !starter_follows;
    }
  }
  return !starter_follows && is_initial(text, from, word);
}

struct Ending {
  char32_t mark = 0;  // The last character before closing quotes and brackets.
  bool closed = false;
};

Ending ending(std::string_view text, std::size_t from, std::size_t end) {
  Ending out;
  while (end > from) {
    const std::size_t last = before(text, end);
    out.mark = code_point_at(text, last).value;
    if (!is_closer(out.mark)) return out;
    out.closed = true;
    end = last;
  }
  return out;
}

bool is_terminal(char32_t mark) {
  return mark == 0x2026 || u_hasBinaryProperty(static_cast<UChar32>(mark), UCHAR_S_TERM) != 0;
}

constexpr std::size_t kWrappedFrom = 60;  // bytes

// Whether a sentence that began at `from` ends at `gap`.
bool is_boundary(std::string_view text, std::size_t from, Gap gap) {
  const std::string_view between = text.substr(gap.left, gap.right - gap.left);
  const auto line_ends = std::count(between.begin(), between.end(), '\n');
  if (line_ends > 1) return true;
  if (line_ends == 1 && is_list_marker_at(text, gap.right)) return true;
  if (is_list_number(text.substr(from, gap.left - from))) return false;

  const Ending end = ending(text, from, gap.left);
  if (end.mark == '.' && !end.closed && point_joins(text, from, gap)) return false;
  // A short line before one that begins with a capital is a heading, an item or a comment of its own; a long one may be
  // prose that was wrapped.
  if (line_ends == 1) {
    const auto next = static_cast<UChar32>(code_point_at(text, gap.right).value);
    const std::size_t line = text.substr(0, gap.left).rfind('\n');
    const std::size_t length = gap.left - (line == std::string_view::npos ? 0 : line + 1);
    return is_terminal(end.mark) || (length < kWrappedFrom && u_isalpha(next) != 0 && u_islower(next) == 0);
  }
  // "Why?" he asked.
  return !(end.closed && u_islower(static_cast<UChar32>(code_point_at(text, gap.right).value)) != 0);
}

}  // namespace

std::vector<Span> sentences(std::string_view text) {
  thread_local BreakIterator iterator(BreakIterator::Kind::kSentence);
  iterator.set_text(text);
  std::vector<Span> out;
  const Span all = trim(text, {0, text.size()});
  std::size_t from = all.begin;
  std::size_t seen = from;  // Gaps up to here are decided.
  while (from < all.end) {
    const std::size_t proposed = iterator.next();
    if (proposed >= all.end) break;
    if (proposed <= seen) continue;
    const Gap gap{trim(text, {from, proposed}).end, trim(text, {proposed, all.end}).begin};
    seen = gap.right;
    if (gap.left <= from || !is_boundary(text, from, gap)) continue;
    out.push_back({from, gap.left});
    from = gap.right;
  }
  if (from < all.end) out.push_back({from, all.end});
  return out;
}

}  // namespace residue::text
