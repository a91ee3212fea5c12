#include "text/measures/vader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "text/characters/python_text.h"
#include "text/characters/unicode.h"
#include "text/measures/vader_lexicon.h"
#include "text/measures/vader_words.h"

namespace residue::text {
namespace {

constexpr double kCapitals = 0.733;  // what capital letters add among others
constexpr double kNegation = -0.74;
constexpr double kAlpha = 15;  // of the normalization to [-1, 1]

using Token = VaderLexicon::Token;
using Tokens = std::span<const Token>;

bool is(const Token& token, std::uint32_t role) { return (token.word->roles & role) != 0; }

// A sentiment that is not zero, and of which word.
struct Valence {
  std::size_t at = 0;
  double value = 0;
};

// What a booster in front of a word of that valence adds to it.
double boost(const Token& booster, double valence, bool capitals_differ) {
  double scalar = booster.word->booster;
  if (scalar == 0) return 0;
  if (valence < 0) scalar *= -1;
  if (booster.capitals && capitals_differ) scalar += valence > 0 ? kCapitals : -kCapitals;
  return scalar;
}

// The factor of a negation `back` words in front of word `i`.
double negation(Tokens tokens, std::size_t i, std::size_t back) {
  const auto at = [&](std::size_t distance, std::uint32_t role) { return is(tokens[i - distance], role); };
  if (back == 2) {
    if (at(2, kVaderNever) && at(1, kVaderSo)) return 1.25;
    if (at(2, kVaderWithout) && at(1, kVaderDoubt)) return 1;
  }
  if (back == 3) {
    if ((at(3, kVaderNever) && at(2, kVaderSo)) || at(1, kVaderSo)) return 1.25;
    if (at(3, kVaderWithout) && (at(2, kVaderDoubt) || at(1, kVaderDoubt))) return 1;
  }
  return at(back, kVaderNegates) ? kNegation : 1;
}

// Phrases around word `i`, which has three words in front of it.
double phrases(Tokens tokens, std::size_t i, double valence) {
  struct Around {
    std::size_t first;
    std::size_t words;
  };
  const auto find = [&](const Around& part) -> const VaderPhrase* {
    for (const VaderPhrase& phrase : vader_phrases()) {
      if ((phrase.words[2].empty() ? 2U : 3U) != part.words) continue;
      bool same = true;
      for (std::size_t k = 0; k < part.words && same; ++k) {
        same = tokens[part.first + k].word->spelling == phrase.words[k];
      }
      if (same) return &phrase;
    }
    return nullptr;
  };
  const auto may_be_part = [&](std::size_t at) { return tokens[at].word->in_phrase; };
  if (!may_be_part(i - 1) && !may_be_part(i - 2) && !may_be_part(i)) return valence;
  for (const Around part : {Around{i - 1, 2}, {i - 2, 3}, {i - 2, 2}, {i - 3, 3}, {i - 3, 2}}) {
    if (const VaderPhrase* phrase = find(part)) {
      valence = phrase->valence;
      break;
    }
  }
  for (const std::size_t words : {std::size_t{2}, std::size_t{3}}) {
    if (i + words > tokens.size()) break;
    if (const VaderPhrase* phrase = find({i, words})) valence = phrase->valence;
  }
  for (const std::size_t first : {i - 3, i - 2}) {
    for (const auto& pair : vader_double_dampeners()) {
      if (tokens[first].word->spelling == pair[0] && tokens[first + 1].word->spelling == pair[1]) valence -= kVaderMore;
    }
  }
  return valence;
}

// The valence of word `i` of the lexicon where it stands.
double valence_of(Tokens tokens, std::size_t i, bool capitals_differ) {
  const Token& token = tokens[i];
  double valence = token.word->valence;
  if (is(token, kVaderNo) && i + 1 < tokens.size() && is(tokens[i + 1], kVaderLexicon)) valence = 0;
  if ((i > 0 && is(tokens[i - 1], kVaderNo)) || (i > 1 && is(tokens[i - 2], kVaderNo)) ||
      (i > 2 && is(tokens[i - 3], kVaderNo) && is(tokens[i - 1], kVaderOr))) {
    valence = token.word->valence * kNegation;
  }
  if (token.capitals && capitals_differ) valence += valence > 0 ? kCapitals : -kCapitals;
  for (std::size_t back = 1; back <= 3 && back <= i; ++back) {
    if (is(tokens[i - back], kVaderLexicon)) continue;
    double added = boost(tokens[i - back], valence, capitals_differ);
    if (back == 2) added *= 0.95;
    if (back == 3) added *= 0.9;
    valence += added;
    valence *= negation(tokens, i, back);
    if (back == 3) valence = phrases(tokens, i, valence);
  }
  if (i > 0 && is(tokens[i - 1], kVaderLeast) && !is(tokens[i - 1], kVaderLexicon) &&
      !(i > 1 && is(tokens[i - 2], kVaderAt))) {
    valence *= kNegation;
  }
  return valence;
}

// "but" halves what is in front of it and strengthens what follows. For each value in turn the original changes the
// first that is equal to it, which may be another one; so does this.
void weigh_around(std::size_t but, std::vector<Valence>& valences) {
  std::map<double, std::set<std::size_t>> places;
  for (std::size_t k = 0; k < valences.size(); ++k) places[valences[k].value].insert(k);
  for (std::size_t k = 0; k < valences.size(); ++k) {
    const double value = valences[k].value;
    auto& equal = places[value];
    Valence& first = valences[*equal.begin()];
    if (first.at == but) continue;
    const std::size_t changed = *equal.begin();
    equal.erase(equal.begin());
    first.value = value * (first.at < but ? 0.5 : 1.5);
    places[first.value].insert(changed);
  }
}

// What exclamation and question marks add.
double emphasis(std::string_view text) {
  const auto exclamations = std::min<std::ptrdiff_t>(4, std::count(text.begin(), text.end(), '!'));
  const auto questions = std::count(text.begin(), text.end(), '?');
  const double doubt = questions <= 1 ? 0 : questions <= 3 ? static_cast<double>(questions) * 0.18 : 0.96;
  return static_cast<double>(exclamations) * 0.292 + doubt;
}

// Python's round(value, decimals): of the exact binary value, halves to even.
double rounded(double value, int decimals) {
  const double scale = decimals == 3 ? 1e3 : 1e4;
  const double scaled = value * scale;
  const double nearest = std::nearbyint(scaled);
  if (std::abs(std::abs(scaled - nearest) - 0.5) > 1e-6) return nearest / scale;
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
  return std::strtod(digits, nullptr);
}

Sentiment scores(const std::vector<Valence>& valences, std::size_t words, std::string_view text) {
  Sentiment out;
  if (words == 0) return out;
  double sum = 0;
  double positive = 0;
  double negative = 0;
  std::size_t neutral = words - valences.size();
  for (const Valence& valence : valences) {
    sum += valence.value;
    // 1 beside each valence makes up for the neutral words, which count 1.
    if (valence.value > 0) positive += valence.value + 1;
    if (valence.value < 0) negative += valence.value - 1;
    if (valence.value == 0) ++neutral;
  }
  const double added = emphasis(text);
  if (sum > 0) sum += added;
  if (sum < 0) sum -= added;
  if (positive > std::abs(negative)) {
    positive += added;
  } else if (positive < std::abs(negative)) {
    negative -= added;
  }
  const auto neutrals = static_cast<double>(neutral);
  const double total = positive + std::abs(negative) + neutrals;
  out.positive = rounded(std::abs(positive / total), 3);
  out.negative = rounded(std::abs(negative / total), 3);
  out.neutral = rounded(std::abs(neutrals / total), 3);
  out.compound = rounded(std::clamp(sum / std::sqrt(sum * sum + kAlpha), -1.0, 1.0), 4);
  return out;
}

}  // namespace

struct Vader::Words {
  VaderLexicon lexicon;
};

Vader::Vader(std::string_view lexicon, std::string_view emoji)
    : words_(std::make_unique<Words>(Words{VaderLexicon(lexicon, emoji)})) {}
Vader::~Vader() = default;
Vader::Vader(Vader&&) noexcept = default;
Vader& Vader::operator=(Vader&&) noexcept = default;

Sentiment Vader::sentiment(std::string_view text) const {
  thread_local std::vector<Token> tokens;
  thread_local std::vector<Valence> valences;
  std::string without_emoji;
  if (!is_ascii(text)) {
    without_emoji = words_->lexicon.emoji_to_words(text);
    text = without_emoji;
  }
  words_->lexicon.tokens(text, tokens);
  const auto capitals = static_cast<std::size_t>(
      std::count_if(tokens.begin(), tokens.end(), [](const Token& token) { return token.capitals; }));
  const bool capitals_differ = capitals > 0 && capitals < tokens.size();
  valences.clear();
  std::size_t but = tokens.size();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].word->roles == 0) continue;
    if (but == tokens.size() && is(tokens[i], kVaderBut)) but = i;
    if (!is(tokens[i], kVaderLexicon) || is(tokens[i], kVaderBooster)) continue;
    if (tokens[i].word->spelling == "kind" && i + 1 < tokens.size() && tokens[i + 1].word->spelling == "of") continue;
    const double valence = valence_of(tokens, i, capitals_differ);
    if (valence != 0) valences.push_back({i, valence});
  }
  if (but < tokens.size()) weigh_around(but, valences);
  return scores(valences, tokens.size(), text);
}

SentimentLabel sentiment_label(const Sentiment& sentiment) {
  if (sentiment.compound > 0.05) return SentimentLabel::kPositive;
  return sentiment.compound < -0.05 ? SentimentLabel::kNegative : SentimentLabel::kNeutral;
}

}  // namespace residue::text
