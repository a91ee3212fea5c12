// The tokenizers of sacrebleu 2.6. Each is a few rewritings one after the other, and so are they here: what one
// rewriting consumes, the next sees again, and the outcome depends on that.
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/python_text.h"
#include "text/characters/unicode.h"
#include "text/measures/bleu.h"

namespace residue::text {
namespace {

constexpr bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII punctuation but ' - . , and the space itself.
constexpr bool is_separated(char c) {
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

// What a byte is to western(). The first two are words.
enum class Byte : std::uint8_t { kOther, kDigit, kSpace, kSeparated, kStop, kDash, kNotAscii };

constexpr std::array<Byte, 256> kBytes = [] {
  std::array<Byte, 256> table{};
  for (unsigned c = 0; c < table.size(); ++c) {
    const auto byte = static_cast<char>(c);
    table[c] = c >= 0x80                  ? Byte::kNotAscii
               : is_digit(byte)           ? Byte::kDigit
               : is_ascii_python_space(c) ? Byte::kSpace
               : is_separated(byte)       ? Byte::kSeparated
               : is_stop(byte)            ? Byte::kStop
               : byte == '-'              ? Byte::kDash
                                          : Byte::kOther;
  }
  return table;
}();

// Words with one space between them, written from left to right.
class Words {
 public:
  explicit Words(std::size_t at_most) : out_(at_most, '\0'), end_(out_.data()) {}

  void part() { parted_ = true; }
  void add(char c) {
    if (parted_ && end_ != out_.data()) *end_++ = ' ';
    parted_ = false;
    *end_++ = c;
  }
  void add(std::string_view run) {
    if (parted_ && end_ != out_.data()) *end_++ = ' ';
    parted_ = false;
    end_ = std::copy(run.begin(), run.end(), end_);
  }
  void add_alone(char c) {
    part();
    add(c);
    part();
  }
  std::string take() {
    out_.resize(static_cast<std::size_t>(end_ - out_.data()));
    return std::move(out_);
  }

 private:
  std::string out_;
  char* end_;
  bool parted_ = false;
};

// The part of mteval-v13a that depends on the language, for Western ones. There it is rewritten from left to right:
// what is separated gets spaces around it, then what is no digit and a stop behind it, then a stop and what is no digit
// behind it, then a digit and a dash. Each takes two characters at a time, so of stops in a row every other one is the
// first of two; the last one of an odd number behind a digit, and of an even number behind anything else, is left over
// and stays with a digit that follows. `padded`: as if there were a space at both ends; nothing is like a digit here.
std::string western(std::string_view line, bool padded) {
  const std::size_t size = line.size();
  const auto byte_at = [&](std::size_t at) { return kBytes[static_cast<unsigned char>(line[at])]; };
  const auto digit_at = [&](std::size_t at) { return at < size && byte_at(at) == Byte::kDigit; };
  Words words(2 * size + 1);
  for (std::size_t at = 0; at < size;) {
    const char c = line[at];
    switch (byte_at(at)) {
      case Byte::kOther:
      case Byte::kDigit: {
        const std::size_t begin = at;
        while (at < size && byte_at(at) <= Byte::kDigit) ++at;
        words.add(line.substr(begin, at - begin));
        continue;
      }
      case Byte::kSpace:
        words.part();
        break;
      case Byte::kSeparated:
        words.add_alone(c);
        break;
      case Byte::kDash:
        if (at > 0 && digit_at(at - 1)) {
          words.add_alone(c);
        } else {
          words.add(c);
        }
        break;
      case Byte::kStop: {
        const bool behind_digit = at == 0 ? !padded : digit_at(at - 1);
        const std::size_t begin = at;
        for (; at + 1 < size && byte_at(at + 1) == Byte::kStop; ++at) words.add_alone(line[at]);
        const bool odd = (at - begin) % 2 == 0;
        const bool digit_follows = at + 1 == size ? !padded : digit_at(at + 1);
        if (odd == behind_digit && digit_follows) {
          words.add(line[at]);
        } else {
          words.add_alone(line[at]);
        }
        break;
      }
      case Byte::kNotAscii: {
        const CodePoint character = code_point_at(line, at);
        if (is_python_space(character.value)) {
          words.part();
        } else {
          for (std::size_t i = 0; i < character.bytes; ++i) words.add(line[at + i]);
        }
        at += character.bytes;
        continue;
      }
    }
    ++at;
  }
  return words.take();
}

std::string v13a(std::string_view line) {
  const auto has = [&](char c) { return line.find(c) != line.npos; };
  if (!has('<') && !has('\n') && !has('&')) return western(line, true);
  std::string text = replaced(std::string(line), "<skipped>", "");
  text = replaced(text, "-\n", "");
  text = replaced(text, "\n", " ");
  text = replaced(text, "&quot;", "\"");
  text = replaced(text, "&amp;", "&");
  text = replaced(text, "&lt;", "<");
  text = replaced(text, "&gt;", ">");
  return western(text, true);
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
  return western(text, false);
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
  // Then no word is empty and one space is between two.
  const bool spaced = tokenizer != SacreTokenizer::kCharacters && tokenizer != SacreTokenizer::kNone;
  if (spaced && !a.empty() && !b.empty()) return sacre_bleu(bleu_counts(a, b), smoothing);
  const auto reference_tokens = split(a);
  const auto hypothesis_tokens = split(b);
  return sacre_bleu(bleu_counts(reference_tokens, hypothesis_tokens), smoothing);
}

}  // namespace residue::text
