#include "text/support/support.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/hash.h"
#include "text/support/occurrences.h"
#include "text/support/support_frame.h"
#include "text/support/support_places.h"
#include "text/support/support_words.h"
#include "text/words/sentences.h"

namespace residue::text {
namespace {

constexpr std::int32_t kFullMatch = 16;
constexpr std::int32_t kRootMatch = 13;
constexpr std::int32_t kFullEvidence = 12;  // From here on the word is there; below, something like it.

// A word of the claim in the passage.
struct Match {
  std::uint32_t token;  // of the claim
  std::int32_t weight;
  std::int32_t value;  // of kFullMatch
  Places places;
  std::uint32_t meant_begin, meant_end;  // in `meanings`, instead of places: what means something like it
  bool inside = false;                   // some occurrence is in the best window
  [[nodiscard]] bool found() const { return !places.empty() || meant_end > meant_begin; }
};

std::uint64_t pair_key(std::uint64_t left, std::uint64_t right) { return mix(left) + right; }

std::int32_t share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? kSupportOne : static_cast<std::int32_t>(part * kSupportOne / whole);
}

// 40-50, 40 to 50, between 40 and 50; not the day and month of 2017-10-31.
bool is_range(std::string_view text, const SupportToken& low, const SupportToken& high) {
  std::string_view joint = text.substr(low.end, high.begin - low.end);
  const auto begin = joint.find_first_not_of(' ');
  if (begin == std::string_view::npos) return false;
  joint = joint.substr(begin, joint.find_last_not_of(' ') + 1 - begin);
  if (joint == "and") return text.substr(0, low.begin).ends_with("etween ");
  if (joint == "to" || joint == "\xE2\x80\x93") return true;
  const bool date = (low.begin > 0 && text[low.begin - 1] == '-') ||
                    (high.end < text.size() && text[high.end] == '-' && high.end + 1 < text.size() &&
                     text[high.end + 1] >= '0' && text[high.end + 1] <= '9');
  return joint == "-" && !date;
}

const std::array<std::uint64_t, 8>& decade_keys() {
  static const std::array keys = {support_word("twenties").key, support_word("thirties").key,
                                  support_word("forties").key,  support_word("fifties").key,
                                  support_word("sixties").key,  support_word("seventies").key,
                                  support_word("eighties").key, support_word("nineties").key};
  return keys;
}

bool is_decade(std::uint64_t key) {
  return std::find(decade_keys().begin(), decade_keys().end(), key) != decade_keys().end();
}

// Is what the passage says of `one` said of `other`, too? Only a relative's affairs are known not to be the patient's.
bool same_holder(std::uint8_t one, std::uint8_t other) {
  return one == 0 || one == other || (other != 0 && (one >= kAnyKin || other >= kAnyKin));
}

}  // namespace

void SupportClaim::assign(std::string_view text, const WordNet* wordnet) {
  text_ = text;
  support_tokens(text, tokens_);
  if (wordnet != nullptr) {
    concepts_.assign(*wordnet, text, tokens_);
  } else {
    concepts_.clear();
  }
}

void SupportPassage::assign(std::string_view text, const WordNet* wordnet) {
  text_ = text;
  support_tokens(text, tokens_);
  sentence_from_.clear();
  sentence_to_.clear();
  for (const auto& span : sentences(text)) {
    sentence_from_.push_back(static_cast<std::uint32_t>(span.begin));
    sentence_to_.push_back(static_cast<std::uint32_t>(span.end));
  }
  if (sentence_from_.empty()) {
    sentence_from_.push_back(0);
    sentence_to_.push_back(static_cast<std::uint32_t>(text.size()));
  }
  sentence_.resize(tokens_.size());
  for (std::uint32_t i = 0, s = 0; i < tokens_.size(); ++i) {
    while (s + 1 < sentence_from_.size() && tokens_[i].begin >= sentence_from_[s + 1]) ++s;
    sentence_[i] = s;
  }
  first_token_.assign(sentence_from_.size() + 1, static_cast<std::uint32_t>(tokens_.size()));
  for (auto i = static_cast<std::uint32_t>(tokens_.size()); i-- > 0;) first_token_[sentence_[i]] = i;
  for (auto s = sentence_from_.size(); s-- > 0;) first_token_[s] = std::min(first_token_[s], first_token_[s + 1]);
  counted_.clear();
  for (Occurrences* table : {&words_, &roots_, &bigrams_, &concepts_}) table->clear();
  std::uint32_t left = 0;
  std::uint64_t left_key = 0;
  for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
    const SupportToken& token = tokens_[i];
    words_.add(token.key, i);
    if (token.implied != 0) words_.add(token.implied, i);
    if (token.root != 0) roots_.add(token.root, i);
    if (token.value >= 0 || is_decade(token.key)) counted_.push_back(i);
    if (token.weight == 0) continue;
    if (left_key != 0) bigrams_.add(pair_key(left_key, token.key), left);
    left = i;
    left_key = token.key;
  }
  meanings_.clear();
  if (wordnet != nullptr) passage_concepts(*wordnet, text, tokens_, meanings_);
  for (const auto& [key, token] : meanings_) concepts_.add(key, token);
  for (Occurrences* table : {&words_, &roots_, &bigrams_, &concepts_}) table->finish();
}

