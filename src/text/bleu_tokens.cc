// The tokenizers of sacrebleu 2.6. Each is a few rewritings one after the other, and so are they here: what one
// rewriting consumes, the next sees again, and the outcome depends on that.
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <vector>

#include "text/bleu.h"
#include "text/python_text.h"
#include "text/unicode.h"

namespace residue::text {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII punctuation but ' - . , and the space itself.
bool is_separated(char c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string joined_words(std::string_view text) {
  std::string out;
  for_each_python_word(text, [&](Span word) {
    if (!out.empty()) out += ' ';
    out += slice(text, word);
  });
  return out;
}

// Rewrites every two neighbouring characters for which `matches`, from left to right, none twice. Bytes will do:
// whatever is not ASCII is no digit and no stop.
template <class Matches, class Write>
std::string rewrite_pairs(const std::string& text, const Matches& matches, const Write& write) {
  std::string out;
  out.reserve(text.size() * 2);
  std::size_t at = 0;
  while (at < text.size()) {
    if (at + 1 < text.size() && matches(text[at], text[at + 1])) {
      write(out, text[at], text[at + 1]);
      at += 2;
    } else {
      out += text[at++];
    }
  }
  return out;
}

// The part of mteval-v13a that depends on the language, for Western ones.
std::string western(const std::string& line) {
  std::string text;
  text.reserve(line.size() * 2);
  for (const char c : line) {
    if (is_separated(c)) {
      text += ' ';
      text += c;
      text += ' ';
    } else {
      text += c;
    }
  }
  const auto first_alone = [](std::string& out, char a, char b) { out += {' ', a, ' ', b}; };
  const auto second_alone = [](std::string& out, char a, char b) { out += {a, ' ', b, ' '}; };
  text = rewrite_pairs(
      text, [](char a, char b) { return !is_digit(a) && is_stop(b); }, second_alone);
  text = rewrite_pairs(
      text, [](char a, char b) { return is_stop(a) && !is_digit(b); }, first_alone);
  text = rewrite_pairs(
      text, [](char a, char b) { return is_digit(a) && b == '-'; }, second_alone);
  return joined_words(text);
}

std::string v13a(std::string_view line) {
  std::string text = replaced(std::string(line), "<skipped>", "");
  text = replaced(text, "-\n", "");
  text = replaced(text, "\n", " ");
  text = replaced(text, "&quot;", "\"");
  text = replaced(text, "&amp;", "&");
  text = replaced(text, "&lt;", "<");
  text = replaced(text, "&gt;", ">");
  return western(" " + text + " ");
}

bool is_number(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_N_MASK) != 0; }
bool is_punctuation(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_P_MASK) != 0; }
bool is_symbol(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_S_MASK) != 0; }

std::u32string decoded(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    out += c.value;
    at += c.bytes;
  }
  return out;
}

// mteval-v14: punctuation stands alone unless it is between numbers, symbols always.
std::string international(std::string_view line) {
  std::u32string text = decoded(line);
  std::u32string next;
  for (const bool before_it : {true, false}) {
    next.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool pair = at + 1 < text.size() && (before_it ? !is_number(text[at]) && is_punctuation(text[at + 1])
                                                           : is_punctuation(text[at]) && !is_number(text[at + 1]));
      if (!pair) {
        next += text[at];
        continue;
      }
      if (before_it) {
        next += {text[at], U' ', text[at + 1], U' '};
      } else {
        next += {U' ', text[at], U' ', text[at + 1]};
      }
      ++at;
    }
    text.swap(next);
  }
  std::string out;
  for (const char32_t c : text) {
    if (is_symbol(c)) out += ' ';
    append_utf8(out, c);
    if (is_symbol(c)) out += ' ';
  }
  return joined_words(out);
}

struct Range {
  char32_t first;
  char32_t last;
};

// sacrebleu writes two of its ranges with five digits behind \u, which Python reads as four and a digit. So they are
// U+2001 to U+2A6D and U+2F81 to U+2FA1 and take dashes, curly quotes and arrows; kept, because its scores are the
// point.
constexpr std::array kChineseRanges = std::to_array<Range>({
    {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
    {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
    {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},
    {0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
});

std::string chinese(std::string_view line) {
  std::string text;
  for (const char32_t c : decoded(python_strip(line))) {
    const bool alone = std::ranges::any_of(kChineseRanges, [c](Range r) { return r.first <= c && c <= r.last; });
    if (alone) text += ' ';
    append_utf8(text, c);
    if (alone) text += ' ';
  }
  return western(text);
}

std::string characters(std::string_view line) {
  std::string out;
  for (const char32_t c : decoded(line)) {
    if (!out.empty()) out += ' ';
    append_utf8(out, c);
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  for_each_python_word(text, [&](Span word) { out.push_back(slice(text, word)); });
  return out;
}

}  // namespace

std::string sacre_tokenized(std::string_view text, SacreTokenizer tokenizer) {
  const std::string_view line = python_rstrip(text);
  switch (tokenizer) {
    case SacreTokenizer::k13a:
      return v13a(line);
    case SacreTokenizer::kInternational:
      return international(line);
    case SacreTokenizer::kCharacters:
      return characters(line);
    case SacreTokenizer::kChinese:
      return chinese(line);
    case SacreTokenizer::kNone:
      return std::string(line);
  }
  return {};
}

SacreBleu sacre_bleu(std::string_view reference, std::string_view hypothesis, SacreTokenizer tokenizer,
                     SacreSmoothing smoothing, bool lower_case) {
  const auto tokenized = [&](std::string_view text) {
    return lower_case ? sacre_tokenized(lower(text), tokenizer) : sacre_tokenized(text, tokenizer);
  };
  const std::string a = tokenized(reference);
  const std::string b = tokenized(hypothesis);
  const auto reference_tokens = split(a);
  const auto hypothesis_tokens = split(b);
  return sacre_bleu(bleu_counts(reference_tokens, hypothesis_tokens), smoothing);
}

}  // namespace residue::text
