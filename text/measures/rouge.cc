#include "text/measures/rouge.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "text/characters/id_map.h"

namespace residue::text {
namespace {

// Token numbers to 0, 1, 2 ... in the order of first sight, where the numbers are small: one place for each number, so
// that nothing is searched. Emptied in constant time.
class SmallIds {
 public:
  static constexpr std::uint32_t kLargest = (1U << 20) - 1;

  void reset(std::uint32_t largest) {
    if (places_.size() <= largest) places_.resize(std::size_t{largest} + 1, 0);
    if (++epoch_ == 0) {
      std::fill(places_.begin(), places_.end(), 0);
      epoch_ = 1;
    }
    size_ = 0;
  }

  std::uint32_t add(std::uint32_t number) {
    std::uint64_t& place = places_[number];
    const bool is_new = static_cast<std::uint32_t>(place >> 32) != epoch_;
    const std::uint32_t id = is_new ? size_ : static_cast<std::uint32_t>(place);
    place = static_cast<std::uint64_t>(epoch_) << 32 | id;
    size_ += is_new ? 1 : 0;
    return id;
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t number) const {
    const std::uint64_t place = places_[number];
    return static_cast<std::uint32_t>(place >> 32) == epoch_ ? static_cast<std::uint32_t>(place) : IdMap::kNone;
  }

 private:
  std::vector<std::uint64_t> places_;  // epoch and id
  std::uint32_t epoch_ = 0;
  std::uint32_t size_ = 0;
};

// Scratch that lives as long as its thread: a pair of texts costs no allocation.
struct Scratch {
  IdMap ids;
  SmallIds small_ids;
  std::vector<std::uint64_t> masks;
  std::vector<std::uint64_t> column;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> a, b;    // tokens as ids of those of one text; kNone: not in it
  std::vector<std::uint32_t> b_in_a;  // without those
  std::vector<std::uint32_t> last,
      found;  // of an id, the last place where it occurs; of a place, if its pair was found
};

// Never inlined: in a shared library the compiler would ask for this thread's place again in every loop that uses it.
[[gnu::noinline]] Scratch& scratch() {
  thread_local Scratch instance;
  return instance;
}

// Fills s.a, s.b and s.b_in_a; returns how many ids there are.
std::size_t number(Scratch& s, Tokens a, Tokens b) {
  s.a.resize(a.size());
  s.b.resize(b.size());
  s.b_in_a.resize(b.size());
  std::uint32_t ids = 0;
  const auto fill = [&](auto& map) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      s.a[i] = map.add(a[i]);
      ids = std::max(ids, s.a[i] + 1);
    }
    std::size_t both = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::uint32_t id = map.find(b[i]);
      s.b[i] = id;
      s.b_in_a[both] = id;
      both += id != IdMap::kNone ? 1 : 0;
    }
    s.b_in_a.resize(both);
  };
  std::uint32_t largest = 0;
  for (const std::uint32_t token : a) largest = std::max(largest, token);
  for (const std::uint32_t token : b) largest = std::max(largest, token);
  if (largest <= SmallIds::kLargest) {
    s.small_ids.reset(largest);
    fill(s.small_ids);
  } else {
    s.ids.reset(a.size());
    fill(s.ids);
  }
  return ids;
}

// Occurrences in common where every n-gram is one exact 64-bit number.
template <class Key>
std::uint64_t common(std::size_t reference, std::size_t hypothesis, const Key& reference_key,
                     const Key& hypothesis_key) {
  Scratch& s = scratch();
  s.ids.reset(reference);
  s.counts.clear();
  for (std::size_t i = 0; i < reference; ++i) {
    const std::uint32_t id = s.ids.add(reference_key(i));
    if (id == s.counts.size()) s.counts.push_back(0);
    ++s.counts[id];
  }
  std::uint64_t shared = 0;
  for (std::size_t i = 0; i < hypothesis; ++i) {
    const std::uint32_t id = s.ids.find(hypothesis_key(i));
    if (id != IdMap::kNone && s.counts[id] > 0) {
      --s.counts[id];
      ++shared;
    }
  }
  return shared;
}

