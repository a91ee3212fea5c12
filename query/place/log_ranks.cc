#include "query/place/log_ranks.h"

#include <bit>

namespace residue::query {

__extension__ typedef unsigned __int128 Wide;

std::int64_t log2_fixed(std::uint64_t n) {
  constexpr int kDigits = 32;
  const int whole = static_cast<int>(std::bit_width(n)) - 1;
  std::uint64_t rest = n << (63 - whole);  // in units of 2^-63: from 1 to 2
  std::int64_t log = whole;
  for (int i = 0; i < kDigits; ++i) {
    const Wide square = Wide{rest} * rest >> 63U;
    const bool two_or_more = square >> 64U != 0;
    rest = static_cast<std::uint64_t>(two_or_more ? square >> 1U : square);
    log = 2 * log + (two_or_more ? 1 : 0);
  }
  return log;
}

LogRanks::LogRanks(std::uint32_t most) : sums_(std::size_t{most} + 1) {
  for (std::uint32_t rank = 1; rank <= most; ++rank) sums_[rank] = sums_[rank - 1] + log2_fixed(rank);
}

std::int64_t LogRanks::mean(std::uint32_t first, std::uint32_t last) const {
  const std::int64_t sum = sums_[last] - sums_[first - 1];
  const std::int64_t count = std::int64_t{last} - first + 1;
  return (sum + count / 2) / count;
}

}  // namespace residue::query
