#include "numbers/stats/discrete_gaussian.h"

#include <cmath>
#include <cstring>

#include "base/digest.h"

namespace residue::numbers {
namespace {

__extension__ using Wide = unsigned __int128;

void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(number >> shift));
}

// Uniform below `bound` (> 0), by rejection.
Wide below(Wide bound, NoiseStream& bits) {
  Wide mask = bound - 1;
  for (int shift = 1; shift < 128; shift *= 2) mask |= mask >> shift;
  for (;;) {
    Wide drawn = bits.next();
    if (mask >> 64U != 0) drawn = drawn << 64U | bits.next();
    drawn &= mask;
    if (drawn < bound) return drawn;
  }
}

// True with probability exp(-n / d), n <= d.
bool exp_minus_fraction(Wide n, Wide d, NoiseStream& bits) {
  std::uint64_t k = 1;
  while (below(d * k, bits) < n) ++k;
  return k % 2 == 1;
}

// True with probability exp(-n / d).
bool exp_minus(Wide n, Wide d, NoiseStream& bits) {
  for (; n > d; n -= d) {
    if (!exp_minus_fraction(1, 1, bits)) return false;
  }
  return exp_minus_fraction(n, d, bits);
}

// P(y) in proportion to exp(-|y| / t).
std::int64_t discrete_laplace(std::uint64_t t, NoiseStream& bits) {
  for (;;) {
    const auto rest = static_cast<std::uint64_t>(below(t, bits));
    if (!exp_minus(rest, t, bits)) continue;
    std::uint64_t whole = 0;
    while (exp_minus_fraction(1, 1, bits)) ++whole;
    const auto size = static_cast<std::int64_t>(rest + t * whole);
    const bool negative = (bits.next() & 1U) != 0;
    if (!negative) return size;
    if (size != 0) return -size;
  }
}

}  // namespace

NoiseStream::NoiseStream(std::string_view key, std::string_view item) {
  append_number(message_, key.size());
  message_.append(key);
  append_number(message_, item.size());
  message_.append(item);
}

std::uint64_t NoiseStream::next() {
  if (used_ == words_.size()) {
    const std::size_t length = message_.size();
    append_number(message_, block_++);
    words_ = sha256(message_);
    message_.resize(length);
    used_ = 0;
  }
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(words_[used_ + i])) << (8 * i);
  }
  used_ += 8;
  return word;
}

// Accepts y with probability exp(-(|y| - sigma^2 / t)^2 / (2 sigma^2)). With sigma^2 = a / b that is
// exp(-(|y| t b - a)^2 / (2 a b t^2)); any t is right, one near sigma is quick. Of |y| beyond 64 t it is below e^-1900:
// those are refused, or the square would not fit.
std::int64_t discrete_gaussian(const Variance& variance, NoiseStream& bits) {
  const Wide a = variance.scaled, b = Variance::kUnit;
  const auto t = static_cast<std::uint64_t>(std::sqrt(variance.value())) + 1;
  for (;;) {
    const std::int64_t y = discrete_laplace(t, bits);
    const auto size = static_cast<std::uint64_t>(y < 0 ? -y : y);
    if (size > 64 * t) continue;
    const Wide scaled = Wide{size} * t * b;
    const Wide distance = scaled > a ? scaled - a : a - scaled;
    if (exp_minus(distance * distance, 2 * a * b * t * t, bits)) return y;
  }
}

}  // namespace residue::numbers
