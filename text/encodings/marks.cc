#include "text/encodings/marks.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <cstddef>
#include <cstdint>

#include "base/ascii.h"
#include "base/error.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewest = 4;  // consonants
constexpr std::size_t kOneIn = 8;

bool is_mark(char32_t c) { return c >= 0x300 && c <= 0x36F; }
// Of the letters that hardly take a mark: Guarani's g and Yoruba's m and n do.
bool is_consonant(char c) {
  return is_alpha(c) && std::string_view("aeioumng").find(static_cast<char>(c | 0x20)) == std::string_view::npos;
}

struct Forms {
  const icu::Normalizer2* composed = nullptr;
  const icu::Normalizer2* apart = nullptr;
};

// Asked for once per process: ICU's own handing over is not visible to ThreadSanitizer.
const Forms& forms() {
  static const Forms all = [] {
    UErrorCode status = U_ZERO_ERROR;
    return Forms{icu::Normalizer2::getNFCInstance(status), icu::Normalizer2::getNFDInstance(status)};
  }();
  return all;
}

std::string normalized(std::string_view text, const icu::Normalizer2* form) {
  std::string out;
  UErrorCode status = form == nullptr ? U_MISSING_RESOURCE_ERROR : U_ZERO_ERROR;
  if (U_SUCCESS(status)) {
    form->normalize(icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())}), status)
        .toUTF8String(out);
  }
  if (U_FAILURE(status)) throw Error(Code::kInternal, "ICU could not normalize a text", "please report this");
  return out;
}

struct Marked {
  std::size_t letters = 0, marked = 0;
  std::size_t consonants = 0, marked_consonants = 0;
};
Marked marked_of(std::string_view text) {
  Marked out;
  char32_t last = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    at += c.bytes;
    const char letter = last < 0x80 ? static_cast<char>(last) : ' ';
    if (is_mark(c.value)) {
      out.marked += is_alpha(letter) ? 1 : 0;
      out.marked_consonants += is_consonant(letter) ? 1 : 0;
    } else if (c.value < 0x80) {
      out.letters += is_alpha(static_cast<char>(c.value)) ? 1 : 0;
      out.consonants += is_consonant(static_cast<char>(c.value)) ? 1 : 0;
    }
    last = c.value;
  }
  return out;
}

}  // namespace

std::optional<std::string> without_marks(std::string_view text) {
  if (text.find('\xCC') == std::string_view::npos && text.find('\xCD') == std::string_view::npos) return std::nullopt;
  const std::string composed = normalized(text, forms().composed);
  const Marked rare = marked_of(composed);
  if (rare.marked_consonants < kFewest || rare.marked_consonants * kOneIn < rare.consonants) return std::nullopt;
  const std::string apart = normalized(text, forms().apart);
  const Marked all = marked_of(apart);
  const std::string& from = all.marked * 2 >= all.letters ? apart : composed;
  std::string out;
  for (std::size_t at = 0; at < from.size();) {
    const CodePoint c = code_point_at(from, at);
    if (!is_mark(c.value)) out += from.substr(at, c.bytes);
    at += c.bytes;
  }
  return normalized(out, forms().composed);
}

}  // namespace residue::text
