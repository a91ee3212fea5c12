#include "text/predict/word_model.h"

#include <algorithm>
#include <utility>

#include "text/characters/unicode.h"
#include "text/predict/word_model_state.h"
#include "text/words/words.h"

namespace residue::text {
namespace {

// How often counts are one and two.
struct Discount {
  std::uint64_t ones = 0, twos = 0;
  void add(std::uint64_t count) {
    ones += count == 1 ? 1 : 0;
    twos += count == 2 ? 1 : 0;
  }
  // Of little text, where one of them is none, as good as any.
  [[nodiscard]] double value() const {
    return ones == 0 || twos == 0 ? 0.75 : static_cast<double>(ones) / static_cast<double>(ones + 2 * twos);
  }
};

WordId first_of(std::uint64_t pair) { return static_cast<WordId>(pair >> kWordBits); }
WordId second_of(std::uint64_t pair) { return static_cast<WordId>(pair & kWordMask); }

// The pairs of a triple.
std::uint64_t head_of(std::uint64_t triple) { return triple >> kWordBits; }
std::uint64_t tail_of(std::uint64_t triple) { return triple & (kWordMask << kWordBits | kWordMask); }

// Calls f(triple, times) for each run of equal ones.
template <class F>
void each_distinct(const std::vector<std::uint64_t>& sorted, const F& f) {
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    f(sorted[i], static_cast<std::uint32_t>(end - i));
    i = end;
  }
}

}  // namespace

WordId WordModel::State::add(const std::string& spelling) {
  if (const auto found = ids.find(spelling); found != ids.end()) return found->second;
  if (spellings.size() > kMost) return kUnknown;
  spellings.push_back(spelling);
  const auto id = static_cast<WordId>(spellings.size() - 1);
  ids.emplace(spellings.back(), id);
  return id;
}

// `all`: every triple as often as it occurs.
void WordModel::State::count(std::vector<std::uint64_t> all) {
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> all_pairs;
  std::size_t distinct = 0;
  each_distinct(all, [&](std::uint64_t triple, std::uint32_t) {
    ++distinct;
    all_pairs.push_back(head_of(triple));
    all_pairs.push_back(tail_of(triple));
  });
  std::sort(all_pairs.begin(), all_pairs.end());
  all_pairs.erase(std::unique(all_pairs.begin(), all_pairs.end()), all_pairs.end());
  triples.reserve(distinct);
  pairs.reserve(all_pairs.size());
  Discount three;
  each_distinct(all, [&](std::uint64_t triple, std::uint32_t times) {
    triples[triple] = times;
    three.add(times);
    PairCounts& head = pairs[head_of(triple)];
    head.before += times;
    ++head.before_types;
    PairCounts& tail = pairs[tail_of(triple)];
    tail.behind += times;
    ++tail.behind_types;
  });
  discount3 = three.value();
  count_words(all_pairs);
  list_beside_pairs(all, all_pairs);
  all = {};
  list_beside_words(all_pairs);
}

void WordModel::State::count_words(const std::vector<std::uint64_t>& all_pairs) {
  Discount two_left, two_right, one;
  singles.resize(spellings.size());
  for (const std::uint64_t key : all_pairs) {
    const PairCounts& pair = *pairs.find(key);
    WordCounts& first = singles[first_of(key)];
    WordCounts& second = singles[second_of(key)];
    if (pair.behind_types > 0) {
      first.first_sum += pair.behind_types;
      ++first.first_types;
      two_left.add(pair.behind_types);
    }
    if (pair.before_types > 0) {
      second.second_sum += pair.before_types;
      ++second.second_types;
      two_right.add(pair.before_types);
    }
  }
  for (WordId w = 0; w < singles.size(); ++w) {
    pair_types += types(w);
    if (types(w) > 0) one.add(types(w));
    if (w >= kFirst) frequent.push_back(w);
  }
  std::sort(frequent.begin(), frequent.end(), [this](WordId a, WordId b) {
    return types(a) != types(b) ? types(a) > types(b) : spellings[a] < spellings[b];
  });
  discount2_left = two_left.value();
  discount2_right = two_right.value();
  discount1 = one.value();
  for (WordId w = 0; w < singles.size(); ++w) bases.push_back(base(w));
}

