// The most probable words in a place, by the threshold algorithm (R. Fagin, A. Lotem and M. Naor, "Optimal aggregation
// algorithms for middleware", 2003) over five lists, each with its best words first:
//
//   behind (left2, left1) ─┐
//   behind left1 ──────────┤
//   before (right1, right2)├──> the next word of the list that a word still to come could owe most ──> the best n
//   before right1 ─────────┤    until such a word cannot be among them
//   all words ─────────────┘
//
// Exact: a bound is the probability of a word with the next entry of each list, computed as a probability is, and
// rounding keeps order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/flat_table.h"
#include "text/predict/word_model_state.h"

namespace residue::text {
namespace {

// Words, each once.
class WordSet {
 public:
  // Whether it was not there.
  bool add(WordId word) {
    Slot& slot = slots_.place(Slot{word}.hash(), [word](const Slot& one) { return one.word == word; });
    const bool fresh = slot.free();
    slot.word = word;
    return fresh;
  }

 private:
  struct Slot {
    WordId word = WordModel::kUnknown;

    [[nodiscard]] bool free() const { return word == WordModel::kUnknown; }
    [[nodiscard]] std::uint64_t hash() const { return word * 0x9e3779b1U >> 8U; }
  };

  FlatTable<Slot> slots_;
};

// One side of the place: its counts, and its two lists as far as they were read.
struct Reading {
  Side side;
  std::span<const BesidePair> pairs;
  std::span<const WordId> words;
  std::span<const double> shares;

  [[nodiscard]] std::uint32_t most_times() const { return pairs.empty() ? 0 : pairs.front().times; }

  // At most, of a word that no list has named and whose base is at most this.
  [[nodiscard]] double most_of_one(double base) const {
    const double not_listed = side.of_one(0, base);
    return shares.empty() ? not_listed : std::max(shares.front(), not_listed);
  }
  BesidePair next_pair() {
    const BesidePair next = pairs.front();
    pairs = pairs.subspan(1);
    return next;
  }
  std::pair<WordId, double> next_word() {
    const std::pair<WordId, double> next{words.front(), shares.front()};
    words = words.subspan(1);
    shares = shares.subspan(1);
    return next;
  }

  // Of a word that the list of pairs has not named yet, where reading on takes no longer than looking it up.
  [[nodiscard]] bool short_list() const { return pairs.size() <= 64; }
  [[nodiscard]] std::uint32_t times_of(WordId word) const {
    const auto found = std::ranges::find(pairs, word, &BesidePair::word);
    return found == pairs.end() ? 0 : found->times;
  }

  // What the next entries are worth to it.
  [[nodiscard]] double worth_of_pairs() const {
    return side.all3 == 0 ? 0 : taken(most_times(), side.discount3) / side.all3;
  }
  [[nodiscard]] double worth_of_one(double of_one) const {
    return side.all3 == 0 ? of_one : of_one * side.left3 / side.all3;
  }
};

}  // namespace

struct WordModel::Search {
  enum List { kLeftPairs, kRightPairs, kLeftWords, kRightWords, kAllWords, kLists };

  Search(const State& s, const Neighbours& n, std::size_t count) : s_(s), n_(n), count_(count), all_(s.frequent) {
    const PairCounts* left = s.pairs.find(pack(n.left2, n.left1));
    const PairCounts* right = s.pairs.find(pack(n.right1, n.right2));
    left_.side = s.left_side(n, left);
    right_.side = s.right_side(n, right);
    if (left_.side.all3 > 0) left_.pairs = std::span(s.behind_pairs).subspan(left->behind_from, left->before_types);
    if (right_.side.all3 > 0) right_.pairs = std::span(s.before_pairs).subspan(right->before_from, right->behind_types);
    if (left_.side.all2 > 0) {
      left_.words = s.behind.words_of(n.left1);
      left_.shares = s.behind.shares_of(n.left1);
    }
    if (right_.side.all2 > 0) {
      right_.words = s.before.words_of(n.right1);
      right_.shares = s.before.shares_of(n.right1);
    }
  }

  std::vector<Candidate> run() {
    while (!all_.empty()) {
      const double base = s_.bases[all_.front()];
      if (hopeless(most(base, {}))) break;
      read(most_owed(base));
    }
    std::sort(best_.begin(), best_.end(), [this](const Candidate& a, const Candidate& b) { return better(a, b); });
    return std::move(best_);
  }

 private:
  // Of words of equal probability the first in byte order may still come.
  [[nodiscard]] bool hopeless(double most) const {
    return best_.size() == count_ && (count_ == 0 || most < best_.front().probability);
  }
  [[nodiscard]] bool better(const Candidate& a, const Candidate& b) const {
    return a.probability != b.probability ? a.probability > b.probability : s_.spellings[a.word] < s_.spellings[b.word];
  }

