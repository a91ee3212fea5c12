#include "text/measures/bleu.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/flat_table.h"
#include "text/characters/eight_bytes.h"
#include "text/characters/id_map.h"

namespace residue::text {
namespace {

constexpr std::uint32_t kNone = IdMap::kNone;

struct Token {
  const char* at = nullptr;
  std::size_t length = 0;
  ShortWord start;
};

// What Spellings keep from text to text.
struct SpellingRoom {
  std::vector<std::uint32_t> table;
  std::vector<Token> tokens;  // grows only
};

// Spellings to places: the first token of the reference that is spelled so. Nearly all tokens have at most 16 bytes,
// and nearly all lie in the first slot that is looked at, so neither costs a branch that is hard to foresee. A local
// variable, so that its members are in registers.
class Spellings {
 public:
  // Of at most `tokens` tokens.
  Spellings(SpellingRoom& room, std::size_t tokens) {
    // Much room costs little for a short text, and saves it from looking twice.
    room.table.assign(std::bit_ceil(tokens * (tokens < 4096 ? 8 : 2) + 2), 0);
    if (room.tokens.size() <= tokens) room.tokens.resize(tokens + 1);
    table_ = room.table.data();
    mask_ = room.table.size() - 1;
    tokens_ = room.tokens.data();
  }

  // Adds the next token of the reference, number 0, 1, 2 ...; the number of the first that is spelled so.
  std::uint32_t add(const Token& token) {
    std::uint32_t& entry = find_entry(token);
    tokens_[used_] = token;
    entry = entry == 0 ? used_ : entry;
    ++used_;
    return entry - 1;
  }

  std::uint32_t find(const Token& token) { return find_entry(token) - 1; }

 private:
  static std::uint64_t hash(const Token& token) {
    return scatter(scatter(token.start.head ^ (static_cast<std::uint64_t>(token.length) << 56)) ^ token.start.tail);
  }

  // 0 or the number of a token and one. One branch for "free" and "the same": which it is, is hard to foresee.
  std::uint32_t& find_entry(const Token& token) {
    return probe(table_, mask_, hash(token), [&](std::uint32_t entry) {
      const Token& there = tokens_[entry];
      const std::uint64_t difference = (there.start.head ^ token.start.head) | (there.start.tail ^ token.start.tail) |
                                       static_cast<std::uint64_t>(there.length ^ token.length);
      const std::uint64_t taken = entry == 0 ? 0 : ~std::uint64_t{0};
      if ((difference & taken) != 0) return false;
      return token.length <= 16 || entry == 0 || std::memcmp(there.at, token.at, token.length) == 0;
    });
  }

  std::uint32_t* table_;
  std::size_t mask_;
  Token* tokens_;  // behind an empty one
  std::uint32_t used_ = 1;
};

// Scratch that lives as long as its thread.
struct Scratch {
  std::string reference_bytes, hypothesis_bytes;
  SpellingRoom spellings;
  std::vector<std::uint32_t> spelling;    // of each token of the reference: the first token that is spelled so
  std::vector<std::uint32_t> hypothesis;  // of each token of the hypothesis: the same, kNone for none
  std::vector<std::uint64_t> places;      // of each spelling: the set of its places
  std::vector<std::uint32_t> first;       // of each place: where the n-gram that begins there begins first
  // [n - 1]: of each place how often the n-gram occurs that begins there first, and how often it was not found yet.
  std::array<std::vector<std::uint32_t>, kBleuOrders> counts, left;
  // [n - 2]: n-grams that extend one of several places, numbered, and their places.
  std::array<IdMap, kBleuOrders - 1> grams;
  std::array<std::vector<std::uint32_t>, kBleuOrders - 1> gram_places;
};

Scratch& scratch() {
  thread_local Scratch instance;
  return instance;
}

// Calls `f(Token)` for what lies between single spaces. `padded`: the text and spaces.
template <class F>
void each_between_spaces(const std::string& padded, F&& f) {
  const char* const text = padded.data();
  const std::size_t size = padded.size() - kPadding;
  std::size_t begin = 0;
  for (std::size_t block = 0; block <= size; block += kBlock) {
    std::uint64_t spaces = equal_in_block(text + block, ' ');
    for (; spaces != 0; spaces &= spaces - 1) {
      const std::size_t end = block + static_cast<std::size_t>(std::countr_zero(spaces));
      if (end > size) return;
      f(Token{text + begin, end - begin, load_short(text + begin, end - begin)});
      begin = end + 1;
    }
  }
}

// n-grams of the reference, each named by the first place where it begins. One that extends an (n-1)-gram of a single
// place is of that place alone, so most n-grams of language are found without looking anything up.
class Grams {
 public:
  explicit Grams(Scratch& s) : s_(s), size_(s.spelling.size()) {
    for (auto& counts : s_.counts) counts.assign(size_, 0);
    for (const std::uint32_t place : s_.spelling) ++s_.counts[0][place];
    s_.first.assign(s_.spelling.begin(), s_.spelling.end());
    for (std::size_t n = 2; n <= kBleuOrders; ++n) extend(n);
  }