void WordModel::State::list_beside_pairs(const std::vector<std::uint64_t>& all,
                                         const std::vector<std::uint64_t>& all_pairs) {
  std::uint32_t behind_at = 0, before_at = 0;
  for (const std::uint64_t key : all_pairs) {
    PairCounts& pair = pairs[key];
    pair.behind_from = behind_at;
    pair.before_from = before_at;
    behind_at += pair.before_types;
    before_at += pair.behind_types;
  }
  behind_pairs.resize(behind_at);
  before_pairs.resize(before_at);
  each_distinct(all, [&](std::uint64_t triple, std::uint32_t times) {
    behind_pairs[pairs[head_of(triple)].behind_from++] = {second_of(tail_of(triple)), times};
    before_pairs[pairs[tail_of(triple)].before_from++] = {first_of(head_of(triple)), times};
  });
  const auto by_times = [](std::vector<BesidePair>& list, std::uint32_t from, std::uint32_t count) {
    std::sort(list.begin() + from, list.begin() + from + count, [](const BesidePair& a, const BesidePair& b) {
      return a.times != b.times ? a.times > b.times : a.word < b.word;
    });
  };
  for (const std::uint64_t key : all_pairs) {
    PairCounts& pair = pairs[key];
    pair.behind_from -= pair.before_types;
    pair.before_from -= pair.behind_types;
    by_times(behind_pairs, pair.behind_from, pair.before_types);
    by_times(before_pairs, pair.before_from, pair.behind_types);
  }
}

void WordModel::State::list_beside_words(const std::vector<std::uint64_t>& all_pairs) {
  struct Share {
    double share = 0;
    WordId word = 0;
  };
  std::vector<Share> shares(all_pairs.size());
  const auto list = [&](BesideWords& to, auto word_of, auto beside_of, auto share_of) {
    to.from.assign(spellings.size() + 1, 0);
    for (const std::uint64_t key : all_pairs) ++to.from[word_of(key) + 1];
    for (std::size_t w = 0; w < spellings.size(); ++w) to.from[w + 1] += to.from[w];
    std::vector<std::size_t> at = to.from;
    for (const std::uint64_t key : all_pairs) {
      shares[at[word_of(key)]++] = {share_of(word_of(key), beside_of(key), *pairs.find(key)), beside_of(key)};
    }
    for (std::size_t w = 0; w < spellings.size(); ++w) {
      std::sort(shares.begin() + static_cast<std::ptrdiff_t>(to.from[w]),
                shares.begin() + static_cast<std::ptrdiff_t>(to.from[w + 1]), [](const Share& a, const Share& b) {
                  return a.share != b.share ? a.share > b.share : a.word < b.word;
                });
    }
    for (const Share& share : shares) {
      to.words.push_back(share.word);
      to.shares.push_back(share.share);
    }
  };
  list(behind, first_of, second_of, [this](WordId word, WordId beside, const PairCounts& pair) {
    return left_side({kBoundary, word, kBoundary, kBoundary}, nullptr).of_one(pair.behind_types, bases[beside]);
  });
  list(before, second_of, first_of, [this](WordId word, WordId beside, const PairCounts& pair) {
    return right_side({kBoundary, kBoundary, word, kBoundary}, nullptr).of_one(pair.before_types, bases[beside]);
  });
}

WordModel::WordModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
WordModel::~WordModel() = default;
WordModel::WordModel(WordModel&&) noexcept = default;
WordModel& WordModel::operator=(WordModel&&) noexcept = default;

WordId WordModel::id(std::string_view word) const {
  const auto found = state_->ids.find(word);
  return found != state_->ids.end() ? found->second : kUnknown;
}
std::string_view WordModel::word(WordId id) const { return state_->spellings.at(id); }
std::size_t WordModel::words() const { return state_->spellings.size(); }

std::span<const WordId> WordModel::by_use() const { return state_->frequent; }

void WordModel::each_behind(WordId first, const std::function<void(WordId word, std::uint32_t times)>& f) const {
  for (const WordId word : state_->behind.words_of(first)) f(word, state_->pairs.find(pack(first, word))->before);
}

double WordModel::probability(WordId word, const Neighbours& n) const {
  const State& s = *state_;
  return s.probability(word, n, s.left_side(n, s.pairs.find(pack(n.left2, n.left1))),
                       s.right_side(n, s.pairs.find(pack(n.right1, n.right2))));
}

WordModelTrainer::WordModelTrainer() : state_(std::make_unique<WordModel::State>()) {}
WordModelTrainer::~WordModelTrainer() = default;

void WordModelTrainer::add(std::span<const std::string_view> utterances) {
  WordId left2 = WordModel::kBoundary, left1 = WordModel::kBoundary;
  std::vector<Span> spans;
  bool any = false;
  const auto next = [&](WordId word) {
    triples_.push_back(pack(left2, left1, word));
    left2 = left1;
    left1 = word;
  };
  for (const std::string_view utterance : utterances) {
    words(utterance, spans);
    if (spans.empty()) continue;
    any = true;
    for (const Span& span : spans) next(state_->add(lower(slice(utterance, span))));
    next(WordModel::kBoundary);
  }
  if (any) next(WordModel::kBoundary);
}

WordModel WordModelTrainer::finish() {
  state_->count(std::move(triples_));
  return WordModel(std::move(state_));
}

}  // namespace residue::text
