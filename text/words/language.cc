#include "text/words/language.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/characters/as_read.h"
#include "text/characters/unicode.h"
#include "text/words/analyzer.h"
#include "text/words/words.h"

namespace residue::text {
namespace {

constexpr std::size_t kLeastLetters = 10;  // of another script
constexpr std::size_t kLeastWords = 30;
constexpr std::size_t kOneIn = 50;         // of English prose one in four is one of its function words
constexpr std::size_t kForeignOneIn = 12;  // of prose in these languages one in six or more
constexpr std::size_t kAccentOneIn = 5;
constexpr std::size_t kLongestFunctionWord = 6;

const std::unordered_set<std::string>& function_words() {
  static const std::unordered_set<std::string> words = {
      "the",  "and",  "of",    "to",    "that",  "with",   "for",  "this", "are",   "not",   "have",  "from",
      "you",  "his",  "her",   "she",   "they",  "which",  "been", "were", "would", "their", "there", "my",
      "your", "by",   "be",    "it",    "on",    "but",    "or",   "has",  "had",   "who",   "when",  "about",
      "will", "into", "these", "those", "could", "should", "does", "did",  "what",  "where", "while", "after"};
  return words;
}

// Of languages in Latin letters. None that English notes write too, as words or abbreviations (im, la, op, os, per).
const std::unordered_set<std::string>& foreign_words() {
  static const std::unordered_set<std::string> words = {
      "der",  "und",   "ist",  "nicht", "ein",   "eine",  "einem", "einen", "einer", "mit", "auf",   "dem",   "von",
      "sich", "auch",  "wird", "nach",  "beim",  "seit",  "le",    "les",   "est",   "une", "des",   "du",    "pas",
      "pour", "que",   "qui",  "dans",  "sur",   "avec",  "sont",  "cette", "el",    "los", "las",   "una",   "del",
      "por",  "para",  "como", "pero",  "muy",   "desde", "y",     "il",    "che",   "gli", "della", "delle", "sono",
      "nel",  "alla",  "dei",  "uma",   "com",   "dos",   "pelo",  "mais",  "foi",   "de",  "het",   "een",   "van",
      "niet", "wordt", "bij",  "voor",  "zijn",  "naar",  "och",   "att",   "det",   "som", "inte",  "ikke",  "med",
      "til",  "jest",  "nie",  "przez", "oraz",  "bir",   "ve",    "bu",    "ile",   "ei",  "ett",   "ja",    "hogy",
      "nem",  "egy",   "yang", "dan",   "untuk", "dengan"};
  return words;
}

bool mostly_of_another_script(std::string_view text) {
  std::size_t latin = 0, other = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const char c = text[at]; static_cast<unsigned char>(c) < 0x80) {
      latin += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 1 : 0;
      ++at;
      continue;
    }
    const CodePoint point = code_point_at(text, at);
    at += point.bytes;
    const auto value = static_cast<UChar32>(point.value);
    if (!u_isalpha(value)) continue;
    UErrorCode error = U_ZERO_ERROR;
    ++(uscript_getScript(value, &error) == USCRIPT_LATIN ? latin : other);
  }
  return other >= kLeastLetters && other > latin;
}

// Whether it has enough English function words, counting no more than needed: most texts are English. These are spans
// of the words that terms() gives, of which a possessive can only become one more function word.
bool surely_english(std::string_view written) {
  const bool plain = is_ascii(written);
  const std::string read = plain ? std::string() : as_read(written, Letters::kKept);
  const std::string_view text = plain ? written : read;
  std::vector<Span> spans;
  const auto enough = [&](std::string_view part, std::size_t most_words) {
    std::size_t common = 0;
    return std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
      if (span.end - span.begin <= kLongestFunctionWord) common += function_words().count(lower(slice(part, span)));
      return common * kOneIn >= most_words;
    });
  };
  // Its first half mostly has enough for as many words as a text of ASCII can have. No word goes across a space.
  if (const std::size_t half = text.find(' ', text.size() / 2); plain && half != std::string_view::npos) {
    words(text.substr(0, half), spans);
    if (enough(text, text.size() / 2 + 1)) return true;
  }
  words(text, spans);
  return enough(text, spans.size());
}

// Words with letters beyond ASCII, accents too: terms have none.
std::size_t accented_words(std::string_view written) {
  if (is_ascii(written)) return 0;
  const std::string text = as_read(written, Letters::kKept);
  std::vector<Span> spans;
  words(text, spans);
  const auto is_accented = [&](Span span) {
    std::string_view word = slice(text, span);
    constexpr std::string_view kPossessive = "\u2019s";
    if (word.ends_with(kPossessive)) word.remove_suffix(kPossessive.size());
    return !is_ascii(word);
  };
  return static_cast<std::size_t>(std::count_if(spans.begin(), spans.end(), is_accented));
}

}  // namespace

bool obviously_not_english(std::string_view text) {
  if (!is_ascii(text) && mostly_of_another_script(text)) return true;
  if (surely_english(text)) return false;
  std::vector<std::string> words;
  Analyzer::plain().terms(text, words);
  if (words.size() < kLeastWords) return false;
  std::size_t common = 0, foreign = 0;
  for (const std::string& word : words) {
    common += function_words().count(word);
    foreign += foreign_words().count(word);
  }
  const std::size_t accented = accented_words(text);
  if (common * kOneIn >= words.size()) return false;
  return foreign * kForeignOneIn >= words.size() || accented * kAccentOneIn >= words.size();
}

}  // namespace residue::text