std::optional<Relation> SupportPassage::meant(std::span<const ConceptWanted> wanted,
                                              std::vector<std::uint32_t>& places) const {
  std::optional<Relation> best;
  const auto begin = static_cast<std::ptrdiff_t>(places.size());
  for (const auto& [key, relation] : wanted) {
    if (best && relation != *best) break;
    const Places of_key = concepts_.of(key);
    if (of_key.empty()) continue;
    best = relation;
    if (relation == Relation::kOpposite) return best;
    places.insert(places.end(), of_key.begin(), of_key.end());
  }
  std::sort(places.begin() + begin, places.end());
  places.erase(std::unique(places.begin() + begin, places.end()), places.end());
  return best;
}

bool SupportPassage::within(const SupportToken& number) const {
  if (number.value < 0) return false;
  // Of 1954 too, which "the fifties" may mean.
  const auto decade = static_cast<std::size_t>(number.value % 100 / 10);
  const bool spoken = decade >= 2 && (number.value < 100 || number.value / 100 == 19);
  for (const std::uint32_t i : counted_) {
    const SupportToken& low = tokens_[i];
    if (spoken && low.key == decade_keys()[decade - 2]) return true;
    if (low.value < 0 || low.value > number.value) continue;
    if (low.value % 10 == 0 && number.value < low.value + 10 && low.end < text_.size() && text_[low.end] == 's') {
      return true;
    }
    const auto next = std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 1, tokens_.end(),
                                   [](const SupportToken& token) { return token.number; });
    if (next == tokens_.end() || next->value < number.value || next->value == low.value) continue;
    const bool fits = next->unit == 0 || number.unit == 0 || next->unit == number.unit;
    if (fits && is_range(text_, low, *next)) return true;
  }
  return false;
}

// Sought from the claim's rarest word on.
bool SupportPassage::has_in_a_row(std::span<const SupportToken> claim) const {
  Places rarest;
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < claim.size(); ++i) {
    const Places places = words_.of(claim[i].key);
    if (places.empty()) return false;
    if (i > 0 && places.size() >= rarest.size()) continue;
    rarest = places;
    ahead = i;
  }
  return std::any_of(rarest.begin(), rarest.end(), [&](std::uint32_t at) {
    if (at < ahead || tokens_.size() - (at - ahead) < claim.size()) return false;
    return std::equal(claim.begin(), claim.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(at - ahead),
                      [](const SupportToken& said, const SupportToken& there) {
                        return said.key == there.key && said.negated == there.negated && said.unit == there.unit &&
                               same_holder(there.holder, said.holder);
                      });
  });
}

