#include "text/characters/token_diff.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "text/characters/as_read.h"
#include "text/characters/id_map.h"

namespace residue::text {
namespace {

using Tokens = std::span<const std::uint32_t>;

// Beyond so many pairs of tokens the text is cut in two first.
constexpr std::size_t kMaxPairs = std::size_t{1} << 28;

// Beyond so many nobody waits for the longest alignment.
constexpr std::size_t kMaxShownPairs = std::size_t{1} << 26;
constexpr std::size_t kWindow = 4'096;

// Columns of the table of lengths, a bit for each token of `a`: 0 where the subsequence with that token is one longer
// than without it.
class Columns {
 public:
  Columns(Tokens a, std::size_t columns) : words_((a.size() + 63) / 64), bits_((columns + 1) * words_) {
    ids_.reset(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::size_t id = ids_.add(a[i]);
      if ((id + 1) * words_ > masks_.size()) masks_.resize((id + 1) * words_, 0);
      masks_[id * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    std::fill_n(bits_.begin(), words_, ~std::uint64_t{0});
  }

  // Column `to` from column `from` by one more token of the other text.
  void advance(std::size_t from, std::size_t to, std::uint32_t token) {
    const std::uint64_t* const before = &bits_[from * words_];
    std::uint64_t* const after = &bits_[to * words_];
    const std::uint32_t id = ids_.find(token);
    if (id == IdMap::kNone) {
      if (from != to) std::copy_n(before, words_, after);
      return;
    }
    const std::uint64_t* const mask = &masks_[id * words_];
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t column = before[w];
      const std::uint64_t matches = column & mask[w];
      const std::uint64_t partial = column + matches;
      const std::uint64_t sum = partial + carry;
      carry = static_cast<std::uint64_t>(partial < column) | static_cast<std::uint64_t>(sum < partial);
      after[w] = sum | (column - matches);
    }
  }

  [[nodiscard]] bool longer_by(std::size_t column, std::size_t token) const {
    return ((bits_[column * words_ + token / 64] >> (token % 64)) & 1) == 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> masks_;
  IdMap ids_;
};

// [i]: the length of the longest common subsequence of the first i tokens of `a` and all of `b`.
std::vector<std::uint32_t> prefix_lengths(Tokens a, Tokens b) {
  Columns columns(a, 0);
  for (const std::uint32_t token : b) columns.advance(0, 0, token);
  std::vector<std::uint32_t> lengths(a.size() + 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    lengths[i + 1] = lengths[i] + static_cast<std::uint32_t>(columns.longer_by(0, i));
  }
  return lengths;
}

void append_pairs(Tokens a, Tokens b, Pair offset, std::vector<Pair>& out);

// Cuts `b` in the middle and `a` where both halves together find most.
void append_halves(Tokens a, Tokens b, Pair offset, std::vector<Pair>& out) {
  const std::size_t middle = b.size() / 2;
  const auto front = prefix_lengths(a, b.first(middle));
  const std::vector<std::uint32_t> a_back(a.rbegin(), a.rend());
  const std::vector<std::uint32_t> b_back(b.rbegin(), b.rend() - static_cast<std::ptrdiff_t>(middle));
  const auto back = prefix_lengths(a_back, b_back);
  std::size_t cut = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    if (front[i] + back[a.size() - i] > front[cut] + back[a.size() - cut]) cut = i;
  }
  append_pairs(a.first(cut), b.first(middle), offset, out);
  offset.a += static_cast<std::uint32_t>(cut);
  offset.b += static_cast<std::uint32_t>(middle);
  append_pairs(a.subspan(cut), b.subspan(middle), offset, out);
}

void append_pairs(Tokens a, Tokens b, Pair offset, std::vector<Pair>& out) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    out.push_back(offset);
    ++offset.a;
    ++offset.b;
    a = a.subspan(1);
    b = b.subspan(1);
  }
  std::size_t same_end = 0;
  while (same_end < std::min(a.size(), b.size()) && a[a.size() - 1 - same_end] == b[b.size() - 1 - same_end])
    ++same_end;
  a = a.first(a.size() - same_end);
  b = b.first(b.size() - same_end);
  if (!a.empty() && b.size() > 1 && a.size() > kMaxPairs / b.size()) {
    append_halves(a, b, offset, out);
  } else if (!a.empty() && !b.empty()) {
    Columns columns(a, b.size());
    for (std::size_t j = 0; j < b.size(); ++j) columns.advance(j, j + 1, b[j]);
    const std::size_t first = out.size();
    std::size_t i = a.size();
    std::size_t j = b.size();
    while (i > 0 && j > 0) {
      if (!columns.longer_by(j, i - 1)) {
        --i;
      } else if (columns.longer_by(j - 1, i - 1)) {
        --j;
      } else {
        --i;
        --j;
        out.push_back({offset.a + static_cast<std::uint32_t>(i), offset.b + static_cast<std::uint32_t>(j)});
      }
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
  }
  const Pair end{offset.a + static_cast<std::uint32_t>(a.size()), offset.b + static_cast<std::uint32_t>(b.size())};
  for (std::uint32_t k = 0; k < same_end; ++k) out.push_back({end.a + k, end.b + k});
}

// Numbers for tokens, equal where the tokens read the same. `spans` becomes where they are written.
class Numbers {
 public:
  std::vector<std::uint32_t> of(std::string_view text, std::vector<Span>& spans) {
    std::vector<ReadToken> tokens = read_tokens(text);
    std::vector<std::uint32_t> out;
    out.reserve(tokens.size());
    spans.clear();
    spans.reserve(tokens.size());
    for (ReadToken& token : tokens) {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      out.push_back(numbers_.emplace(std::move(token.word), next).first->second);
      spans.push_back(token.span);
    }
    return out;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// Which of two equal tokens was removed, where one stands at either end of a run that is gone, no alignment can tell:
// what stands around the one that is left can. Moves runs to where more of that agrees.
class Slider {
 public:
  Slider(std::string_view original, std::string_view sanitized, const TokenDiff& diff, Tokens numbers)
      : original_(original), sanitized_(sanitized), diff_(diff), numbers_(numbers) {
    partner_.assign(numbers.size(), kNone);
    for (const Pair pair : diff.kept) partner_[pair.a] = pair.b;
  }

  std::vector<Pair> slide() {
    for (std::size_t begin = 0; begin < partner_.size();) {
      if (partner_[begin] != kNone) {
        ++begin;
        continue;
      }
      std::size_t end = begin + 1;
      while (end < partner_.size() && partner_[end] == kNone) ++end;
      if (!move(begin, end, false)) move(begin, end, true);
      begin = end;
    }
    std::vector<Pair> kept;
    for (std::size_t a = 0; a < partner_.size(); ++a) {
      if (partner_[a] != kNone) kept.push_back({static_cast<std::uint32_t>(a), partner_[a]});
    }
    return kept;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFurthest = 64;

  // Moves the run [begin, end) by as many tokens as most agrees with, if any number does more than none.
  bool move(std::size_t begin, std::size_t end, bool right) {
    int gain = 0;
    int best = 0;
    std::size_t steps = 0;
    for (std::size_t step = 1; step <= kFurthest; ++step) {
      if (right ? end + step > partner_.size() : step > begin) break;
      const std::size_t from = right ? end + step - 1 : begin - step;
      const std::size_t to = right ? begin + step - 1 : end - step;
      if (partner_[from] == kNone || numbers_[from] != numbers_[to]) break;
      gain += agreement(to, partner_[from]) - agreement(from, partner_[from]);
      if (gain > best) {
        best = gain;
        steps = step;
      }
    }
    for (std::size_t step = 1; step <= steps; ++step) {
      const std::size_t from = right ? end + step - 1 : begin - step;
      const std::size_t to = right ? begin + step - 1 : end - step;
      partner_[to] = partner_[from];
      partner_[from] = kNone;
    }
    return steps > 0;
  }

  [[nodiscard]] int agreement(std::size_t a, std::size_t b) const {
    const int same = slice(original_, diff_.original[a]) == slice(sanitized_, diff_.sanitized[b]) ? 1 : 0;
    return same + (gap(original_, diff_.original, a) == gap(sanitized_, diff_.sanitized, b) ? 1 : 0) +
           (gap(original_, diff_.original, a + 1) == gap(sanitized_, diff_.sanitized, b + 1) ? 1 : 0);
  }

  // What stands in front of token `i`, which may be one behind the last.
  static std::string_view gap(std::string_view text, const std::vector<Span>& tokens, std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : tokens[i - 1].end;
    return slice(text, {begin, i == tokens.size() ? text.size() : tokens[i].begin});
  }

  std::string_view original_, sanitized_;
  const TokenDiff& diff_;
  Tokens numbers_;
  std::vector<std::uint32_t> partner_;  // of each token of the original
};

}  // namespace

bool is_word_character(char32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

std::vector<Span> word_tokens(std::string_view text) {
  std::vector<Span> out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    const bool word = is_word_character(c.value);
    if (word && !inside) out.push_back({at, at});
    at += c.bytes;
    if (word) out.back().end = at;
    inside = word;
  }
  return out;
}

std::vector<Pair> lcs_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<Pair> out;
  append_pairs(a, b, {0, 0}, out);
  return out;
}

std::vector<Pair> nearby_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  constexpr std::size_t kHalf = kWindow / 2;
  std::vector<Pair> out;
  std::size_t at_a = 0, at_b = 0;
  while (at_a < a.size() && at_b < b.size()) {
    const std::size_t size_a = std::min(kWindow, a.size() - at_a), size_b = std::min(kWindow, b.size() - at_b);
    const bool last = at_a + size_a == a.size() && at_b + size_b == b.size();
    std::vector<Pair> pairs = lcs_pairs(a.subspan(at_a, size_a), b.subspan(at_b, size_b));
    // The end of a window has not seen what follows it: only its front is believed.
    std::size_t sure = pairs.size();
    while (!last && sure > 0 && (pairs[sure - 1].a >= kHalf || pairs[sure - 1].b >= kHalf)) --sure;
    for (std::size_t i = 0; i < sure; ++i) {
      out.push_back({static_cast<std::uint32_t>(at_a + pairs[i].a), static_cast<std::uint32_t>(at_b + pairs[i].b)});
    }
    if (last) break;
    const bool far = sure > 0 && pairs[sure - 1].a + pairs[sure - 1].b >= kHalf;
    at_a += far ? pairs[sure - 1].a + 1 : kHalf;
    at_b += far ? pairs[sure - 1].b + 1 : kHalf;
  }
  return out;
}

TokenDiff token_diff(std::string_view original, std::string_view sanitized, Alignment how) {
  TokenDiff out;
  Numbers numbers;
  const auto a = numbers.of(original, out.original);
  const auto b = numbers.of(sanitized, out.sanitized);
  const bool nearby = how == Alignment::kNearby && !b.empty() && a.size() > kMaxShownPairs / b.size();
  out.kept = nearby ? nearby_pairs(a, b) : lcs_pairs(a, b);
  out.kept = Slider(original, sanitized, out, a).slide();
  out.fate.assign(a.size(), Fate::kGone);
  std::vector<bool> aligned(b.size(), false);
  for (const Pair pair : out.kept) {
    out.fate[pair.a] = Fate::kKept;
    aligned[pair.b] = true;
  }
  std::unordered_map<std::uint32_t, std::size_t> left_over;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (!aligned[j]) ++left_over[b[j]];
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (out.fate[i] != Fate::kGone) continue;
    const auto equal = left_over.find(a[i]);
    if (equal == left_over.end() || equal->second == 0) continue;
    --equal->second;
    out.fate[i] = Fate::kMoved;
  }
  return out;
}

std::vector<Removal> removals(const TokenDiff& diff) {
  std::vector<Removal> out;
  std::size_t kept = 0;  // aligned pairs in front of token i
  for (std::size_t i = 0; i < diff.fate.size(); ++i) {
    if (diff.fate[i] == Fate::kKept) ++kept;
    if (diff.fate[i] != Fate::kGone) continue;
    if (i > 0 && diff.fate[i - 1] == Fate::kGone) {
      out.back().removed.end = diff.original[i].end;
      continue;
    }
    const std::size_t first = kept == 0 ? 0 : diff.kept[kept - 1].b + 1;
    const std::size_t end = kept == diff.kept.size() ? diff.sanitized.size() : diff.kept[kept].b;
    Removal removal{diff.original[i], std::nullopt};
    if (first < end) removal.by = Span{diff.sanitized[first].begin, diff.sanitized[end - 1].end};
    out.push_back(removal);
  }
  return out;
}

std::vector<Span> masked_spans(const TokenDiff& diff, std::size_t original_bytes) {
  std::vector<Span> out;
  std::size_t behind_kept = 0;
  bool open = false;
  for (std::size_t i = 0; i < diff.fate.size(); ++i) {
    if (diff.fate[i] == Fate::kGone) {
      if (!open) out.push_back({behind_kept, 0});
      open = true;
      continue;
    }
    if (open) out.back().end = diff.original[i].begin;
    open = false;
    behind_kept = diff.original[i].end;
  }
  if (open) out.back().end = original_bytes;
  return out;
}

}  // namespace residue::text
