// Eight bytes of text at once in a 64-bit word, the first one lowest: what loops over short words are made of.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace residue::text {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint64_t kEachByte = 0x0101010101010101ULL;

// Eight bytes must be readable at `at`.
inline std::uint64_t load_eight(const char* at) {
  std::uint64_t out = 0;
  std::memcpy(&out, at, 8);
  return out;
}

// kFirstBytes[n]: the mask of the first n bytes of a word, for n up to 8. A table, because lengths are hard to foresee.
inline constexpr std::array<std::uint64_t, 9> kFirstBytes = [] {
  std::array<std::uint64_t, 9> masks{};
  for (std::size_t n = 1; n <= 8; ++n) masks[n] = ~std::uint64_t{0} >> (64 - 8 * n);
  return masks;
}();

// Up to sixteen bytes, zero behind the last.
struct ShortWord {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  friend bool operator==(const ShortWord&, const ShortWord&) = default;
};

// The first `length` bytes at `at`, of a longer word the first sixteen. Sixteen bytes must be readable.
inline ShortWord load_short(const char* at, std::size_t length) {
  const std::size_t in_head = length < 8 ? length : 8;
  const std::size_t in_tail = (length < 16 ? length : 16) - in_head;
  return {load_eight(at) & kFirstBytes[in_head], load_eight(at + 8) & kFirstBytes[in_tail]};
}

// The 0x80 of each ASCII byte from `first` to `last`, which are ASCII.
inline std::uint64_t in_range(std::uint64_t word, char first, char last) {
  const std::uint64_t low = word & (kEachByte * 0x7F);
  const std::uint64_t from_first = low + kEachByte * static_cast<std::uint64_t>(0x80 - first);
  const std::uint64_t behind_last = low + kEachByte * static_cast<std::uint64_t>(0x7F - last);
  return from_first & ~behind_last & ~word & (kEachByte * 0x80);
}

// ASCII capitals made small.
inline std::uint64_t lower_ascii(std::uint64_t word) { return word | (in_range(word, 'A', 'Z') >> 2); }

// How many bytes stand in front of the first mark of a mask as in_range returns it; 8 where there is none.
inline std::size_t bytes_before(std::uint64_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)) / 8; }

// A step of a hash over such words.
inline std::uint64_t scatter(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 32);
}

// Bytes behind a padded text: two words can be read anywhere in it, and it can be read in blocks.
inline constexpr std::size_t kBlock = 64;
inline constexpr std::size_t kPadding = kBlock + 16;

// Replaces `out` by `text` and kPadding bytes of `fill`.
inline void pad(std::string_view text, char fill, std::string& out) {
  out.assign(text);
  out.append(kPadding, fill);
}

// Bit i: whether byte i of the kBlock at `at` is marked, where `mark(word)` gives the 0x80 of each marked byte of a
// word.
template <class Mark>
std::uint64_t marked_in_block(const char* at, const Mark& mark) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; i += 8) {
    // The product brings the eight marks side by side.
    bits |= ((mark(load_eight(at + i)) * 0x0002040810204081ULL) >> 56) << i;
  }
  return bits;
}

// Bit i: whether byte i of the kBlock at `at` is the ASCII character `c`.
inline std::uint64_t equal_in_block(const char* at, char c) {
#if defined(__SSE2__)
  using Sixteen [[gnu::vector_size(16)]] = char;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; i += 16) {
    Sixteen bytes;
    std::memcpy(&bytes, at + i, 16);
    const auto equal = __builtin_ia32_pmovmskb128(reinterpret_cast<Sixteen>(bytes == (Sixteen{} + c)));
    bits |= std::uint64_t{static_cast<std::uint32_t>(equal)} << i;
  }
  return bits;
#else
  return marked_in_block(at, [c](std::uint64_t word) { return in_range(word, c, c); });
#endif
}

// Calls `f(begin, end)` for each run of marked bytes among the first `size` of a padded text, whose fill is not marked.
template <class Mark, class F>
void each_marked_run(const char* text, std::size_t size, const Mark& mark, F&& f) {
  std::size_t begin = 0;
  std::uint64_t inside = 0;  // 1: the last byte of the last block was marked
  for (std::size_t block = 0; block <= size; block += kBlock) {
    const std::uint64_t bits = marked_in_block(text + block, mark);
    // Bytes that are marked where the one in front is not, or the other way round.
    for (std::uint64_t edges = bits ^ (bits << 1 | inside); edges != 0; edges &= edges - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(edges));
      if ((bits >> (at - block) & 1) != 0) {
        begin = at;
      } else {
        f(begin, at);
      }
    }
    inside = bits >> 63;
  }
}

}  // namespace residue::text
