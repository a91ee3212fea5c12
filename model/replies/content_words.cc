#include "model/replies/content_words.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model/replies/answer_words.h"
#include "text/characters/as_read.h"
#include "text/words/porter.h"
#include "text/words/words.h"

namespace residue::model {
namespace {

constexpr std::size_t kLeastWords = 8;
constexpr std::size_t kBeginning = 6;

bool holds_together(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords = {
      // English
      "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
      "been", "before", "being", "both", "but", "by", "can", "can't", "cannot", "could", "did", "didn't", "do", "does",
      "doesn't", "don't", "down", "each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "he's",
      "her", "here", "hers", "him", "his", "how", "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is", "isn't",
      "it", "it's", "its", "just", "may", "me", "might", "more", "most", "must", "my", "no", "nor", "not", "of", "off",
      "on", "once", "one", "only", "or", "other", "our", "out", "over", "own", "same", "shall", "she", "she's",
      "should", "so", "some", "such", "than", "that", "that's", "the", "their", "theirs", "them", "then", "there",
      "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "wasn't",
      "we", "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "without",
      "won't", "would", "you", "you'd", "you're", "your", "yours",
      // German
      "aber", "als", "auch", "auf", "aus", "bei", "bin", "bitte", "da", "dabei", "dass", "dem", "den", "der", "des",
      "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "das", "du", "ein", "eine", "einem", "einen",
      "einer", "er", "es", "für", "habe", "haben", "hat", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "im", "ist",
      "kann", "können", "mein", "meine", "mich", "mir", "mit", "nach", "nicht", "noch", "nur", "oder", "sein", "seine",
      "sich", "sie", "sind", "und", "uns", "vom", "von", "war", "was", "weil", "wenn", "werden", "wie", "wir", "wird",
      "wurde", "zu", "zum", "zur", "über", "um",
      // French
      "ai", "au", "aux", "avec", "c'est", "ce", "ces", "cette", "dans", "de", "du", "elle", "en", "est", "et", "il",
      "j'ai", "je", "la", "le", "les", "leur", "lui", "mais", "mes", "mon", "ne", "nous", "on", "ou", "par", "pas",
      "pour", "que", "qui", "sa", "se", "ses", "son", "sont", "sur", "un", "une", "vous", "à", "été",
      // Spanish, Italian, Portuguese
      "al", "che", "con", "como", "da", "das", "del", "della", "di", "do", "dos", "e", "el", "ella", "em", "era", "es",
      "esta", "este", "esto", "está", "foi", "gli", "ho", "i", "lo", "los", "las", "ma", "me", "mi", "mia", "mio",
      "muy", "na", "nel", "no", "non", "não", "nos", "o", "os", "para", "per", "pero", "por", "porque", "questo",
      "quel", "se", "sono", "su", "um", "uma", "una", "uno", "y", "é", "è",
      // Dutch
      "aan", "bij", "dat", "deze", "dit", "een", "en", "haar", "heb", "heeft", "het", "hij", "hun", "ik", "je", "kan",
      "maar", "met", "mijn", "naar", "niet", "of", "om", "ook", "op", "te", "van", "voor", "we", "werd", "wij", "ze",
      "zijn"};
  return kWords.contains(word);
}

}  // namespace

std::string with_plain_marks(std::string_view text) {
  std::string read = text::as_read(text);
  for (std::size_t at = read.find("\u2019"); at != std::string::npos; at = read.find("\u2019", at)) {
    read.replace(at, 3, "'");
  }
  std::ranges::replace(read, '_', ' ');
  return read;
}

std::set<std::string> content_words(std::string_view text) {
  std::set<std::string> words;
  text::for_each_word(with_plain_marks(text), [&](std::string_view one) {
    std::string word(one);
    if (holds_together(word)) return;
    if (word.ends_with("'s")) word.resize(word.size() - 2);
    if (std::ranges::none_of(word, is_digit)) {
      word = text::porter_stem(word, text::Porter::kMartin);
      if (word.size() > kBeginning) word.resize(kBeginning);
    }
    if (!word.empty()) words.insert(std::move(word));
  });
  return words;
}

std::size_t in_both(const std::set<std::string>& ours, const std::set<std::string>& theirs) {
  return static_cast<std::size_t>(
      std::ranges::count_if(ours, [&](const std::string& word) { return theirs.contains(word); }));
}

namespace {

// Bytes of a tag in the place of something ("[FIRST NAME_1]") that stands at the beginning; 0: none does.
std::size_t tag_at(std::string_view text) {
  const std::size_t end = text.find(']');
  if (!text.starts_with('[') || end == std::string_view::npos || end < 2) return 0;
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == ' ' || c == '-'; };
  return std::ranges::all_of(text.substr(1, end - 1), fits) ? end + 1 : 0;
}

}  // namespace

bool is_of_tags(std::string_view text) {
  std::string rest;
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t tag = tag_at(text.substr(at));
    rest += tag > 0 ? ' ' : text[at];
    any = any || tag > 0;
    at += std::max<std::size_t>(tag, 1);
  }
  return any && content_words(rest).empty();
}

bool has_nothing_of(std::string_view text, std::string_view original) {
  const auto theirs = content_words(original);
  return theirs.size() >= kLeastWords && in_both(content_words(text), theirs) == 0;
}

}  // namespace residue::model