  [[nodiscard]] List most_owed(double base) const {
    std::array<double, kLists> worth{left_.worth_of_pairs(), right_.worth_of_pairs(), 0, 0, 0};
    const auto add = [&](const Reading& reading, List words) {
      const double not_listed = reading.side.of_one(0, base);
      const bool listed = !reading.shares.empty() && reading.shares.front() >= not_listed;
      if (listed) worth[words] = reading.worth_of_one(reading.shares.front());
      if (!listed) worth[kAllWords] += reading.worth_of_one(not_listed);
    };
    add(left_, kLeftWords);
    add(right_, kRightWords);
    const auto most = std::max_element(worth.begin(), worth.end()) - worth.begin();
    return worth[static_cast<std::size_t>(most)] > 0 ? static_cast<List>(most) : kAllWords;
  }

  // What the list that named a word says of it.
  struct Known {
    std::optional<double> left_of_one = {}, right_of_one = {};
    std::optional<std::uint32_t> left_times = {}, right_times = {};
  };

  void read(List list) {
    constexpr std::size_t kAhead = 4;  // words whose pair is fetched from memory before it is asked for
    const auto fetch = [this](WordId word, bool left, bool right) {
      if (left) s_.pairs.prefetch(pack(n_.left1, word));
      if (right) s_.pairs.prefetch(pack(word, n_.right1));
    };
    switch (list) {
      case kLeftPairs: {
        if (left_.pairs.size() > kAhead) fetch(left_.pairs[kAhead].word, true, true);
        const BesidePair next = left_.next_pair();
        return offer(next.word, {.left_times = next.times});
      }
      case kRightPairs: {
        if (right_.pairs.size() > kAhead) fetch(right_.pairs[kAhead].word, true, true);
        const BesidePair next = right_.next_pair();
        return offer(next.word, {.right_times = next.times});
      }
      case kLeftWords: {
        if (left_.words.size() > kAhead) fetch(left_.words[kAhead], false, true);
        const auto [word, share] = left_.next_word();
        return offer(word, {.left_of_one = share});
      }
      case kRightWords: {
        if (right_.words.size() > kAhead) fetch(right_.words[kAhead], true, false);
        const auto [word, share] = right_.next_word();
        return offer(word, {.right_of_one = share});
      }
      default: {
        if (all_.size() > kAhead) fetch(all_[kAhead], !left_.words.empty(), !right_.words.empty());
        const WordId word = all_.front();
        all_ = all_.subspan(1);
        return offer(word, {});
      }
    }
  }

  // At most, of a word that the lists have not named but for what is known.
  [[nodiscard]] double most(double base, const Known& known) const {
    return 0.5 * (left_.side.of_two(known.left_times.value_or(left_.most_times()),
                                    known.left_of_one.value_or(left_.most_of_one(base))) +
                  right_.side.of_two(known.right_times.value_or(right_.most_times()),
                                     known.right_of_one.value_or(right_.most_of_one(base))));
  }

  // Counts are looked up only while the word may still be among the best, and fetched from memory at the same time:
  // that is what takes long. A list that has ended would have named it.
  void offer(WordId word, Known known) {
    if (word < kFirst || !seen_.add(word)) return;
    const double base = s_.bases[word];
    if (hopeless(most(base, known))) return;
    if (!known.left_of_one) {
      const std::uint32_t types = left_.words.empty() ? 0 : s_.types_behind(n_.left1, word);
      known.left_of_one = left_.side.of_one(types, base);
      if (types == 0) known.left_times = 0;
    }
    if (!known.right_of_one) {
      const std::uint32_t types = right_.words.empty() ? 0 : s_.types_before(word, n_.right1);
      known.right_of_one = right_.side.of_one(types, base);
      if (types == 0) known.right_times = 0;
    }
    if (hopeless(most(base, known))) return;
    if (!known.left_times) {
      known.left_times = left_.short_list() ? left_.times_of(word) : s_.times(n_.left2, n_.left1, word);
    }
    if (!known.right_times) {
      known.right_times = right_.short_list() ? right_.times_of(word) : s_.times(word, n_.right1, n_.right2);
    }
    const Candidate candidate{word, most(base, known)};
    const auto order = [this](const Candidate& a, const Candidate& b) { return better(a, b); };
    if (best_.size() == count_) {
      if (!better(candidate, best_.front())) return;
      std::pop_heap(best_.begin(), best_.end(), order);
      best_.pop_back();
    }
    best_.push_back(candidate);
    std::push_heap(best_.begin(), best_.end(), order);
  }

  const State& s_;
  const Neighbours& n_;
  std::size_t count_;
  Reading left_, right_;
  std::span<const WordId> all_;
  std::vector<Candidate> best_;  // a heap, the worst first
  WordSet seen_;
};

std::vector<WordModel::Candidate> WordModel::likeliest(const Neighbours& neighbours, std::size_t n) const {
  return Search(*state_, neighbours, n).run();
}

}  // namespace residue::text
