#include "text/word_model.h"

#include <algorithm>
#include <bit>
#include <deque>

#include "base/hash.h"
#include "text/unicode.h"
#include "text/words.h"

namespace residue::text {
namespace {

constexpr int kBits = 21;
constexpr std::uint64_t kMask = (1ULL << kBits) - 1;

std::uint64_t pack(WordId a, WordId b, WordId c) {
  return static_cast<std::uint64_t>(a) << (2 * kBits) | static_cast<std::uint64_t>(b) << kBits | c;
}
std::uint64_t pack(WordId a, WordId b) { return static_cast<std::uint64_t>(a) << kBits | b; }

// Keys to values, filled once: open addressing at a load of at most a half. The key ~0 is none.
template <class Entry>
class Table {
 public:
  void reserve(std::size_t keys) { slots_.assign(std::bit_ceil(keys * 2 + 2), {~std::uint64_t{0}, Entry{}}); }
  Entry& operator[](std::uint64_t key) {
    Slot& slot = slots_[place(key)];
    slot.key = key;
    return slot.entry;
  }
  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? &slot.entry : nullptr;
  }

 private:
  struct Slot {
    std::uint64_t key;
    Entry entry;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    while (slots_[at].key != key && slots_[at].key != ~std::uint64_t{0}) at = (at + 1) & mask;
    return at;
  }
  std::vector<Slot> slots_;
};

// Of a pair xy: how often it stands before some word and before how many, behind some word and behind how many.
struct Pair {
  std::uint32_t before = 0, before_types = 0;
  std::uint32_t behind = 0, behind_types = 0;
};

// Of a word: the sums of its pairs' types, and the number of its pairs, with the word as the first and as the second.
struct Single {
  std::uint64_t first_sum = 0, second_sum = 0;
  std::uint32_t first_types = 0, second_types = 0;
};

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

double taken(std::uint64_t count, double discount) { return count == 0 ? 0 : static_cast<double>(count) - discount; }

}  // namespace

struct WordModel::State {
  std::deque<std::string> spellings{"", ""};
  std::unordered_map<std::string_view, WordId> ids;
  Table<std::uint32_t> triples;
  Table<Pair> pairs;
  std::vector<Single> singles;
  // Neighbours that training saw, of each word: behind[behind_from[w]] ... stand behind it.
  std::vector<WordId> behind, before;
  std::vector<std::size_t> behind_from, before_from;
  std::vector<WordId> frequent;  // all words by falling base probability
  double discount3 = 0, discount2_left = 0, discount2_right = 0, discount1 = 0;
  std::uint64_t pair_types = 0;  // twice

  WordId add(const std::string& spelling) {
    if (const auto found = ids.find(spelling); found != ids.end()) return found->second;
    if (spellings.size() > kMost) return kUnknown;
    spellings.push_back(spelling);
    const auto id = static_cast<WordId>(spellings.size() - 1);
    ids.emplace(spellings.back(), id);
    return id;
  }

  [[nodiscard]] std::uint64_t types(WordId word) const {
    return word < singles.size() ? singles[word].first_types + singles[word].second_types : 0;
  }

  // Words by the number of words that they stand beside; what the discount takes, all words share.
  [[nodiscard]] double base(WordId word) const {
    if (pair_types == 0) return 0.5;  // of no text: unknown, or the end
    const auto all = static_cast<double>(pair_types);
    const auto seen = static_cast<double>(frequent.size() + 1);  // and the boundary
    return taken(types(word), discount1) / all + discount1 * seen / all / (seen + 1);
  }

  [[nodiscard]] double behind_one(WordId word, WordId left) const {
    const Single* single = left < singles.size() && singles[left].first_sum > 0 ? &singles[left] : nullptr;
    if (single == nullptr) return base(word);
    const Pair* pair = pairs.find(pack(left, word));
    return (taken(pair == nullptr ? 0 : pair->behind_types, discount2_left) +
            discount2_left * single->first_types * base(word)) /
           static_cast<double>(single->first_sum);
  }
  [[nodiscard]] double before_one(WordId word, WordId right) const {
    const Single* single = right < singles.size() && singles[right].second_sum > 0 ? &singles[right] : nullptr;
    if (single == nullptr) return base(word);
    const Pair* pair = pairs.find(pack(word, right));
    return (taken(pair == nullptr ? 0 : pair->before_types, discount2_right) +
            discount2_right * single->second_types * base(word)) /
           static_cast<double>(single->second_sum);
  }

