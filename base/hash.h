// Seeded hashing for everything that is drawn at random: the same inputs give the same draw on every machine, in every
// order, on any number of threads. XXH64 (xxHash specification), not a cryptographic hash.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace residue {

// XXH64 of `bytes` under `seed`.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

// The finalizer of SplitMix64: a bijection that scatters neighbouring numbers.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Hash of (seed, text, number): length-safe because the number is mixed into the seed, not appended.
inline std::uint64_t hash_of(std::uint64_t seed, std::string_view text, std::uint64_t number = 0) {
  return hash_bytes(text, mix(seed) ^ std::rotl(mix(number + 1), 32));
}

// A draw from [0, 1): the upper 53 bits of a hash.
constexpr double unit_draw(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

}  // namespace residue
