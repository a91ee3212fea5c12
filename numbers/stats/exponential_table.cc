#include "numbers/stats/exponential_table.h"

namespace residue::numbers {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr int kBits = 48;                                        // of fractions
constexpr std::uint64_t kUnit = std::uint64_t{1} << kBits;       // 1.0
constexpr std::uint64_t kLogarithmOf2 = 195'103'586'505'167ULL;  // round(ln 2 * 2^48)
constexpr int kTableBits = 12;                                   // kExponentials = 2^12

// ln(4096 / j) * 2^48, 1 <= j <= 4096. The logarithm to base 2 comes bit by bit: a number in [1, 2) is squared, and the
// bit says whether the square has reached 2.
constexpr std::uint64_t logarithm(std::uint64_t j) {
  int whole = 0;
  while ((j >> (whole + 1)) != 0) ++whole;
  std::uint64_t x = (j << kBits) >> whole;
  std::uint64_t fraction = 0;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    x = static_cast<std::uint64_t>((Wide{x} * x) >> kBits);
    if (x < 2 * kUnit) continue;
    x >>= 1U;
    fraction |= std::uint64_t{1} << bit;
  }
  const std::uint64_t base2 = kTableBits * kUnit - (static_cast<std::uint64_t>(whole) * kUnit + fraction);
  return static_cast<std::uint64_t>((Wide{base2} * kLogarithmOf2) >> kBits);
}

std::array<std::uint16_t, kExponentials> make_table() {
  std::array<std::uint16_t, kExponentials> table{};
  std::uint64_t before = 0;  // k ln(4096 / k)
  for (std::size_t k = 0; k < kExponentials; ++k) {
    const std::uint64_t after = (k + 1) * logarithm(k + 1);
    const std::uint64_t mean = kUnit + after - before;
    table[k] = static_cast<std::uint16_t>((mean * 256 + kUnit / 2) >> kBits);
    before = after;
  }
  return table;
}

}  // namespace

const std::array<std::uint16_t, kExponentials>& exponential_table() {
  static const std::array<std::uint16_t, kExponentials> table = make_table();
  return table;
}

}  // namespace residue::numbers
