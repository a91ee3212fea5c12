#include "text/characters/accents.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"
#include "text/characters/as_read.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

// Letters that Unicode does not take apart.
struct Whole {
  char32_t letter;
  std::string_view plain;
};
constexpr Whole kWholes[] = {
    {U'ß', "ss"}, {U'ẞ', "SS"}, {U'æ', "ae"}, {U'Æ', "Ae"}, {U'œ', "oe"}, {U'Œ', "Oe"}, {U'þ', "th"}, {U'Þ', "Th"},
    {U'ð', "d"},  {U'Ð', "D"},  {U'ø', "o"},  {U'Ø', "O"},  {U'đ', "d"},  {U'Đ', "D"},  {U'ħ', "h"},  {U'Ħ', "H"},
    {U'ı', "i"},  {U'ɑ', "a"},  {U'ɡ', "g"},  {U'ł', "l"},  {U'Ł', "L"},  {U'ŧ', "t"},  {U'Ŧ', "T"},  {U'ƀ', "b"},
    {U'Ƀ', "B"},  {U'ƌ', "d"},  {U'Ƌ', "D"},  {U'Ɨ', "I"},  {U'ɨ', "i"},  {U'Ʉ', "U"},  {U'ʉ', "u"},  {U'ƶ', "z"},
    {U'Ƶ', "Z"},  {U'ǥ', "g"},  {U'Ǥ', "G"},  {U'ƚ', "l"},  {U'Ƚ', "L"},  {U'ɍ', "r"},  {U'Ɍ', "R"},  {U'ɏ', "y"},
    {U'Ɏ', "Y"},  {U'ȼ', "c"},  {U'Ȼ', "C"},  {U'Ⱥ', "A"},  {U'ⱥ', "a"},  {U'ɇ', "e"},  {U'Ɇ', "E"},  {U'ɉ', "j"},
    {U'Ɉ', "J"},  {U'ⱦ', "t"},  {U'Ⱦ', "T"}};

bool is_mark(char32_t c) { return c >= 0x300 && c <= 0x36F; }

// Of the blocks that hold Latin letters with accents: the letters without them; empty where there are none.
class Plain {
 public:
  Plain() : letters_(kEnd) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* const apart = icu::Normalizer2::getNFDInstance(status);
    if (U_FAILURE(status)) throw Error(Code::kInternal, "ICU could not normalize a text", "please report this");
    icu::UnicodeString parts;
    for (char32_t c = 0x80; c < kEnd; ++c) {
      if (!apart->getDecomposition(static_cast<UChar32>(c), parts)) continue;
      const char32_t base = static_cast<char32_t>(parts.char32At(0));
      if (base < 0x80 && is_alpha(static_cast<char>(base))) {
        letters_[c] = static_cast<char>(base);
      } else if (base > 0x80 && base < c && !letters_[base].empty()) {
        letters_[c] = letters_[base];
      } else {
        for (const Whole& whole : kWholes) {
          if (whole.letter == base) letters_[c] = whole.plain;
        }
      }
    }
    for (const Whole& whole : kWholes) letters_[whole.letter] = whole.plain;
  }

  [[nodiscard]] std::string_view of(char32_t c) const { return c < kEnd ? letters_[c] : std::string_view(); }

 private:
  static constexpr char32_t kEnd = 0x2C80;  // behind Latin Extended-C
  std::vector<std::string> letters_;
};

const Plain& plain() {
  static const Plain instance;
  return instance;
}

}  // namespace

std::optional<std::string> without_accents(std::string_view text) {
  if (is_ascii(text)) return std::nullopt;
  std::string out;
  std::size_t copied = 0;
  bool latin = false;  // The last letter is one of ASCII's, or became it.
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      latin = is_alpha(text[at]);
      ++at;
      continue;
    }
    const CodePoint c = code_point_at(text, at);
    const bool mark = is_mark(c.value);
    const std::string_view letters = mark ? std::string_view() : plain().of(c.value);
    if (!letters.empty() || (mark && latin)) {
      out.append(text, copied, at - copied);
      out += letters;
      copied = at + c.bytes;
    }
    if (!mark) latin = !letters.empty();
    at += c.bytes;
  }
  if (copied == 0) return std::nullopt;
  out.append(text, copied);
  return out;
}

std::string_view without_accents(std::string_view text, std::string& store) {
  auto found = without_accents(text);
  if (!found) return text;
  store = std::move(*found);
  return store;
}

bool accents_dropped(std::string_view a, std::string_view b) {
  struct Words {
    std::unordered_set<std::string> accented, others;  // both without accents
  };
  const auto words_of = [](std::string_view text) {
    Words words;
    for (ReadToken& token : read_tokens(text)) {
      if (without_accents(slice(text, token.span))) {
        words.accented.insert(without_accents(token.word).value_or(token.word));
      } else {
        words.others.insert(std::move(token.word));
      }
    }
    return words;
  };
  if (!without_accents(a) && !without_accents(b)) return false;  // Most texts beyond ASCII have a dash or a degree.
  const Words in_a = words_of(a), in_b = words_of(b);
  const auto meets = [](const std::unordered_set<std::string>& few, const std::unordered_set<std::string>& many) {
    return std::any_of(few.begin(), few.end(), [&](const std::string& word) { return many.count(word) != 0; });
  };
  return meets(in_a.accented, in_b.others) || meets(in_b.accented, in_a.others);
}

}  // namespace residue::text
