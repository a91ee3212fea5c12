#include "text/encodings/look_alikes.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

enum class Kind : std::uint8_t { kOther, kForeign, kLatin, kGreekLike, kScriptLike, kShape, kRinged };

struct Letter {
  Kind kind = Kind::kOther;
  char latin = 0;
};

// What ICU takes for alike only as capitals, or spells in two steps.
struct Extra {
  char32_t letter;
  char latin;
};
constexpr Extra kSmall[] = {{U'к', 'k'}, {U'м', 'm'}, {U'н', 'h'}, {U'т', 't'}, {U'в', 'b'}};
constexpr Extra kShapes[] = {{U'ᴀ', 'a'}, {U'ʙ', 'b'}, {U'ᴄ', 'c'}, {U'ᴅ', 'd'}, {U'ᴇ', 'e'}, {U'ꜰ', 'f'}, {U'ɢ', 'g'},
                             {U'ʜ', 'h'}, {U'ɪ', 'i'}, {U'ᴊ', 'j'}, {U'ᴋ', 'k'}, {U'ʟ', 'l'}, {U'ᴍ', 'm'}, {U'ɴ', 'n'},
                             {U'ᴏ', 'o'}, {U'ᴘ', 'p'}, {U'ʀ', 'r'}, {U'ꜱ', 's'}, {U'ᴛ', 't'}, {U'ᴜ', 'u'}, {U'ᴠ', 'v'},
                             {U'ᴡ', 'w'}, {U'ʏ', 'y'}, {U'ᴢ', 'z'}, {U'ɑ', 'a'}, {U'ɡ', 'g'}};

constexpr char32_t kPhonetic = 0x250, kLastPhonetic = 0x2FF;  // IPA's own letters and signs

bool is_latin_letter(char32_t c) { return c < 0x80 && ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// Letters in circles, squares and brackets. Two flag letters are a flag.
char ringed(char32_t c) {
  struct Row {
    char32_t first;
    char latin;
  };
  for (const Row& row : {Row{0x249C, 'a'}, Row{0x24B6, 'A'}, Row{0x24D0, 'a'}, Row{0x1F110, 'A'}, Row{0x1F130, 'A'},
                         Row{0x1F150, 'A'}, Row{0x1F170, 'A'}}) {
    if (c >= row.first && c < row.first + 26) return static_cast<char>(row.latin + static_cast<char>(c - row.first));
  }
  return 0;
}

UScriptCode script_of(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &status);
}

// The ASCII letter that `c` looks like by itself, or 0.
char skeleton(const USpoofChecker& checker, char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString out;
  const auto value = static_cast<UChar32>(c);
  uspoof_getSkeletonUnicodeString(&checker, 0, icu::UnicodeString(value), out, &status);
  if (U_FAILURE(status) != 0) throw Error(Code::kInternal, "ICU could not compare letters", "please report this");
  if (out.length() != 1 || !is_latin_letter(out[0])) return 0;
  const char latin = static_cast<char>(out[0]);
  // I, l and 1 are one in skeletons.
  if (u_isupper(value) != 0) return latin == 'l' ? 'I' : static_cast<char>(latin & ~0x20);
  return static_cast<char>(latin | 0x20);
}

using Letters = std::unordered_map<char32_t, Letter>;

Letters read_letters() {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USpoofChecker, decltype(&uspoof_close)> checker(uspoof_open(&status), uspoof_close);
  if (U_FAILURE(status) != 0) throw Error(Code::kInternal, "ICU's look-alikes are missing", "install libicu again");
  Letters out;
  constexpr char32_t kEnd = 0x20000;
  for (char32_t c = 0x370; c < kEnd; ++c) {
    if (u_isalpha(static_cast<UChar32>(c)) == 0) continue;
    const UScriptCode script = script_of(c);
    if (script != USCRIPT_GREEK && script != USCRIPT_CYRILLIC && script != USCRIPT_ARMENIAN &&
        script != USCRIPT_CHEROKEE && script != USCRIPT_COPTIC && script != USCRIPT_LISU) {
      continue;
    }
    if (const char latin = skeleton(*checker, c); latin != 0) {
      out[c] = {script == USCRIPT_GREEK ? Kind::kGreekLike : Kind::kScriptLike, latin};
    }
  }
  for (const Extra& extra : kSmall) out[extra.letter] = {Kind::kScriptLike, extra.latin};
  for (const Extra& extra : kShapes) out[extra.letter] = {Kind::kShape, extra.latin};
  return out;
}

Letter letter(char32_t c) {
  if (c < 0x80) return {is_latin_letter(c) ? Kind::kLatin : Kind::kOther, static_cast<char>(c)};
  static const Letters letters = read_letters();
  if (const auto found = letters.find(c); found != letters.end()) return found->second;
  if (const char latin = ringed(c); latin != 0) return {Kind::kRinged, latin};
  const auto value = static_cast<UChar32>(c);
  if (u_isalpha(value) == 0 && (U_GET_GC_MASK(value) & U_GC_M_MASK) == 0) return {};
  return {script_of(c) == USCRIPT_LATIN || script_of(c) == USCRIPT_INHERITED ? Kind::kLatin : Kind::kForeign, 0};
}

