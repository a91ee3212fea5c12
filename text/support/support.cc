#include "text/support/support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "base/hash.h"
#include "text/support/support_frame.h"
#include "text/support/support_words.h"
#include "text/words/sentences.h"

namespace residue::text {
namespace {

constexpr std::int32_t kFullMatch = 16;
constexpr std::int32_t kRootMatch = 13;
constexpr std::int32_t kFullEvidence = 12;  // From here on the word is there; below, something like it.

constexpr std::uint32_t kNearWords = 8;     // So many words of the passage apart is near,
constexpr std::size_t kNearNeighbours = 3;  // and so many words of weight of the claim.
constexpr std::size_t kPlaces = 64;         // More places of one word are not looked at.

// A word of the claim in the passage.
struct Match {
  std::uint32_t token;  // of the claim
  std::int32_t weight;
  std::int32_t value;                    // of kFullMatch
  std::uint32_t entry;                   // first occurrence
  bool root;                             // in roots_ instead of words_
  std::uint32_t meant_begin, meant_end;  // in `places`, without an entry: what means something like it
  bool inside = false;                   // some occurrence is in the best window
  [[nodiscard]] bool found() const { return entry != 0 || meant_end > meant_begin; }
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

void SupportPassage::Table::reset(std::size_t size) {
  entries.clear();
  heads.assign(std::bit_ceil(std::max<std::size_t>(size * 2, 16)), 0);
}

// Entries are added from the last token to the first, so that a chain runs in passage order.
void SupportPassage::Table::add(std::uint64_t key, std::uint32_t token) {
  auto& head = heads[key & (heads.size() - 1)];
  entries.push_back({key, token, head});
  head = static_cast<std::uint32_t>(entries.size());
}

std::uint32_t SupportPassage::Table::first(std::uint64_t key) const {
  auto entry = heads.empty() ? 0 : heads[key & (heads.size() - 1)];
  while (entry != 0 && entries[entry - 1].key != key) entry = entries[entry - 1].next;
  return entry;
}

std::uint32_t SupportPassage::Table::after(std::uint32_t entry) const {
  const auto key = entries[entry - 1].key;
  entry = entries[entry - 1].next;
  while (entry != 0 && entries[entry - 1].key != key) entry = entries[entry - 1].next;
  return entry;
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
  words_.reset(tokens_.size());
  roots_.reset(tokens_.size());
  bigrams_.reset(tokens_.size());
  std::uint64_t right = 0;
  for (auto i = static_cast<std::uint32_t>(tokens_.size()); i-- > 0;) {
    const SupportToken& token = tokens_[i];
    words_.add(token.key, i);
    if (token.implied != 0) words_.add(token.implied, i);
    if (token.root != 0) roots_.add(token.root, i);
    if (token.weight == 0) continue;
    if (right != 0) bigrams_.add(pair_key(token.key, right), i);
    right = token.key;
  }
  meanings_.clear();
  if (wordnet != nullptr) passage_concepts(*wordnet, text, tokens_, meanings_);
  concepts_.reset(meanings_.size());
  for (auto i = meanings_.size(); i-- > 0;) concepts_.add(meanings_[i].first, meanings_[i].second);
}

std::optional<Relation> SupportPassage::meant(std::span<const ConceptWanted> wanted,
                                              std::vector<std::uint32_t>& places) const {
  std::optional<Relation> best;
  const auto begin = static_cast<std::ptrdiff_t>(places.size());
  for (const auto& [key, relation] : wanted) {
    if (best && relation != *best) break;
    for (auto entry = concepts_.first(key); entry != 0; entry = concepts_.after(entry)) {
      best = relation;
      if (relation == Relation::kOpposite) return best;
      places.push_back(concepts_.entries[entry - 1].token);
    }
  }
  std::sort(places.begin() + begin, places.end());
  places.erase(std::unique(places.begin() + begin, places.end()), places.end());
  return best;
}

bool SupportPassage::within(const SupportToken& number) const {
  static const std::array decades = {support_word("twenties").key, support_word("thirties").key,
                                     support_word("forties").key,  support_word("fifties").key,
                                     support_word("sixties").key,  support_word("seventies").key,
                                     support_word("eighties").key, support_word("nineties").key};
  if (number.value < 0) return false;
  // Of 1954 too, which "the fifties" may mean.
  const auto decade = static_cast<std::size_t>(number.value % 100 / 10);
  const bool spoken = decade >= 2 && (number.value < 100 || number.value / 100 == 19);
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const SupportToken& low = tokens_[i];
    if (spoken && low.key == decades[decade - 2]) return true;
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

SupportFeatures support_features(const SupportPassage& passage, const SupportClaim& claim, SupportDetail* detail) {
  thread_local std::vector<std::uint32_t> places;
  thread_local std::vector<Match> matches;
  thread_local std::vector<std::int64_t> windows;
  thread_local std::vector<std::uint32_t> owners;
  thread_local std::vector<std::uint8_t> meant;
  thread_local FrameReading frame;
  SupportFeatures out;
  matches.clear();
  places.clear();
  const auto each_place = [&](const Match& match, auto&& visit) {  // in passage order
    const auto& table = match.root ? passage.roots_ : passage.words_;
    for (auto entry = match.entry; entry != 0; entry = table.after(entry)) visit(table.entries[entry - 1].token);
    for (auto i = match.meant_begin; i < match.meant_end; ++i) visit(places[i]);
  };
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
    Match match{i, weight, 0, passage.words_.first(token.key), false, 0, 0};
    if (match.entry != 0) {
      match.value = kFullMatch;
    } else if (token.root != 0 && !token.name) {
      match.entry = passage.roots_.first(token.root);
      match.root = match.entry != 0;
      match.value = match.root ? kRootMatch : 0;
    }
    if (token.number && token.unit != 0 && match.entry != 0) {
      bool fits = false;
      for (auto entry = match.entry; entry != 0 && !fits; entry = passage.words_.after(entry)) {
        const auto unit = passage.tokens_[passage.words_.entries[entry - 1].token].unit;
        fits = unit == 0 || unit == token.unit;
      }
      if (!fits) {
        match.entry = 0;
        match.value = 0;
      }
    }
    if (const auto wanted = claim.concepts().of(i); match.entry == 0 && !wanted.empty()) {
      match.meant_begin = static_cast<std::uint32_t>(places.size());
      const auto relation = passage.meant(wanted, places);
      match.meant_end = static_cast<std::uint32_t>(places.size());
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
      numbers_found += match.entry != 0;
      numbers_within += match.entry == 0 && passage.within(token);
      if (detail != nullptr && match.entry == 0) {
        detail->missing_numbers.push_back(claim.text().substr(token.begin, token.end - token.begin));
      }
    }
    matches.push_back(match);
  }

  // The best window: for each of the claim's words, its weight goes once to every window that holds it.
  const auto sentence_count = static_cast<std::uint32_t>(passage.sentence_from_.size());
  const auto window_count = sentence_count > kSupportWindow ? sentence_count - kSupportWindow + 1 : 1;
  windows.assign(window_count, 0);
  for (const Match& match : matches) {
    std::uint32_t next = 0;
    each_place(match, [&](std::uint32_t at) {
      const auto sentence = passage.sentence_[at];
      const auto from = std::max(next, sentence >= kSupportWindow - 1 ? sentence - (kSupportWindow - 1) : 0);
      for (next = from; next <= sentence && next < window_count; ++next) windows[next] += match.weight * match.value;
    });
  }
  const auto best = static_cast<std::uint32_t>(std::max_element(windows.begin(), windows.end()) - windows.begin());
  const auto best_end = std::min(best + kSupportWindow, sentence_count);

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
    each_place(match, [&](std::uint32_t at) {
      if (passage.sentence_[at] < best || passage.sentence_[at] >= best_end) return;
      inside = true;
      agrees = agrees || passage.tokens_[at].negated == tokens[match.token].negated;
      his = his || same_holder(passage.tokens_[at].holder, tokens[match.token].holder);
    });
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
  owners.assign(passage.tokens_.size(), 0);
  for (std::uint32_t n = 0; n < matches.size(); ++n) {
    each_place(matches[n], [&](std::uint32_t at) { owners[at] = n + 1; });
  }
  std::int64_t doubts = 0;
  std::int64_t doubted = 0;
  std::int32_t worst = 0, second = 0;
  for (std::size_t n = 0; n < matches.size(); ++n) {
    const std::size_t first = n - std::min(n, kNearNeighbours);
    const std::size_t last = std::min(n + kNearNeighbours, matches.size() - 1);
    std::int64_t around = 0;
    for (std::size_t other = first; other <= last; ++other) around += other == n ? 0 : matches[other].weight;
    bool near = false;
    std::size_t looked = 0;
    each_place(matches[n], [&](std::uint32_t at) {
      if (near || around == 0 || ++looked > kPlaces) return;
      unsigned seen = 0;
      std::int64_t there = 0;
      const auto end = std::min<std::size_t>(at + kNearWords + 1, owners.size());
      for (std::size_t word = at - std::min(at, kNearWords); word < end; ++word) {
        const std::size_t owner = owners[word];
        if (owner == 0 || owner - 1 < first || owner - 1 > last || owner - 1 == n) continue;
        const unsigned bit = 1U << (owner - 1 - first);
        if ((seen & bit) == 0) there += matches[owner - 1].weight;
        seen |= bit;
      }
      near = there * 3 >= around;
    });
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
    const auto begin = std::lower_bound(passage.sentence_.begin(), passage.sentence_.end(), sentence);
    const auto end = std::upper_bound(begin, passage.sentence_.end(), sentence);
    if (begin == end) continue;
    read_frame(tokens,
               std::span(passage.tokens_)
                   .subspan(static_cast<std::size_t>(begin - passage.sentence_.begin()),
                            static_cast<std::size_t>(end - begin)),
               meant, frame);
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
    return passage.bigrams_.first(pair_key(one, other)) != 0;
  };
  for (const SupportToken& token : tokens) {
    if (token.weight == 0) continue;
    if (before != nullptr) {
      ++pairs;
      const bool there = follows(before->key, token.key);
      pairs_found += there;
      // The left knee is not the right one, whatever else is on the left.
      if (before->rival != 0 && !there && passage.words_.first(before->key) != 0 && follows(before->rival, token.key)) {
        rivals(*before);
      }
    }
    if (token.rival != 0 && passage.words_.first(token.key) == 0 && passage.words_.first(token.rival) != 0) {
      rivals(token);
    }
    before = &token;
  }

  out.coverage = total == 0 ? 0 : share(found, total);
  out.window_coverage = total == 0 ? 0 : share(windows[best], total);
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
  for (auto entry = tokens.empty() ? 0 : passage.words_.first(tokens[0].key); entry != 0 && !out.verbatim;
       entry = passage.words_.after(entry)) {
    const auto at = passage.words_.entries[entry - 1].token;
    if (passage.tokens_.size() - at < tokens.size()) break;
    out.verbatim = std::equal(tokens.begin(), tokens.end(), passage.tokens_.begin() + at,
                              [](const SupportToken& a, const SupportToken& b) {  // a: claim, b: passage
                                return a.key == b.key && a.negated == b.negated && a.unit == b.unit &&
                                       same_holder(b.holder, a.holder);
                              });
  }
  if (detail != nullptr && windows[best] > 0) {
    detail->window_begin = passage.sentence_from_[best];
    detail->window_end = passage.sentence_to_[best_end - 1];
  }
  return out;
}

}  // namespace residue::text