  // The place of the n-gram that extends the (n-1)-gram of `shorter` by the token `last`, kNone where there is none.
  [[nodiscard]] std::uint32_t find(std::size_t n, std::uint32_t shorter, std::uint32_t last) const {
    if (s_.counts[n - 2][shorter] == 1) {
      return shorter + n <= size_ && s_.spelling[shorter + n - 1] == last ? shorter : kNone;
    }
    const std::uint32_t id = s_.grams[n - 2].find(key(shorter, last));
    return id == kNone ? kNone : s_.gram_places[n - 2][id];
  }

 private:
  static std::uint64_t key(std::uint32_t shorter, std::uint32_t last) {
    return (static_cast<std::uint64_t>(shorter) << 32) | last;
  }

  void extend(std::size_t n) {
    IdMap& grams = s_.grams[n - 2];
    auto& places = s_.gram_places[n - 2];
    places.clear();
    grams.reset(size_);
    for (std::size_t p = 0; p + n <= size_; ++p) {
      const std::uint32_t shorter = s_.first[p];
      if (s_.counts[n - 2][shorter] > 1) {
        const std::uint32_t id = grams.add(key(shorter, s_.spelling[p + n - 1]));
        if (id == places.size()) places.push_back(static_cast<std::uint32_t>(p));
        s_.first[p] = places[id];
      }
      ++s_.counts[n - 1][s_.first[p]];
    }
  }

