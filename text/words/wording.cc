#include "text/words/wording.h"

#include <unicode/uchar.h>

#include <cstddef>

#include "text/characters/as_read.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

UChar32 unit(char32_t value) { return static_cast<UChar32>(value); }

bool is_digit_sign(char32_t value) { return u_isdigit(unit(value)) != 0; }
bool is_letter_sign(char32_t value) { return u_isalpha(unit(value)) != 0; }

// Bytes of the word of letters and digits at `at`, or of the number there.
struct Word {
  std::size_t bytes = 0;
  bool number = false;
};

// A number may have hyphens, and letters between them: "8f14e45f-ceea-467f" is one.
std::size_t number_at(std::string_view text, std::size_t at) {
  bool digit = false;
  std::size_t end = at;  // behind its last letter or digit
  for (std::size_t i = at; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    const bool figure = is_digit_sign(c.value);
    if (!figure && is_letter_sign(c.value) && (c.value < 'a' || c.value > 'f')) return 0;
    if (!figure && !is_letter_sign(c.value) && (c.value != '-' || end != i)) break;
    digit = digit || figure;
    i += c.bytes;
    if (c.value != '-') end = i;
  }
  return digit ? end - at : 0;
}

Word word_at(std::string_view text, std::size_t at) {
  const CodePoint first = code_point_at(text, at);
  if (!is_letter_sign(first.value) && !is_digit_sign(first.value)) return {};
  if (const std::size_t bytes = number_at(text, at); bytes > 0) return {bytes, true};
  std::size_t end = at;
  while (end < text.size()) {
    const CodePoint c = code_point_at(text, end);
    if (!is_letter_sign(c.value) && !is_digit_sign(c.value)) break;
    end += c.bytes;
  }
  return {end - at, false};
}

std::string without_digits(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size();) {
    const CodePoint c = code_point_at(word, i);
    if (!is_digit_sign(c.value)) out.append(word.substr(i, c.bytes));
    i += c.bytes;
  }
  return out;
}

// Drops what is no letter from the end of `out`, down to the byte `from`.
void drop_signs(std::string& out, std::size_t from) {
  while (out.size() > from) {
    const std::size_t last = before(out, out.size());
    if (is_letter_sign(code_point_at(out, last).value)) break;
    out.resize(last);
  }
}

}  // namespace

std::string wording(std::string_view text) {
  const std::string read = as_read(text);
  std::string out;
  bool behind_number = false;
  std::size_t signs = 0;  // where those behind the last word begin
  for (std::size_t at = 0; at < read.size();) {
    const Word word = word_at(read, at);
    if (word.bytes == 0) {
      const CodePoint c = code_point_at(read, at);
      const bool nothing =
          is_space(c.value) || u_iscntrl(unit(c.value)) != 0 || u_charType(unit(c.value)) == U_FORMAT_CHAR;
      if (!nothing && !out.empty()) out.append(read, at, c.bytes);
      at += c.bytes;
      continue;
    }
    if (word.number) {
      if (behind_number) drop_signs(out, signs);
    } else {
      out += without_digits(std::string_view(read).substr(at, word.bytes));
    }
    behind_number = word.number;
    signs = out.size();
    at += word.bytes;
  }
  drop_signs(out, 0);
  return out;
}

}  // namespace residue::text
