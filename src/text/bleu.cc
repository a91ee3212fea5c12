#include "text/bleu.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <vector>

#include "text/id_map.h"

namespace residue::text {
namespace {

constexpr std::uint32_t kNone = IdMap::kNone;

// The first eight bytes at `at`, or what is left of them.
std::uint64_t eight_bytes(const char* at, const char* end) {
  std::uint64_t out = 0;
  std::memcpy(&out, at, static_cast<std::size_t>(std::min<std::ptrdiff_t>(8, end - at)));
  return out;
}

// The 0x80 of each byte that is a space; the lowest is right, those above may be wrong.
std::uint64_t spaces_in(std::uint64_t bytes) {
  const std::uint64_t x = bytes ^ 0x2020202020202020ULL;
  return (x - 0x0101010101010101ULL) & ~x & 0x8080808080808080ULL;
}

std::uint64_t scatter(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 32);
}

// Spellings to places: the first token of the reference that is spelled so.
class Spellings {
 public:
  struct Token {
    const char* at = nullptr;
    std::size_t length = 0;
    std::uint64_t head = 0;  // the first eight bytes, zero behind the end
    std::uint64_t hash = 0;
  };

  static Token token(const char* at, std::size_t length) {
    Token out{at, length, eight_bytes(at, at + length), 0};
    out.hash = scatter(out.head ^ (static_cast<std::uint64_t>(length) << 56));
    for (std::size_t i = 8; i < length; i += 8) out.hash = scatter(out.hash ^ eight_bytes(at + i, at + length));
    return out;
  }

  void reset(std::size_t tokens) {
    const std::size_t wanted = std::bit_ceil(tokens * 2 + 2);
    if (wanted > slots_.size() || ++epoch_ == 0) {
      slots_.assign(std::max(wanted, slots_.size()), Slot{});
      epoch_ = 1;
    }
    mask_ = wanted - 1;
  }

  // The place of the token; `place` if it is new.
  std::uint32_t add(const Token& token, std::uint32_t place) {
    Slot& slot = find_slot(token);
    if (slot.epoch != epoch_) slot = {token, epoch_, place};
    return slot.place;
  }

  std::uint32_t find(const Token& token) {
    const Slot& slot = find_slot(token);
    return slot.epoch == epoch_ ? slot.place : kNone;
  }

 private:
  struct Slot {
    Token token;
    std::uint32_t epoch = 0;
    std::uint32_t place = 0;
  };

