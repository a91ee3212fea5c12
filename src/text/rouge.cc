#include "text/rouge.h"

#include <algorithm>
#include <bit>

#include "text/id_map.h"

namespace residue::text {
namespace {

// Scratch that lives as long as its thread: a pair of texts costs no allocation.
struct Scratch {
  IdMap ids;
  std::vector<std::uint64_t> masks;
  std::vector<std::uint64_t> column;
  std::vector<std::uint32_t> counts;
};

Scratch& scratch() {
  thread_local Scratch instance;
  return instance;
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

// Takes the column through all of `b`. A zero bit at i: the subsequence grows by the i-th token of the other text.
// `kWords` is the number of words where it is small, so that the column stays in registers; 0 for any number.
template <std::size_t kWords>
void advance(Scratch& s, std::size_t any_words, Tokens b) {
  const std::size_t words = kWords == 0 ? any_words : kWords;
  std::uint64_t fixed[kWords == 0 ? 1 : kWords];
  std::uint64_t* const column = kWords == 0 ? s.column.data() : fixed;
  if (kWords != 0) std::copy(s.column.begin(), s.column.end(), fixed);
  for (const std::uint32_t token : b) {
    const std::uint32_t id = s.ids.find(token);
    if (id == IdMap::kNone) continue;
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
  if (a.empty()) return 0;
  Scratch& s = scratch();
  const std::size_t words = (a.size() + 63) / 64;
  s.ids.reset(a.size());
  s.masks.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t id = s.ids.add(a[i]);
    if ((id + 1) * words > s.masks.size()) s.masks.resize((id + 1) * words, 0);
    s.masks[id * words + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  s.column.assign(words, ~std::uint64_t{0});
  switch (words) {
    case 1:
      advance<1>(s, words, b);
      break;
    case 2:
      advance<2>(s, words, b);
      break;
    case 3:
      advance<3>(s, words, b);
      break;
    case 4:
      advance<4>(s, words, b);
      break;
    default:
      advance<0>(s, words, b);
  }
  std::size_t zeros = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t bits = std::min<std::size_t>(64, a.size() - w * 64);
    const std::uint64_t used = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    zeros += static_cast<std::size_t>(std::popcount(~s.column[w] & used));
  }
  return static_cast<std::uint32_t>(zeros);
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
