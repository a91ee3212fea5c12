// What a word model holds (text/word_model.h): counts, and for each place the words that training saw there, best
// first.
#pragma once

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "text/predict/word_model.h"

namespace residue::text {

constexpr int kWordBits = 21;
constexpr std::uint64_t kWordMask = (1ULL << kWordBits) - 1;

inline std::uint64_t pack(WordId a, WordId b) { return static_cast<std::uint64_t>(a) << kWordBits | b; }
inline std::uint64_t pack(WordId a, WordId b, WordId c) { return pack(a, b) << kWordBits | c; }

// Asks for large pages for memory that was not written yet: look-ups at random places spend most of their time finding
// the page otherwise. Where there are none, nothing changes.
inline void in_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage * kPage;
  if (end > begin) static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

// Keys to values, filled once: open addressing at a load of at most a half. The key ~0 is none.
template <class Entry>
class Table {
 public:
  void reserve(std::size_t keys) {
    const std::size_t slots = std::bit_ceil(keys * 2 + 2);
    slots_.reserve(slots);
    in_huge_pages(slots_.data(), slots * sizeof(Slot));
    slots_.assign(slots, {~std::uint64_t{0}, Entry{}});
  }
  Entry& operator[](std::uint64_t key) {
    Slot& slot = slots_[place(key)];
    slot.key = key;
    return slot.entry;
  }
  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? &slot.entry : nullptr;
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[mix(key) & (slots_.size() - 1)]); }

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

// Of a pair xy: how often it stands before some word and before how many, behind some word and behind how many; and
// where the lists of these words begin.
struct PairCounts {
  std::uint32_t before = 0, before_types = 0, behind_from = 0;
  std::uint32_t behind = 0, behind_types = 0, before_from = 0;
};

// Of a word: the sums of its pairs' types, and the number of its pairs, with the word as the first and as the second.
struct WordCounts {
  std::uint64_t first_sum = 0, second_sum = 0;
  std::uint32_t first_types = 0, second_types = 0;
};

// What is left of a count.
inline double taken(std::uint64_t count, double discount) {
  return count == 0 ? 0 : static_cast<double>(count) - discount;
}

// A word beside a pair, and how often it stands there.
struct BesidePair {
  WordId word = 0;
  std::uint32_t times = 0;
};

// Words that training saw beside each word: those of w lie in [from[w], from[w + 1]), by falling share of w.
struct BesideWords {
  std::vector<std::size_t> from;
  std::vector<WordId> words;
  std::vector<double> shares;  // P(words[i] | w), of two words

  [[nodiscard]] std::size_t count(WordId w) const { return w + 1 < from.size() ? from[w + 1] - from[w] : 0; }
  [[nodiscard]] std::span<const WordId> words_of(WordId w) const {
    return count(w) == 0 ? std::span<const WordId>() : std::span(words).subspan(from[w], count(w));
  }
  [[nodiscard]] std::span<const double> shares_of(WordId w) const {
    return count(w) == 0 ? std::span<const double>() : std::span(shares).subspan(from[w], count(w));
  }
};

// P(word | one side), of which the counts of the place are known.
//
//   of_two = (taken(times) + left3 * of_one) / all3        of_one = (taken(types) + left2 * base) / all2
//
// Rises with `times`, `types` and `base`, also where it is rounded.
struct Side {
  double all3 = 0, left3 = 0, discount3 = 0;  // all3 is 0: the two words never stood there together
  double all2 = 0, left2 = 0, discount2 = 0;  // all2 is 0: nor did the one

  [[nodiscard]] double of_one(std::uint32_t types, double base) const {
    return all2 == 0 ? base : (taken(types, discount2) + left2 * base) / all2;
  }
  [[nodiscard]] double of_two(std::uint32_t times, double of_one) const {
    return all3 == 0 ? of_one : (taken(times, discount3) + left3 * of_one) / all3;
  }
};

struct WordModel::State {
  std::deque<std::string> spellings{"", ""};
  std::unordered_map<std::string_view, WordId> ids;
  Table<std::uint32_t> triples;
  Table<PairCounts> pairs;
  std::vector<WordCounts> singles;
  BesideWords behind, before;
  std::vector<BesidePair> behind_pairs, before_pairs;  // by falling times; PairCounts says which are of which
  std::vector<double> bases;                           // P(word) alone
  std::vector<WordId> frequent;                        // all words by falling base probability
  double discount3 = 0, discount2_left = 0, discount2_right = 0, discount1 = 0;
  std::uint64_t pair_types = 0;  // twice

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

  [[nodiscard]] const WordCounts* single(WordId word) const { return word < singles.size() ? &singles[word] : nullptr; }

  [[nodiscard]] Side left_side(const Neighbours& n, const PairCounts* pair) const {
    Side side{0, 0, discount3, 0, 0, discount2_left};
    if (const WordCounts* one = single(n.left1); one != nullptr && one->first_sum > 0) {
      side.all2 = static_cast<double>(one->first_sum);
      side.left2 = discount2_left * one->first_types;
    }
    if (pair != nullptr && pair->before > 0) {
      side.all3 = pair->before;
      side.left3 = discount3 * pair->before_types;
    }
    return side;
  }
  [[nodiscard]] Side right_side(const Neighbours& n, const PairCounts* pair) const {
    Side side{0, 0, discount3, 0, 0, discount2_right};
    if (const WordCounts* one = single(n.right1); one != nullptr && one->second_sum > 0) {
      side.all2 = static_cast<double>(one->second_sum);
      side.left2 = discount2_right * one->second_types;
    }
    if (pair != nullptr && pair->behind > 0) {
      side.all3 = pair->behind;
      side.left3 = discount3 * pair->behind_types;
    }
    return side;
  }

  [[nodiscard]] std::uint32_t types_behind(WordId left, WordId word) const {
    const PairCounts* pair = pairs.find(pack(left, word));
    return pair == nullptr ? 0 : pair->behind_types;
  }
  [[nodiscard]] std::uint32_t types_before(WordId word, WordId right) const {
    const PairCounts* pair = pairs.find(pack(word, right));
    return pair == nullptr ? 0 : pair->before_types;
  }
  [[nodiscard]] std::uint32_t times(WordId a, WordId b, WordId c) const {
    const std::uint32_t* found = triples.find(pack(a, b, c));
    return found == nullptr ? 0 : *found;
  }

  // Of a place whose sides are known.
  [[nodiscard]] double probability(WordId word, const Neighbours& n, const Side& left, const Side& right) const {
    const double base = word < bases.size() ? bases[word] : this->base(word);
    const double from_left = left.of_two(left.all3 == 0 ? 0 : times(n.left2, n.left1, word),
                                         left.of_one(left.all2 == 0 ? 0 : types_behind(n.left1, word), base));
    const double from_right = right.of_two(right.all3 == 0 ? 0 : times(word, n.right1, n.right2),
                                           right.of_one(right.all2 == 0 ? 0 : types_before(word, n.right1), base));
    return 0.5 * (from_left + from_right);
  }

  WordId add(const std::string& spelling);
  void count(std::vector<std::uint64_t> all);

 private:
  void count_words(const std::vector<std::uint64_t>& all_pairs);
  void list_beside_pairs(const std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& all_pairs);
  void list_beside_words(const std::vector<std::uint64_t>& all_pairs);
};

}  // namespace residue::text
