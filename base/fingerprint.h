// An order-free fingerprint of a set of rows: equal sets give equal fingerprints whatever the history, and adding or
// removing one row costs one hash. Guards against accidents (2^-128), not against an adversary.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace residue {

class Fingerprint {
 public:
  Fingerprint() = default;

  // From the 16 bytes that `bytes()` gave; anything else reads as the empty set.
  explicit Fingerprint(std::string_view stored) {
    if (stored.size() != 16) return;
    std::memcpy(&low_, stored.data(), 8);
    std::memcpy(&high_, stored.data() + 8, 8);
  }

  // A row is a text and two numbers (for example key, position, text id).
  void add(std::string_view text, std::int64_t first, std::int64_t second = 0) { change(text, first, second, 1); }
  void remove(std::string_view text, std::int64_t first, std::int64_t second = 0) { change(text, first, second, -1); }

  [[nodiscard]] std::string bytes() const {
    std::string out(16, '\0');
    std::memcpy(out.data(), &low_, 8);
    std::memcpy(out.data() + 8, &high_, 8);
    return out;
  }

  // The same for people and JSON: 32 digits.
  [[nodiscard]] std::string hex() const {
    std::string out;
    for (const char byte : bytes()) {
      for (const int half : {(byte >> 4) & 15, byte & 15}) out += "0123456789abcdef"[half];
    }
    return out;
  }

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

 private:
  void change(std::string_view text, std::int64_t first, std::int64_t second, int sign) {
    const std::uint64_t number = mix(static_cast<std::uint64_t>(first)) ^ static_cast<std::uint64_t>(second);
    const std::uint64_t a = hash_of(0x5265736964756531ULL, text, number);
    const std::uint64_t b = hash_of(0x5265736964756532ULL, text, number);
    low_ += sign > 0 ? a : 0 - a;
    high_ += sign > 0 ? b : 0 - b;
  }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

}  // namespace residue
