#include "text/support/support_frame.h"

#include <algorithm>
#include <cstddef>

#include "text/support/support_words.h"

namespace residue::text {
namespace {

constexpr std::size_t kLongest = 512;
constexpr std::size_t kLonger = 3;  // By so many words may what stands in a gap be longer than what it replaces.

using Tokens = std::span<const SupportToken>;

bool same(const SupportToken& a, const SupportToken& b) {
  return a.key == b.key || (a.root != 0 && a.root == b.root && !a.name && !a.number);
}

// A word that may be a name counts as either.
bool of_a_kind(const SupportToken& a, const SupportToken& b) {
  if (a.number || b.number) return a.number && b.number;
  return (a.name || b.name) && (a.name || a.opens) && (b.name || b.opens);
}

// Names and numbers stand in frames, words make them.
std::int32_t frame_weight(const SupportToken& token) { return token.name || token.number ? 1 : token.weight + 1; }

struct Aligner {
  std::vector<std::int32_t> best;  // rows of |sentence| + 1, one for each word of the claim and one more
  std::vector<std::int32_t> at;    // of each word of the claim its place in the sentence, or -1
  std::vector<std::uint8_t> used;  // places of the sentence that are aligned

  std::int64_t align(Tokens claim, Tokens sentence) {
    const std::size_t rows = claim.size(), columns = sentence.size() + 1;
    best.assign((rows + 1) * columns, 0);
    // From the end, so that ties go to the first place.
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = sentence.size(); j-- > 0;) {
        std::int32_t value = std::max(best[(i + 1) * columns + j], best[i * columns + j + 1]);
        if (same(claim[i], sentence[j]))
          value = std::max(value, best[(i + 1) * columns + j + 1] + frame_weight(claim[i]));
        best[i * columns + j] = value;
      }
    }
    at.assign(rows, -1);
    for (std::size_t i = 0, j = 0; i < rows && j < sentence.size();) {
      const std::int32_t here = best[i * columns + j];
      if (same(claim[i], sentence[j]) && here == best[(i + 1) * columns + j + 1] + frame_weight(claim[i])) {
        at[i++] = static_cast<std::int32_t>(j++);
      } else if (here == best[i * columns + j + 1]) {
        ++j;
      } else {
        ++i;
      }
    }
    return best[0];
  }
};

}  // namespace

void read_frame(Tokens claim, Tokens sentence, std::span<const std::uint8_t> meant, FrameReading& out) {
  thread_local Aligner aligner;
  out.contested.clear();
  sentence = sentence.first(std::min(sentence.size(), kLongest));
  out.weight = aligner.align(claim, sentence);
  const auto& at = aligner.at;
  const auto aligned = std::count_if(at.begin(), at.end(), [](std::int32_t place) { return place >= 0; });
  if (aligned == 0 || static_cast<std::size_t>(aligned) * 2 < claim.size()) return;
  // Other words may say the same: they contest each other only where there are as many of them, and two thirds of the
  // claim stand around them.
  const bool close = static_cast<std::size_t>(aligned) * 3 >= claim.size() * 2;
  std::vector<std::uint8_t>& used = aligner.used;
  used.assign(sentence.size(), 0);
  for (const std::int32_t place : at) {
    if (place >= 0) used[static_cast<std::size_t>(place)] = 1;
  }
  const auto moved = [&](const SupportToken& wanted) {
    for (std::size_t j = 0; j < sentence.size(); ++j) {
      if (used[j] != 0) continue;
      if (same(wanted, sentence[j]) || (sentence[j].implied != 0 && sentence[j].implied == wanted.key)) return true;
    }
    return false;
  };
  for (std::size_t from = 0, next = 0; from < claim.size(); from = next + 1) {
    for (next = from; next < claim.size() && at[next] < 0;) ++next;
    if (next == from) continue;
    // Before the first anchor and behind the last one only what is nearest stands in the same place.
    const std::size_t length = next - from;
    const bool left = from > 0, right = next < claim.size();
    std::size_t begin = left ? static_cast<std::size_t>(at[from - 1]) + 1 : 0;
    std::size_t end = right ? static_cast<std::size_t>(at[next]) : sentence.size();
    if (left && right) {
      if (end - begin > length + kLonger) continue;
    } else if (left) {
      end = std::min(end, begin + length);
    } else {
      begin = end - std::min(end, length);
    }
    const bool as_many = close && end - begin == length && (left || begin == 0);
    const Tokens rivals = sentence.subspan(begin, end - begin);
    for (std::size_t i = from; i < next; ++i) {
      // Who the claim is of may be called otherwise: the patient, the woman, Ann.
      if (claim[i].weight == kFunctionWeight || claim[i].referent || meant[i] != 0 || moved(claim[i])) continue;
      const auto contests = [&](const SupportToken& other) {
        return other.weight != kFunctionWeight && (as_many || of_a_kind(claim[i], other));
      };
      if (std::any_of(rivals.begin(), rivals.end(), contests)) out.contested.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

}  // namespace residue::text
