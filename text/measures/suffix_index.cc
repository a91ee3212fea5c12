#include "text/measures/suffix_index.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace residue::text {
namespace {

using Tokens = std::span<const std::uint32_t>;

std::uint32_t common_prefix(Tokens a, Tokens b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::uint32_t>(end - a.begin());
}

}  // namespace

SuffixIndex::SuffixIndex(const std::vector<std::vector<std::uint32_t>>& texts) {
  first_.push_back(0);
  for (const auto& text : texts) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() - tokens_.size()) {
      throw Error(Code::kUsage, "the originals have more than 2^32 words", "look for copies in a part of them");
    }
    tokens_.insert(tokens_.end(), text.begin(), text.end());
    text_of_.resize(tokens_.size(), static_cast<std::uint32_t>(first_.size() - 1));
    first_.push_back(static_cast<std::uint32_t>(tokens_.size()));
  }
  suffixes_.resize(tokens_.size());
  std::iota(suffixes_.begin(), suffixes_.end(), 0U);
  std::sort(suffixes_.begin(), suffixes_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Tokens left = suffix(a), right = suffix(b);
    const std::uint32_t shared = common_prefix(left, right);
    if (shared == left.size() || shared == right.size()) {
      return left.size() == right.size() ? a < b : left.size() < right.size();
    }
    return left[shared] < right[shared];
  });
}

std::span<const std::uint32_t> SuffixIndex::suffix(std::uint32_t place) const {
  return Tokens(tokens_).subspan(place, first_[text_of_[place] + 1] - place);
}

SharedRun SuffixIndex::longest(Tokens tokens) const {
  const auto less = [&](std::uint32_t place, Tokens wanted) {
    const Tokens there = suffix(place);
    return std::lexicographical_compare(there.begin(), there.end(), wanted.begin(), wanted.end());
  };
  SharedRun best;
  for (std::size_t i = 0; i + best.length < tokens.size(); ++i) {
    const Tokens wanted = tokens.subspan(i);
    const auto next = std::lower_bound(suffixes_.begin(), suffixes_.end(), wanted, less);
    std::uint32_t length = 0;
    if (next != suffixes_.end()) length = common_prefix(suffix(*next), wanted);
    if (next != suffixes_.begin()) length = std::max(length, common_prefix(suffix(*std::prev(next)), wanted));
    if (length > best.length) best = {length, 0, 0, static_cast<std::uint32_t>(i)};
  }
  if (best.length == 0) return best;
  // All suffixes that begin with the run stand together.
  const Tokens run = tokens.subspan(best.begin, best.length);
  std::uint32_t place = std::numeric_limits<std::uint32_t>::max();
  for (auto at = std::lower_bound(suffixes_.begin(), suffixes_.end(), run, less);
       at != suffixes_.end() && common_prefix(suffix(*at), run) == run.size(); ++at) {
    place = std::min(place, *at);
  }
  best.text = text_of_[place];
  best.at = place - first_[best.text];
  return best;
}

}  // namespace residue::text