  [[nodiscard]] double behind_two(WordId word, WordId left2, WordId left1) const {
    const double shorter = behind_one(word, left1);
    const Pair* context = pairs.find(pack(left2, left1));
    if (context == nullptr || context->before == 0) return shorter;
    const std::uint32_t* count = triples.find(pack(left2, left1, word));
    return (taken(count == nullptr ? 0 : *count, discount3) + discount3 * context->before_types * shorter) /
           context->before;
  }
  [[nodiscard]] double before_two(WordId word, WordId right1, WordId right2) const {
    const double shorter = before_one(word, right1);
    const Pair* context = pairs.find(pack(right1, right2));
    if (context == nullptr || context->behind == 0) return shorter;
    const std::uint32_t* count = triples.find(pack(word, right1, right2));
    return (taken(count == nullptr ? 0 : *count, discount3) + discount3 * context->behind_types * shorter) /
           context->behind;
  }

  void count(std::vector<std::uint64_t> all);
  void list_neighbours(const std::vector<std::uint64_t>& all_pairs);
};

// `all`: every triple as often as it occurs.
void WordModel::State::count(std::vector<std::uint64_t> all) {
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> all_pairs;
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i] == all[i - 1]) continue;
    ++distinct;
    all_pairs.push_back(all[i] >> kBits);
    all_pairs.push_back(all[i] & (kMask << kBits | kMask));
  }
  std::sort(all_pairs.begin(), all_pairs.end());
  all_pairs.erase(std::unique(all_pairs.begin(), all_pairs.end()), all_pairs.end());
  triples.reserve(distinct);
  pairs.reserve(all_pairs.size());
  Discount three, two_left, two_right, one;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end] == all[i]) ++end;
    const auto times = static_cast<std::uint32_t>(end - i);
    triples[all[i]] = times;
    three.add(times);
    Pair& head = pairs[all[i] >> kBits];
    head.before += times;
    ++head.before_types;
    Pair& tail = pairs[all[i] & (kMask << kBits | kMask)];
    tail.behind += times;
    ++tail.behind_types;
    i = end;
  }
  singles.resize(spellings.size());
  for (const std::uint64_t key : all_pairs) {
    const Pair& pair = *pairs.find(key);
    Single& first = singles[key >> kBits];
    Single& second = singles[key & kMask];
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
  discount3 = three.value();
  discount2_left = two_left.value();
  discount2_right = two_right.value();
  discount1 = one.value();
  list_neighbours(all_pairs);
}

void WordModel::State::list_neighbours(const std::vector<std::uint64_t>& all_pairs) {
  behind_from.assign(spellings.size() + 1, 0);
  before_from.assign(spellings.size() + 1, 0);
  for (const std::uint64_t key : all_pairs) {
    ++behind_from[(key >> kBits) + 1];
    ++before_from[(key & kMask) + 1];
  }
  for (std::size_t w = 0; w < spellings.size(); ++w) {
    behind_from[w + 1] += behind_from[w];
    before_from[w + 1] += before_from[w];
  }
  behind.resize(all_pairs.size());
  before.resize(all_pairs.size());
  std::vector<std::size_t> behind_at = behind_from, before_at = before_from;
  for (const std::uint64_t key : all_pairs) {
    behind[behind_at[key >> kBits]++] = static_cast<WordId>(key & kMask);
    before[before_at[key & kMask]++] = static_cast<WordId>(key >> kBits);
  }
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
  const State& s = *state_;
  for (std::size_t i = s.behind_from.at(first); i < s.behind_from.at(first + 1); ++i) {
    f(s.behind[i], s.pairs.find(pack(first, s.behind[i]))->before);
  }
}

double WordModel::probability(WordId word, const Neighbours& n) const {
  return 0.5 * (state_->behind_two(word, n.left2, n.left1) + state_->before_two(word, n.right1, n.right2));
}

// A word that was never seen beside either neighbour has what is left for all such words times its base probability: of
// those the most frequent ones are the most probable.
std::vector<WordModel::Candidate> WordModel::likeliest(const Neighbours& n, std::size_t count) const {
  const State& s = *state_;
  std::vector<WordId> words(s.frequent.begin(),
                            s.frequent.begin() + static_cast<std::ptrdiff_t>(std::min(count, s.frequent.size())));
  const auto take = [&](const std::vector<WordId>& from, const std::vector<std::size_t>& starts, WordId of) {
    if (of + 1 >= starts.size()) return;
    words.insert(words.end(), from.begin() + static_cast<std::ptrdiff_t>(starts[of]),
                 from.begin() + static_cast<std::ptrdiff_t>(starts[of + 1]));
  };
  take(s.behind, s.behind_from, n.left1);
  take(s.before, s.before_from, n.right1);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<Candidate> out;
  for (const WordId word : words) {
    if (word >= kFirst) out.push_back({word, probability(word, n)});
  }
  const auto better = [&s](const Candidate& a, const Candidate& b) {
    return a.probability != b.probability ? a.probability > b.probability : s.spellings[a.word] < s.spellings[b.word];
  };
  const std::size_t kept = std::min(count, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(), better);
  out.resize(kept);
  return out;
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
