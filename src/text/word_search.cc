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

#include "text/word_model_state.h"

namespace residue::text {
namespace {

// Words, each once: open addressing at a load of at most a half.
class WordSet {
 public:
  // Whether it was not there.
  bool add(WordId word) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    WordId& slot = slots_[place(word)];
    if (slot == word) return false;
    slot = word;
    ++size_;
    return true;
  }

 private:
  [[nodiscard]] std::size_t place(WordId word) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (word * 0x9e3779b1U >> 8U) & mask;
    while (slots_[at] != word && slots_[at] != WordModel::kUnknown) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<WordId> before(slots_.size() * 2, WordModel::kUnknown);
    before.swap(slots_);
    for (const WordId word : before) {
      if (word != WordModel::kUnknown) slots_[place(word)] = word;
    }
  }
  std::vector<WordId> slots_ = std::vector<WordId>(1024, WordModel::kUnknown);
  std::size_t size_ = 0;
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
  [[nodiscard]] double most(double base) const { return side.of_two(most_times(), most_of_one(base)); }

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
      if (hopeless(0.5 * (left_.most(base) + right_.most(base)))) break;
      read(most_owed(base), base);
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

  void read(List list, double base) {
    switch (list) {
      case kLeftPairs: {
        const BesidePair next = left_.pairs.front();
        left_.pairs = left_.pairs.subspan(1);
        return offer(next.word);
      }
      case kRightPairs: {
        const BesidePair next = right_.pairs.front();
        right_.pairs = right_.pairs.subspan(1);
        return offer(next.word);
      }
      case kLeftWords: {
        const WordId word = left_.words.front();
        const double share = left_.shares.front();
        left_.words = left_.words.subspan(1);
        left_.shares = left_.shares.subspan(1);
        if (hopeless(0.5 * (left_.side.of_two(left_.most_times(), share) + right_.most(base)))) return;
        return offer(word);
      }
      case kRightWords: {
        const WordId word = right_.words.front();
        const double share = right_.shares.front();
        right_.words = right_.words.subspan(1);
        right_.shares = right_.shares.subspan(1);
        if (hopeless(0.5 * (left_.most(base) + right_.side.of_two(right_.most_times(), share)))) return;
        return offer(word);
      }
      default: {
        const WordId word = all_.front();
        all_ = all_.subspan(1);
        return offer(word);
      }
    }
  }

  void offer(WordId word) {
    if (word < kFirst || !seen_.add(word)) return;
    const Candidate candidate{word, s_.probability(word, n_, left_.side, right_.side)};
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
