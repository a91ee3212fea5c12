// Noise that is exactly what a proof assumes: whole numbers, by integer arithmetic alone.
//
// P(x) is in proportion to exp(-x^2 / (2 sigma^2)) over the integers. C. Canonne, G. Kamath and T. Steinke, "The
// discrete Gaussian for differential privacy", 2020, algorithms 1 to 3. No floating-point number is drawn or rounded,
// so the attack of I. Mironov, "On significance of the least significant bits for differential privacy", 2012, finds
// nothing; how long a draw takes is not hidden.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace residue::numbers {

// Bits that nobody can tell from random ones without the key: SHA-256 over key, item and a counter, as long as `key` is
// a secret of 32 bytes. The same key and item give the same bits.
class NoiseStream {
 public:
  NoiseStream(std::string_view key, std::string_view item);
  std::uint64_t next();

 private:
  std::string message_;  // the counter last
  std::uint64_t block_ = 0;
  std::string words_;
  std::size_t used_ = 0;
};

// sigma^2 in units of 2^-16: from 1 to 2^56.
struct Variance {
  static constexpr std::uint64_t kUnit = 1U << 16U;
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 56U;
  std::uint64_t scaled = kUnit;

  [[nodiscard]] double value() const { return static_cast<double>(scaled) / static_cast<double>(kUnit); }
};

// Cost: some ten hashes.
std::int64_t discrete_gaussian(const Variance& variance, NoiseStream& bits);

}  // namespace residue::numbers