  Scratch& s_;
  std::size_t size_;
};

// The same of a reference of at most kWords * 64 tokens. Bit p of a set is token p of the reference: those at which the
// last n tokens of the hypothesis end there as well are those of the last n - 1 moved on by one, if the last token is
// the same. Each n-gram takes one that none before it took.
template <std::size_t kWords>
void count_by_sets(Scratch& s, BleuCounts& out) {
  using Set = std::array<std::uint64_t, kWords>;
  const auto tokens = static_cast<std::uint32_t>(s.spelling.size());
  s.places.assign((tokens + 1) * kWords, 0);  // of each spelling; behind them those of a token that does not occur
  for (std::uint32_t p = 0; p < tokens; ++p) {
    s.places[s.spelling[p] * kWords + p / 64] |= std::uint64_t{1} << (p % 64);
  }
  std::array<Set, kBleuOrders> ends{}, taken{};
  for (const std::uint32_t spelling : s.hypothesis) {
    const std::uint64_t* const same = s.places.data() + std::min(spelling, tokens) * kWords;
    for (std::size_t n = kBleuOrders; n-- > 1;) {
      for (std::size_t w = kWords; w-- > 0;) {
        const std::uint64_t carried = w > 0 ? ends[n - 1][w - 1] >> 63 : 0;
        ends[n][w] = (ends[n - 1][w] << 1 | carried) & same[w];
      }
    }
    for (std::size_t w = 0; w < kWords; ++w) ends[0][w] = same[w];
    for (std::size_t n = 0; n < kBleuOrders; ++n) {
      std::uint64_t still = ~std::uint64_t{0};  // 0: one is taken
      for (std::size_t w = 0; w < kWords; ++w) {
        const std::uint64_t free = ends[n][w] & ~taken[n][w] & still;
        taken[n][w] |= free & (~free + 1);
        still = free == 0 ? still : 0;
      }
      out.common[n] += still == 0 ? 1 : 0;
    }
  }
}

BleuCounts count_common(Scratch& s) {
  const std::size_t reference = s.spelling.size();
  const std::size_t hypothesis = s.hypothesis.size();
  BleuCounts out;
  out.reference = reference;
  out.hypothesis = hypothesis;
  for (std::size_t n = 1; n <= kBleuOrders && n <= hypothesis; ++n) out.total[n - 1] = hypothesis - n + 1;
  switch ((reference + 63) / 64) {
    case 1:
      count_by_sets<1>(s, out);
      return out;
    case 2:
      count_by_sets<2>(s, out);
      return out;
    case 3:
      count_by_sets<3>(s, out);
      return out;
    case 4:
      count_by_sets<4>(s, out);
      return out;
    default:
      break;
  }
  const Grams grams(s);
  s.left = s.counts;
  // What is left of each count: taking one away is counting an n-gram as common.
  for (std::size_t i = 0; i < hypothesis; ++i) {
    std::uint32_t place = s.hypothesis[i];
    for (std::size_t n = 1; place != kNone; ++n) {
      out.common[n - 1] += s.left[n - 1][place] > 0 ? 1 : 0;
      s.left[n - 1][place] -= s.left[n - 1][place] > 0 ? 1 : 0;
      if (n == kBleuOrders || i + n >= hypothesis) break;
      place = grams.find(n + 1, place, s.hypothesis[i + n]);
    }
  }
  return out;
}

// Numbers the tokens that `each` passes on and counts; they are no more than `reference` and `hypothesis`.
template <class Reference, class Hypothesis>
BleuCounts count_tokens(std::size_t reference, const Reference& each_reference, std::size_t hypothesis,
                        const Hypothesis& each_hypothesis) {
  Scratch& s = scratch();
  Spellings spellings(s.spellings, reference);
  s.spelling.resize(reference);
  s.hypothesis.resize(hypothesis);
  std::uint32_t* next = s.spelling.data();
  each_reference([&](const Token& token) { *next++ = spellings.add(token); });
  s.spelling.resize(static_cast<std::size_t>(next - s.spelling.data()));
  next = s.hypothesis.data();
  each_hypothesis([&](const Token& token) { *next++ = spellings.find(token); });
  s.hypothesis.resize(static_cast<std::size_t>(next - s.hypothesis.data()));
  return count_common(s);
}

double ratio(std::uint64_t a, std::uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

BleuCounts bleu_counts(std::string_view reference, std::string_view hypothesis) {
  Scratch& s = scratch();
  pad(reference, ' ', s.reference_bytes);
  pad(hypothesis, ' ', s.hypothesis_bytes);
  const auto spaces = [](const std::string& padded) {  // with those behind it
    std::size_t count = 0;
    for (std::size_t block = 0; block + kPadding <= padded.size(); block += kBlock) {
      count += static_cast<std::size_t>(std::popcount(equal_in_block(padded.data() + block, ' ')));
    }
    return count;
  };
  return count_tokens(
      spaces(s.reference_bytes), [&s](auto&& f) { each_between_spaces(s.reference_bytes, f); },
      spaces(s.hypothesis_bytes), [&s](auto&& f) { each_between_spaces(s.hypothesis_bytes, f); });
}

BleuCounts bleu_counts(std::span<const std::string_view> reference, std::span<const std::string_view> hypothesis) {
  std::string padded;
  const auto each = [&padded](std::span<const std::string_view> tokens) {
    return [tokens, &padded](auto&& f) {
      for (const std::string_view text : tokens) {
        pad(text, '\0', padded);
        f(Token{text.data(), text.size(), load_short(padded.data(), text.size())});
      }
    };
  };
  return count_tokens(reference.size(), each(reference), hypothesis.size(), each(hypothesis));
}

std::array<double, kBleuOrders> nltk_bleu(const BleuCounts& counts, NltkSmoothing smoothing) {
  std::array<double, kBleuOrders> scores{};
  if (counts.common[0] == 0) return scores;
  std::array<double, kBleuOrders> precisions{};
  unsigned zeros = 0;
  for (std::size_t i = 0; i < kBleuOrders; ++i) {
    const std::uint64_t common = counts.common[i];
    const std::uint64_t total = std::max<std::uint64_t>(1, counts.total[i]);
    const auto divisor = static_cast<double>(total);
    precisions[i] = ratio(common, total);
    if (smoothing == NltkSmoothing::kMethod2 && i > 0) precisions[i] = ratio(common + 1, total + 1);
    if (common > 0) continue;
    switch (smoothing) {
      case NltkSmoothing::kNone:
        precisions[i] = DBL_MIN;
        break;
      case NltkSmoothing::kMethod1:
        precisions[i] = 0.1 / divisor;
        break;
      case NltkSmoothing::kMethod2:
        break;
      case NltkSmoothing::kMethod3:
        precisions[i] = 1 / (std::exp2(++zeros) * divisor);
        break;
      case NltkSmoothing::kMethod4:
        if (counts.hypothesis <= 1) break;
        precisions[i] = 1 / (std::exp2(++zeros) * 5 / std::log(static_cast<double>(counts.hypothesis))) / divisor;
        break;
    }
  }
  const double brevity =
      counts.hypothesis > counts.reference ? 1 : std::exp(1 - ratio(counts.reference, counts.hypothesis));
  double logarithms = 0;
  for (std::size_t n = 1; n <= kBleuOrders; ++n) {
    if (precisions[n - 1] > 0) logarithms += std::log(precisions[n - 1]);
    scores[n - 1] = brevity * std::exp(logarithms / static_cast<double>(n));
  }
  return scores;
}

SacreBleu sacre_bleu(const BleuCounts& counts, SacreSmoothing smoothing) {
  SacreBleu out;
  out.counts = counts;
  out.brevity = counts.hypothesis >= counts.reference ? 1
                : counts.hypothesis == 0              ? 0
                                                      : std::exp(1 - ratio(counts.reference, counts.hypothesis));
  if (counts.common[0] == 0) return out;
  double halved = 1;
  std::size_t order = kBleuOrders;
  double logarithms = 0;
  for (std::size_t i = 0; i < kBleuOrders; ++i) {
    if (smoothing == SacreSmoothing::kAddK && i > 0) {
      ++out.counts.common[i];
      ++out.counts.total[i];
    }
    if (out.counts.total[i] == 0) break;
    order = i + 1;
    const auto total = static_cast<double>(out.counts.total[i]);
    if (out.counts.common[i] > 0) {
      out.precisions[i] = 100 * static_cast<double>(out.counts.common[i]) / total;
    } else if (smoothing == SacreSmoothing::kExp) {
      halved *= 2;
      out.precisions[i] = 100 / (halved * total);
    } else if (smoothing == SacreSmoothing::kFloor) {
      out.precisions[i] = 100 * 0.1 / total;
    }
  }
  // sacrebleu's logarithm of zero: exp of it is 0.
  constexpr double kLogOfZero = -9999999999.0;
  for (std::size_t i = 0; i < order; ++i) {
    logarithms += out.precisions[i] == 0 ? kLogOfZero : std::log(out.precisions[i]);
  }
  out.score = out.brevity * std::exp(logarithms / static_cast<double>(order));
  return out;
}

}  // namespace residue::text