  Slot& find_slot(const Token& token) {
    for (std::size_t at = token.hash & mask_;; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.epoch != epoch_) return slot;
      if (slot.token.head == token.head && slot.token.length == token.length && slot.token.hash == token.hash &&
          (token.length <= 8 || std::memcmp(slot.token.at, token.at, token.length) == 0)) {
        return slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t epoch_ = 0;
};

// Scratch that lives as long as its thread.
struct Scratch {
  Spellings spellings;
  IdMap grams;
  // Per token of the reference: the first token of its spelling, the first place of its n-gram, how often that occurs.
  std::vector<std::uint32_t> spelling, first, count, next_count, gram_places;
  std::vector<std::uint32_t> hypothesis, match;  // per token of the hypothesis: the same places, kNone for none
  std::vector<std::uint32_t> used;
};

Scratch& scratch() {
  thread_local Scratch instance;
  return instance;
}

// Calls `f(Token)` for what lies between single spaces.
template <class F>
void each_between_spaces(std::string_view text, F&& f) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* stop = at;
    while (true) {
      const auto left = static_cast<std::size_t>(end - stop);
      // Behind the end there are zeros, no spaces.
      const std::uint64_t found =
          left >= 8 ? spaces_in(eight_bytes(stop, stop + 8)) : spaces_in(eight_bytes(stop, end));
      if (found != 0) {
        stop += std::countr_zero(found) / 8;
        break;
      }
      if (left <= 8) {
        stop = end;
        break;
      }
      stop += 8;
    }
    f(Spellings::token(at, static_cast<std::size_t>(stop - at)));
    if (stop == end) return;
    at = stop + 1;
  }
}

// An n-gram of the reference is named by the first place where it begins. One that extends an (n-1)-gram of a single
// place has that place: most n-grams of language are found without looking anything up.
BleuCounts count_common(Scratch& s) {
  const std::size_t reference = s.spelling.size();
  const std::size_t hypothesis = s.hypothesis.size();
  BleuCounts out;
  out.reference = reference;
  out.hypothesis = hypothesis;
  s.first = s.spelling;
  s.match = s.hypothesis;
  s.count.assign(reference, 0);
  for (const std::uint32_t place : s.spelling) ++s.count[place];
  for (std::size_t n = 1; n <= kBleuOrders && n <= hypothesis; ++n) {
    out.total[n - 1] = hypothesis - n + 1;
    if (n > reference) continue;
    if (n > 1) {
      const std::size_t grams = reference - n + 1;
      s.grams.reset(grams);
      s.gram_places.clear();
      s.next_count.assign(reference, 0);
      const auto key = [](std::uint32_t shorter, std::uint32_t last) {
        return (static_cast<std::uint64_t>(shorter) << 32) | last;
      };
      for (std::size_t p = 0; p < grams; ++p) {
        const std::uint32_t shorter = s.first[p];
        if (s.count[shorter] > 1) {
          const std::uint32_t id = s.grams.add(key(shorter, s.spelling[p + n - 1]));
          if (id == s.gram_places.size()) s.gram_places.push_back(static_cast<std::uint32_t>(p));
          s.first[p] = s.gram_places[id];
        }
        ++s.next_count[s.first[p]];
      }
      for (std::size_t i = 0; i < hypothesis - n + 1; ++i) {
        const std::uint32_t shorter = s.match[i];
        if (shorter == kNone) continue;
        const std::uint32_t last = s.hypothesis[i + n - 1];
        if (s.count[shorter] > 1) {
          const std::uint32_t id = s.grams.find(key(shorter, last));
          s.match[i] = id == kNone ? kNone : s.gram_places[id];
        } else if (shorter + n > reference || s.spelling[shorter + n - 1] != last) {
          s.match[i] = kNone;
        }
      }
      s.count.swap(s.next_count);
    }
    s.used.assign(reference, 0);
    for (std::size_t i = 0; i < hypothesis - n + 1; ++i) {
      const std::uint32_t place = s.match[i];
      if (place != kNone && s.used[place] < s.count[place]) {
        ++s.used[place];
        ++out.common[n - 1];
      }
    }
    if (out.common[n - 1] == 0) {
      for (std::size_t longer = n + 1; longer <= kBleuOrders && longer <= hypothesis; ++longer) {
        out.total[longer - 1] = hypothesis - longer + 1;
      }
      break;
    }
  }
  return out;
}

// Numbers the tokens that `each` passes on and counts.
template <class Reference, class Hypothesis>
BleuCounts count_tokens(std::size_t at_most, const Reference& each_reference, const Hypothesis& each_hypothesis) {
  Scratch& s = scratch();
  s.spellings.reset(at_most);
  s.spelling.clear();
  s.hypothesis.clear();
  each_reference([&s](const Spellings::Token& token) {
    s.spelling.push_back(s.spellings.add(token, static_cast<std::uint32_t>(s.spelling.size())));
  });
  each_hypothesis([&s](const Spellings::Token& token) { s.hypothesis.push_back(s.spellings.find(token)); });
  return count_common(s);
}

double ratio(std::uint64_t a, std::uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

BleuCounts bleu_counts(std::string_view reference, std::string_view hypothesis) {
  const auto spaces = static_cast<std::size_t>(std::count(reference.begin(), reference.end(), ' '));
  return count_tokens(
      spaces + 1, [reference](auto&& f) { each_between_spaces(reference, f); },
      [hypothesis](auto&& f) { each_between_spaces(hypothesis, f); });
}

BleuCounts bleu_counts(std::span<const std::string_view> reference, std::span<const std::string_view> hypothesis) {
  const auto each = [](std::span<const std::string_view> tokens) {
    return [tokens](auto&& f) {
      for (const std::string_view token : tokens) f(Spellings::token(token.data(), token.size()));
    };
  };
  return count_tokens(reference.size(), each(reference), each(hypothesis));
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