// The same for n-grams of any length: names for (n-1)-gram and last token, built up one token at a time.
std::vector<std::uint64_t> gram_names(Tokens all, unsigned n) {
  std::vector<std::uint64_t> names(all.begin(), all.end());
  IdMap ids;
  for (unsigned length = 2; length <= n; ++length) {
    ids.reset(names.size());
    for (std::size_t i = 0; i + length <= all.size(); ++i) {
      names[i] = ids.add((names[i] << 32) | all[i + length - 1]);
    }
  }
  return names;
}

// Takes the column through all of s.b_in_a. A zero bit at i: the subsequence grows by the i-th token of the other text.
// `kWords` is the number of words where it is small, so that the column stays in registers; 0 for any number.
template <std::size_t kWords>
void advance(Scratch& s, std::size_t any_words) {
  const std::size_t words = kWords == 0 ? any_words : kWords;
  std::uint64_t fixed[kWords == 0 ? 1 : kWords];
  std::uint64_t* const column = kWords == 0 ? s.column.data() : fixed;
  if (kWords != 0) std::copy(s.column.begin(), s.column.end(), fixed);
  for (const std::uint32_t id : s.b_in_a) {
    const std::uint64_t* mask = s.masks.data() + id * words;
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t before = column[w];
      const std::uint64_t matches = before & mask[w];
      const std::uint64_t partial = before + matches;
      const std::uint64_t sum = partial + carry;
      carry = static_cast<std::uint64_t>(partial < before) | static_cast<std::uint64_t>(sum < partial);
      column[w] = sum | (before - matches);
    }
  }
  if (kWords != 0) std::copy(fixed, fixed + kWords, s.column.begin());
}

// Of the numbered texts.
std::uint32_t lcs_of_ids(Scratch& s, std::size_t ids) {
  if (s.a.empty()) return 0;
  const std::size_t words = (s.a.size() + 63) / 64;
  s.masks.assign(ids * words, 0);
  for (std::size_t i = 0; i < s.a.size(); ++i) s.masks[s.a[i] * words + i / 64] |= std::uint64_t{1} << (i % 64);
  s.column.assign(words, ~std::uint64_t{0});
  switch (words) {
    case 1:
      advance<1>(s, words);
      break;
    case 2:
      advance<2>(s, words);
      break;
    case 3:
      advance<3>(s, words);
      break;
    case 4:
      advance<4>(s, words);
      break;
    default:
      advance<0>(s, words);
  }
  std::size_t zeros = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t bits = std::min<std::size_t>(64, s.a.size() - w * 64);
    const std::uint64_t used = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    zeros += static_cast<std::size_t>(std::popcount(~s.column[w] & used));
  }
  return static_cast<std::uint32_t>(zeros);
}

// Tokens of the numbered texts in common; leaves in s.counts how often each occurs in `a`.
std::uint64_t common_tokens(Scratch& s, std::size_t ids) {
  s.counts.assign(ids, 0);
  for (const std::uint32_t id : s.a) ++s.counts[id];
  s.found.assign(ids, 0);
  std::uint64_t shared = 0;
  for (const std::uint32_t id : s.b_in_a) shared += s.found[id]++ < s.counts[id] ? 1 : 0;
  return shared;
}

// Pairs of neighbours in common. Behind a token that occurs once in `a` there is one pair only: it is compared, others
// are looked up. Needs s.counts.
std::uint64_t common_pairs(Scratch& s, std::size_t ids) {
  const auto key = [](std::uint32_t first, std::uint32_t second) {
    return static_cast<std::uint64_t>(first) << 32 | second;
  };
  s.last.assign(ids, 0);
  s.found.assign(ids, 0);
  s.ids.reset(s.a.size());
  s.b_in_a.clear();  // from here on: how often each pair occurs that is looked up
  for (std::size_t i = 0; i + 1 < s.a.size(); ++i) {
    s.last[s.a[i]] = static_cast<std::uint32_t>(i);
    if (s.counts[s.a[i]] == 1) continue;
    const std::uint32_t pair = s.ids.add(key(s.a[i], s.a[i + 1]));
    if (pair == s.b_in_a.size()) s.b_in_a.push_back(0);
    ++s.b_in_a[pair];
  }
  // A single token at the end of `a` begins no pair.
  if (s.counts[s.a.back()] == 1) s.found[s.a.back()] = 1;
  std::uint64_t shared = 0;
  for (std::size_t i = 0; i + 1 < s.b.size(); ++i) {
    const std::uint32_t first = s.b[i];
    const std::uint32_t second = s.b[i + 1];
    if (first == IdMap::kNone || second == IdMap::kNone) continue;
    if (s.counts[first] == 1) {
      const bool same = s.found[first] == 0 && s.a[s.last[first] + 1] == second;
      s.found[first] |= same ? 1 : 0;
      shared += same ? 1 : 0;
      continue;
    }
    const std::uint32_t pair = s.ids.find(key(first, second));
    if (pair == IdMap::kNone || s.b_in_a[pair] == 0) continue;
    --s.b_in_a[pair];
    ++shared;
  }
  return shared;
}

}  // namespace

