#include "text/words/porter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "text/characters/unicode.h"

namespace residue::text {
namespace {

// NLTK's irregular forms: the word and its stem.
using Irregular = std::pair<std::string_view, std::string_view>;
constexpr std::array<Irregular, 16> kIrregular{{{"sky", "sky"},
                                                {"skies", "sky"},
                                                {"dying", "die"},
                                                {"lying", "lie"},
                                                {"tying", "tie"},
                                                {"news", "news"},
                                                {"innings", "inning"},
                                                {"inning", "inning"},
                                                {"outings", "outing"},
                                                {"outing", "outing"},
                                                {"cannings", "canning"},
                                                {"canning", "canning"},
                                                {"howe", "howe"},
                                                {"proceed", "proceed"},
                                                {"exceed", "exceed"},
                                                {"succeed", "succeed"}}};

struct Rule {
  std::string_view suffix;
  std::string_view replacement;
};

// The first suffix that matches decides, whether or not its condition holds.
constexpr std::array<Rule, 20> kStep2{{{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
                                       {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
                                       {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
                                       {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
                                       {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"}}};
constexpr std::array<Rule, 7> kStep3{
    {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""}}};
constexpr std::array<std::string_view, 19> kStep4{"al",  "ance",  "ence", "er",  "ic",  "able", "ible",
                                                  "ant", "ement", "ment", "ent", "ion", "ou",   "ism",
                                                  "ate", "iti",   "ous",  "ive", "ize"};

// `Char` is char where every character is one byte, char32_t otherwise.
template <class Char>
class Stemmer {
 public:
  Stemmer(std::basic_string<Char>& word, Porter form) : word_(word), nltk_(form == Porter::kNltk) {}

  void run() {
    step1a();
    step1b();
    step1c();
    step2();
    step3();
    step4();
    step5();
  }

 private:
  [[nodiscard]] std::size_t size() const { return word_.size(); }

  [[nodiscard]] bool consonant(std::size_t i) const {
    switch (word_[i]) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        return false;
      case 'y': {
        // A y is what its predecessor is not; a run of them alternates from the first.
        std::size_t first = i;
        while (first > 0 && word_[first - 1] == 'y') --first;
        const bool start = first == 0 || !consonant(first - 1);
        return ((i - first) % 2 == 0) == start;
      }
      default:
        return true;
    }
  }

  // Number of vowel-consonant sequences in the first `length` characters, counted no further than 2.
  [[nodiscard]] int measure(std::size_t length) const {
    int count = 0;
    bool after_consonant = true;
    for (std::size_t i = 0; i < length && count < 2; ++i) {
      const bool is_consonant = word_[i] == 'y' ? (i == 0 || !after_consonant) : consonant(i);
      if (is_consonant && !after_consonant) ++count;
      after_consonant = is_consonant;
    }
    return count;
  }

  [[nodiscard]] bool has_vowel(std::size_t length) const {
    for (std::size_t i = 0; i < length; ++i) {
      if (!consonant(i)) return true;
    }
    return false;
  }

  [[nodiscard]] bool doubled() const {
    return size() >= 2 && word_[size() - 1] == word_[size() - 2] && consonant(size() - 1);
  }

  // Consonant, vowel, consonant other than w, x, y at the end of the first `length` characters.
  [[nodiscard]] bool cvc(std::size_t length) const {
    if (length == 2 && nltk_) return !consonant(0) && consonant(1);
    if (length < 3 || !consonant(length - 1) || consonant(length - 2) || !consonant(length - 3)) return false;
    const Char last = word_[length - 1];
    return last != 'w' && last != 'x' && last != 'y';
  }

  [[nodiscard]] bool ends(std::string_view suffix) const {
    if (suffix.size() > size()) return false;
    const std::size_t from = size() - suffix.size();
    for (std::size_t i = 0; i < suffix.size(); ++i) {
      if (word_[from + i] != static_cast<Char>(suffix[i])) return false;
    }
    return true;
  }

  void replace(std::size_t removed, std::string_view replacement) {
    word_.erase(size() - removed);
    for (const char c : replacement) word_ += static_cast<Char>(c);
  }

  void step1a() {
    if (!ends("s")) return;
    if (nltk_ && ends("ies") && size() == 4) {
      replace(3, "ie");
    } else if (ends("sses") || ends("ies")) {
      replace(2, "");
    } else if (!ends("ss")) {
      replace(1, "");
    }
  }

  void step1b() {
    if (nltk_ && ends("ied")) {
      replace(3, size() == 4 ? "ie" : "i");
      return;
    }
    if (ends("eed")) {
      if (measure(size() - 3) > 0) replace(1, "");
      return;
    }
    const std::size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    if (suffix == 0 || !has_vowel(size() - suffix)) return;
    replace(suffix, "");
    if (ends("at") || ends("bl") || ends("iz")) {
      replace(0, "e");
    } else if (doubled()) {
      if (!ends("l") && !ends("s") && !ends("z")) replace(1, "");
    } else if (measure(size()) == 1 && cvc(size())) {
      replace(0, "e");
    }
  }

  void step1c() {
    if (!ends("y")) return;
    const std::size_t stem = size() - 1;
    if (nltk_ ? stem > 1 && consonant(stem - 1) : has_vowel(stem)) replace(1, "i");
  }

  void step2() {
    // NLTK takes -alli away first and looks at what is left again.
    while (nltk_ && ends("alli") && measure(size() - 4) > 0) replace(2, "");
    if (apply(kStep2)) return;
    if (nltk_ && ends("fulli")) {
      if (measure(size() - 5) > 0) replace(2, "");
    } else if (ends("logi")) {
      // NLTK counts the l as part of the stem.
      if (measure(size() - (nltk_ ? 3 : 4)) > 0) replace(1, "");
    }
  }

  void step3() { apply(kStep3); }

  void step4() {
    for (const std::string_view suffix : kStep4) {
      if (!ends(suffix)) continue;
      const std::size_t stem = size() - suffix.size();
      if (measure(stem) < 2) return;
      if (suffix == "ion" && word_[stem - 1] != 's' && word_[stem - 1] != 't') return;
      replace(suffix.size(), "");
      return;
    }
  }

  void step5() {
    if (ends("e")) {
      const std::size_t stem = size() - 1;
      const int m = measure(stem);
      if (m > 1 || (m == 1 && !cvc(stem))) replace(1, "");
    }
    if (ends("ll") && measure(size() - 1) > 1) replace(1, "");
  }

  // True when a suffix matched.
  bool apply(std::span<const Rule> rules) {
    for (const Rule& rule : rules) {
      if (!ends(rule.suffix)) continue;
      if (measure(size() - rule.suffix.size()) > 0) replace(rule.suffix.size(), rule.replacement);
      return true;
    }
    return false;
  }

  std::basic_string<Char>& word_;
  bool nltk_;
};

}  // namespace

std::string porter_stem(std::string_view lower_word, Porter form) {
  if (form == Porter::kNltk && lower_word.size() <= 8) {
    const auto* found = std::find_if(kIrregular.begin(), kIrregular.end(),
                                     [&](const auto& entry) { return entry.first == lower_word; });
    if (found != kIrregular.end()) return std::string(found->second);
  }
  if (is_ascii(lower_word)) {
    std::string word(lower_word);
    if (word.size() > 2) Stemmer<char>(word, form).run();
    return word;
  }
  std::u32string wide;
  for (std::size_t at = 0; at < lower_word.size();) {
    const CodePoint c = code_point_at(lower_word, at);
    wide += c.value;
    at += c.bytes;
  }
  if (wide.size() <= 2) return std::string(lower_word);
  Stemmer<char32_t>(wide, form).run();
  std::string out;
  for (const char32_t c : wide) append_utf8(out, c);
  return out;
}

}  // namespace residue::text