// A letter, mark or ringed letter outside of words in ASCII alone.
struct Place {
  std::size_t at = 0;
  std::size_t bytes = 1;
  Letter letter;
};

struct Word {
  std::size_t first = 0, end = 0;  // places
  bool latin = false, phonetic = false, foreign = false, greek = false, script = false;
  std::size_t shapes = 0, ringed = 0;
  bool woven = false;  // A look-alike stands before a Latin letter, or there are several: no suffix.
};

// Words with characters beyond ASCII.
class Words {
 public:
  explicit Words(std::string_view text) {
    bool beyond = false;
    Word word;
    const auto close = [&] {
      word.end = places_.size();
      if (beyond) {
        words_.push_back(word);
      } else {
        places_.resize(word.first);
      }
      word = {};
      word.first = places_.size();
      beyond = false;
    };
    std::size_t alike = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (word.first == places_.size()) {
        at = next_word_beyond(text, at);
        if (at == text.size()) break;
      }
      const CodePoint c = code_point_at(text, at);
      const Letter one = letter(c.value);
      if (one.kind == Kind::kOther) {
        if (word.first < places_.size()) close();
        alike = 0;
      } else {
        const bool is_alike = one.kind == Kind::kGreekLike || one.kind == Kind::kScriptLike;
        beyond = beyond || c.value >= 0x80;
        word.latin = word.latin || one.kind == Kind::kLatin;
        word.foreign = word.foreign || one.kind == Kind::kForeign;
        word.greek = word.greek || one.kind == Kind::kGreekLike;
        word.script = word.script || one.kind == Kind::kScriptLike;
        word.phonetic = word.phonetic || (one.kind == Kind::kLatin && c.value >= kPhonetic && c.value <= kLastPhonetic);
        word.shapes += one.kind == Kind::kShape ? 1 : 0;
        word.ringed += one.kind == Kind::kRinged ? 1 : 0;
        word.woven = word.woven || (alike > 0 && (is_alike || one.kind == Kind::kLatin));
        alike = is_alike ? 1 : 0;
        places_.push_back({at, c.bytes, one});
      }
      at += c.bytes;
    }
    if (word.first < places_.size()) close();
  }

  [[nodiscard]] const std::vector<Word>& words() const { return words_; }
  [[nodiscard]] const Place& place(std::size_t i) const { return places_[i]; }

 private:
  // The begin of the next word that has a character beyond ASCII, or the text's end.
  static std::size_t next_word_beyond(std::string_view text, std::size_t at) {
    std::size_t next = at;
    while (next < text.size() && static_cast<unsigned char>(text[next]) < 0x80) ++next;
    if (next == text.size()) return next;
    while (next > at && is_latin_letter(static_cast<unsigned char>(text[next - 1]))) --next;
    return next;
  }

  std::vector<Place> places_;
  std::vector<Word> words_;
};

}  // namespace

std::optional<std::string> without_look_alikes(std::string_view text) {
  if (is_ascii(text)) return std::nullopt;
  const Words words(text);
  std::size_t greek_mixed = 0, script_mixed = 0;
  bool shaped = false, ringed = false;  // A word has two of them.
  bool other_words = false;             // so that a word of look-alikes alone may be one of theirs
  for (const Word& word : words.words()) {
    const bool mixed = word.latin && !word.foreign && word.woven;
    greek_mixed += mixed && word.greek ? 1 : 0;
    script_mixed += mixed && word.script ? 1 : 0;
    other_words = other_words || word.foreign;
    shaped = shaped || (word.shapes > 1 && !word.foreign && !word.phonetic);
    ringed = ringed || word.ringed > 1;
  }
  const bool greek = greek_mixed > 1, script = script_mixed > 0;
  std::string out;
  std::size_t copied = 0;
  const auto put = [&](const Place& place) {
    out += text.substr(copied, place.at - copied);
    out += place.letter.latin;
    copied = place.at + place.bytes;
  };
  for (const Word& word : words.words()) {
    const bool readable = !word.foreign && (word.latin || !other_words);
    for (std::size_t i = word.first; i < word.end; ++i) {
      const Place& place = words.place(i);
      const Kind kind = place.letter.kind;
      if ((kind == Kind::kGreekLike && greek && readable) || (kind == Kind::kScriptLike && script && readable) ||
          (kind == Kind::kShape && shaped && !word.foreign && !word.phonetic) || (kind == Kind::kRinged && ringed)) {
        put(place);
      }
    }
  }
  if (copied == 0) return std::nullopt;
  out += text.substr(copied);
  return out;
}

}  // namespace residue::text