Prf prf(const Overlap& counts) {
  Prf out;
  if (counts.common == 0) return out;
  out.p = static_cast<double>(counts.common) / static_cast<double>(counts.hypothesis);
  out.r = static_cast<double>(counts.common) / static_cast<double>(counts.reference);
  out.f = 2 * out.p * out.r / (out.p + out.r);
  return out;
}

std::uint32_t lcs_length(Tokens a, Tokens b) {
  if (a.size() > b.size()) std::swap(a, b);
  Scratch& s = scratch();
  return lcs_of_ids(s, number(s, a, b));
}

RougeOverlaps rouge_overlaps(Tokens reference, Tokens hypothesis) {
  Scratch& s = scratch();
  RougeOverlaps out;
  out.rouge1 = out.rouge_l = {0, reference.size(), hypothesis.size()};
  out.rouge2 = {0, std::max<std::size_t>(reference.size(), 1) - 1, std::max<std::size_t>(hypothesis.size(), 1) - 1};
  if (reference.empty() || hypothesis.empty()) return out;
  const std::size_t ids = number(s, reference, hypothesis);
  out.rouge_l.common = lcs_of_ids(s, ids);
  out.rouge1.common = common_tokens(s, ids);
  out.rouge2.common = common_pairs(s, ids);
  return out;
}

Overlap rouge_n_overlap(Tokens reference, Tokens hypothesis, unsigned n) {
  Overlap counts;
  if (n == 0) return counts;
  counts.reference = reference.size() < n ? 0 : reference.size() - n + 1;
  counts.hypothesis = hypothesis.size() < n ? 0 : hypothesis.size() - n + 1;
  if (counts.reference == 0 || counts.hypothesis == 0) return counts;
  if (n <= 2) {
    struct Key {
      Tokens of;
      unsigned n;
      std::uint64_t operator()(std::size_t i) const {
        return n == 1 ? of[i] : (std::uint64_t{of[i]} << 32) | of[i + 1];
      }
    };
    counts.common = common(counts.reference, counts.hypothesis, Key{reference, n}, Key{hypothesis, n});
    return counts;
  }
  // Both texts one behind the other, so that equal n-grams get equal names; those across the seam are not read.
  std::vector<std::uint32_t> both(reference.begin(), reference.end());
  both.insert(both.end(), hypothesis.begin(), hypothesis.end());
  const std::vector<std::uint64_t> names = gram_names(both, n);
  struct Key {
    const std::uint64_t* names;
    std::uint64_t operator()(std::size_t i) const { return names[i]; }
  };
  counts.common = common(counts.reference, counts.hypothesis, Key{names.data()}, Key{names.data() + reference.size()});
  return counts;
}

Overlap rouge_l_overlap(Tokens reference, Tokens hypothesis) {
  return {lcs_length(reference, hypothesis), reference.size(), hypothesis.size()};
}

Prf rouge_n(Tokens reference, Tokens hypothesis, unsigned n) { return prf(rouge_n_overlap(reference, hypothesis, n)); }

Prf rouge_l(Tokens reference, Tokens hypothesis) { return prf(rouge_l_overlap(reference, hypothesis)); }

Prf rouge_lsum(std::string_view reference, std::string_view hypothesis, bool stem) {
  return prf(rouge_lsum_overlap(reference, hypothesis, stem));
}

}  // namespace residue::text