SupportFeatures support_features(const SupportPassage& passage, const SupportClaim& claim, SupportDetail* detail) {
  thread_local std::vector<std::uint32_t> meanings;
  thread_local std::vector<Match> matches;
  thread_local std::vector<PlacedWord> placed;
  thread_local std::vector<std::uint8_t> meant;
  thread_local FrameReading frame;
  SupportFeatures out;
  matches.clear();
  meanings.clear();
  const auto rivals = [&](const SupportToken& token) {
    out.rival = true;
    if (detail != nullptr) detail->rivals.push_back(claim.text().substr(token.begin, token.end - token.begin));
  };

  const auto tokens = claim.tokens();
  out.length = static_cast<std::int32_t>(tokens.size());
  // A claim of function words only is judged by those.
  const bool plain =
      std::all_of(tokens.begin(), tokens.end(), [](const SupportToken& token) { return token.weight == 0; });

  out.plain = plain;
  std::int64_t total = 0;
  std::int64_t found = 0;
  std::int64_t names = 0;
  std::int64_t names_found = 0;
  std::int64_t numbers = 0;
  std::int64_t numbers_found = 0;
  std::int64_t numbers_within = 0;
  std::int32_t heaviest = 0;
  meant.assign(tokens.size(), 0);
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    const SupportToken& token = tokens[i];
    const std::int32_t weight = plain ? 1 : token.weight;
    if (weight == 0) continue;
    const bool again = std::any_of(matches.begin(), matches.end(), [&](const Match& match) {
      return tokens[match.token].key == token.key && tokens[match.token].unit == token.unit;
    });
    if (again) continue;
    Match match{i, weight, 0, passage.words_.of(token.key), 0, 0};
    if (!match.places.empty()) {
      match.value = kFullMatch;
    } else if (token.root != 0 && !token.name) {
      match.places = passage.roots_.of(token.root);
      match.value = match.places.empty() ? 0 : kRootMatch;
    }
    if (token.number && token.unit != 0 && !match.places.empty()) {
      const bool fits = std::any_of(match.places.begin(), match.places.end(), [&](std::uint32_t at) {
        const auto unit = passage.tokens_[at].unit;
        return unit == 0 || unit == token.unit;
      });
      if (!fits) {
        match.places = {};
        match.value = 0;
      }
    }
    if (const auto wanted = claim.concepts().of(i); match.places.empty() && !wanted.empty()) {
      match.meant_begin = static_cast<std::uint32_t>(meanings.size());
      const auto relation = passage.meant(wanted, meanings);
      match.meant_end = static_cast<std::uint32_t>(meanings.size());
      if (relation) match.value = kRelationValues[static_cast<std::size_t>(*relation)];
      if (match.value >= kFullEvidence) {
        for (std::size_t same = i; same < tokens.size(); ++same) meant[same] |= tokens[same].key == token.key;
      }
      if (relation == Relation::kOpposite && token.rival == 0) rivals(token);
      out.broader = out.broader || relation == Relation::kBroader;
      if (relation == Relation::kBroader && detail != nullptr) {
        detail->general.push_back(claim.text().substr(token.begin, token.end - token.begin));
      }
    }
    total += std::int64_t{weight} * kFullMatch;
    found += std::int64_t{weight} * match.value;
    if (match.value < kFullEvidence) {
      heaviest = std::max(heaviest, weight * (kFullMatch - match.value) / kFullMatch);
      out.lacks = out.lacks || token.kin != 0 || (weight >= kOrdinaryWeight && !token.number);
    }
    if (token.name) {
      ++names;
      names_found += match.found();
    }
    // A bare "one" is no number worth missing.
    if (token.number && token.weight == kNumberWeight) {
      ++numbers;
      numbers_found += !match.places.empty();
      numbers_within += match.places.empty() && passage.within(token);
      if (detail != nullptr && match.places.empty()) {
        detail->missing_numbers.push_back(claim.text().substr(token.begin, token.end - token.begin));
      }
    }
    matches.push_back(match);
  }

  placed.clear();
  for (Match& match : matches) {
    if (match.meant_end > match.meant_begin) {
      match.places = Places(meanings).subspan(match.meant_begin, match.meant_end - match.meant_begin);
    }
    placed.push_back({match.places, std::int64_t{match.weight} * match.value, match.weight});
  }
  const BestWindow window = best_window(placed, passage.sentence_, passage.first_token_, kSupportWindow);
  const std::uint32_t best = window.sentence;
  const auto best_end = std::min(best + kSupportWindow, static_cast<std::uint32_t>(passage.sentence_from_.size()));
  const std::uint32_t from_token = passage.first_token_[best], to_token = passage.first_token_[best_end];

  // Polarity: the words of the claim that the window has only under the opposite one.
  std::int64_t opposite = 0;
  std::int64_t strange = 0;
  std::int64_t matched = 0;
  std::int64_t rest = 0;
  std::int64_t rest_inside = 0;
  bool ordinary = false;
  for (Match& match : matches) {
    bool& inside = match.inside;
    bool agrees = false;
    bool his = false;
    for (const std::uint32_t at : between(match.places, from_token, to_token)) {
      inside = true;
      agrees = agrees || passage.tokens_[at].negated == tokens[match.token].negated;
      his = his || same_holder(passage.tokens_[at].holder, tokens[match.token].holder);
    }
    const bool opener = tokens[match.token].opens && match.value == 0;
    out.opener = out.opener || opener;
    if (const SupportToken& token = tokens[match.token]; !token.name && !token.number && !opener) {
      rest += match.weight;
      if (inside) {
        const bool broader = match.value == kRelationValues[static_cast<std::size_t>(Relation::kBroader)];
        rest_inside += broader || match.value >= kFullEvidence ? match.weight : match.weight * match.value / kFullMatch;
      }
      ordinary = ordinary || token.weight == kOrdinaryWeight;
    }
    if (inside) {
      matched += match.weight;
      if (!agrees) opposite += match.weight;
      if (!his) strange += match.weight;
    } else if (detail != nullptr) {
      const SupportToken& token = tokens[match.token];
      detail->unsupported.push_back(claim.text().substr(token.begin, token.end - token.begin));
    }
  }

  // Doubt: is a word near the words that it is near in the claim?
  std::int64_t doubts = 0;
  std::int64_t doubted = 0;
  std::int32_t worst = 0, second = 0;
  for (std::size_t n = 0; n < matches.size(); ++n) {
    const bool near = stands_near(placed, n);
    const Match& match = matches[n];
    const SupportToken& token = tokens[match.token];
    const WordPlace place = match.value < kFullEvidence ? WordPlace::kNowhere
                            : match.inside              ? (near ? WordPlace::kInsideNear : WordPlace::kInside)
                                                        : (near ? WordPlace::kOutsideNear : WordPlace::kOutside);
    const std::int32_t doubt = doubt_percent(word_kind(token), place);
    doubts += std::int64_t{match.weight} * doubt;
    doubted += match.weight;
    second = std::max(second, std::min(doubt, worst));
    worst = std::max(worst, doubt);
    if (detail != nullptr) {
      detail->doubted.push_back({claim.text().substr(token.begin, token.end - token.begin), word_kind(token), place});
    }
  }

  // The sentence of the best window that says most of the claim in its order.
  std::int64_t read = 0;
  for (std::uint32_t sentence = best; sentence < best_end; ++sentence) {
    const std::uint32_t begin = passage.first_token_[sentence], end = passage.first_token_[sentence + 1];
    if (begin == end) continue;
    read_frame(tokens, std::span(passage.tokens_).subspan(begin, end - begin), meant, frame);
    if (frame.weight <= read) continue;
    read = frame.weight;
    out.contested = !frame.contested.empty();
    if (detail == nullptr) continue;
    detail->contested.clear();
    for (const auto at : frame.contested) {
      detail->contested.push_back(claim.text().substr(tokens[at].begin, tokens[at].end - tokens[at].begin));
    }
  }

  std::int64_t pairs = 0;
  std::int64_t pairs_found = 0;
  const SupportToken* before = nullptr;
  const auto follows = [&](std::uint64_t one, std::uint64_t other) {
    return passage.bigrams_.has(pair_key(one, other));
  };
  for (const SupportToken& token : tokens) {
    if (token.weight == 0) continue;
    if (before != nullptr) {
      ++pairs;
      const bool there = follows(before->key, token.key);
      pairs_found += there;
      // The left knee is not the right one, whatever else is on the left.
      if (before->rival != 0 && !there && passage.words_.has(before->key) && follows(before->rival, token.key)) {
        rivals(*before);
      }
    }
    if (token.rival != 0 && !passage.words_.has(token.key) && passage.words_.has(token.rival)) {
      rivals(token);
    }
    before = &token;
  }

  out.coverage = total == 0 ? 0 : share(found, total);
  out.window_coverage = total == 0 ? 0 : share(window.worth, total);
  out.names = share(names_found, names);
  out.numbers = share(numbers_found, numbers);
  out.bigrams = share(pairs_found, pairs);
  out.negation = matched == 0 ? 0 : share(opposite, matched);
  out.stranger = matched == 0 ? 0 : share(strange, matched);
  out.rest = ordinary ? share(rest_inside, rest) : 0;
  out.missing = heaviest * kSupportOne / kNameWeight;
  const auto words = static_cast<std::int64_t>(matches.size());
  out.doubt = share(doubts, 100 * doubted);
  out.worst = share(words == 1 ? 2 * worst : worst + second, 200);
  out.general = numbers_within > 0 && numbers_found + numbers_within == numbers;
  out.verbatim = passage.has_in_a_row(tokens);
  if (detail != nullptr && window.worth > 0) {
    detail->window_begin = passage.sentence_from_[best];
    detail->window_end = passage.sentence_to_[best_end - 1];
  }
  return out;
}

}  // namespace residue::text
