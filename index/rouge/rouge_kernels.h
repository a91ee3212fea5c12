// The kernels of rouge_simd.h over a vector type. Each instruction set's source includes this below its target pragma,
// so nothing of the standard library may be used here: it would be compiled for that instruction set for everybody.
//
// `Ops` gives: V32, V64 (vectors of 32 and 64 bit numbers, same size), zeros32, zeros64 (zero bits per lane), xor3,
// majority, andnot (a & ~b), or3, steps. Being local to its source, it keeps each instantiation local too.
#pragma once

#include <cstdint>

#include "index/rouge/rouge_simd.h"

namespace residue::index {

template <class Ops>
struct RougeKernel {
  using V32 = typename Ops::V32;
  using V64 = typename Ops::V64;
  static constexpr std::size_t kWide = sizeof(V64) / 8;       // 64-bit lanes of a vector
  static constexpr std::size_t kParts = kChunkWords / kWide;  // vectors of a chunk's row
  static constexpr std::size_t kCounters = 6;                 // 2^6 = kMaxCounted

  static V64 load(const std::uint64_t* at) { return *reinterpret_cast<const V64*>(at); }
  static void store(std::uint64_t* at, const V64& v) { *reinterpret_cast<V64*>(at) = v; }

  // H. Hyyro, "Bit-parallel LCS-length computation revisited", 2004: a zero bit at i, the subsequence grows there.
  // As many vectors at once as hide the latency of the addition and still fit into registers.
  template <class V, class Number, std::size_t kVectors, class Zeros>
  static std::uint64_t lanes(const Number* rows, LaneSteps text, const std::uint32_t* at_least, std::uint32_t* lcs,
                             const Zeros& zeros) {
    constexpr std::size_t kPer = sizeof(V) / sizeof(Number);
    constexpr std::size_t kPass = kPer * kVectors;
    static_assert(kLanes % kPass == 0);
    std::uint64_t reached = 0;
    for (std::size_t pass = 0; pass < kLanes; pass += kPass) {
      V column[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) column[v] = ~V{};
      for (std::size_t i = 0; i < text.count; ++i) {
        const V* row = reinterpret_cast<const V*>(rows + std::size_t{text.rows[i]} * kLanes + pass);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kVectors; ++v) {
          const V match = row[v];
          const V sum = column[v] + (column[v] & match);
          column[v] = Ops::or_andnot(sum, column[v], match);
        }
      }
      for (std::size_t v = 0; v < kVectors; ++v) reached |= zeros(column[v], pass + v * kPer, at_least, lcs);
    }
    return reached;
  }

  static std::uint64_t lcs32(const std::uint32_t* rows, LaneSteps text, const std::uint32_t* at_least,
                             std::uint32_t* lcs) {
    return lanes<V32, std::uint32_t, Ops::kVectors32>(
        rows, text, at_least, lcs,
        [](const V32& column, std::size_t lane, const std::uint32_t* least, std::uint32_t* out) {
          return Ops::reached32(column, lane, least, out);
        });
  }

  static std::uint64_t lcs64(const std::uint64_t* rows, LaneSteps text, const std::uint32_t* at_least,
                             std::uint32_t* lcs) {
    return lanes<V64, std::uint64_t, Ops::kVectors64>(
        rows, text, at_least, lcs,
        [](const V64& column, std::size_t lane, const std::uint32_t* least, std::uint32_t* out) {
          return Ops::reached64(column, lane, least, out);
        });
  }

  static std::uint64_t lcs_words(const std::uint64_t* rows, std::size_t words, LaneSteps text, std::uint64_t* column,
                                 const std::uint32_t* at_least, std::uint32_t* lcs) {
    const std::size_t size = words * kWordLanes;
    for (std::size_t i = 0; i < size; ++i) column[i] = ~std::uint64_t{0};
    for (std::size_t i = 0; i < text.count; ++i) {
      const std::uint64_t* row = rows + std::size_t{text.rows[i]} * size;
      for (std::size_t part = 0; part < kWordLanes; part += kWide) {
        V64 carry = {};
        for (std::size_t at = part; at < size; at += kWordLanes) {
          const V64 before = load(column + at);
          const V64 match = load(row + at);
          const V64 used = before & match;
          const V64 sum = before + used + carry;
          carry = (used | Ops::andnot(before, sum)) >> 63;  // used is part of before
          store(column + at, Ops::or_andnot(sum, before, match));
        }
      }
    }
    std::uint64_t reached = 0;
    for (std::size_t lane = 0; lane < kWordLanes; ++lane) {
      std::uint32_t length = 0;
      for (std::size_t w = 0; w < words; ++w) {
        length += static_cast<std::uint32_t>(__builtin_popcountll(~column[w * kWordLanes + lane]));
      }
      lcs[lane] = length;
      reached |= std::uint64_t{length >= at_least[lane]} << lane;
    }
    return reached;
  }

  // Adds with carry: sum in a, carry returned.
  static V64 add(V64& a, const V64& b, const V64& c) {
    const V64 carry = Ops::majority(a, b, c);
    a = Ops::xor3(a, b, c);
    return carry;
  }

  // Adds `carry` at the weight 2^bit. The texts that overflow are returned.
  static V64 ripple(V64* counter, std::size_t bit, V64 carry) {
    for (; bit < kCounters; ++bit) {
      const V64 next = counter[bit] & carry;
      counter[bit] ^= carry;
      carry = next;
    }
    return carry;
  }

  // The texts whose bits in `rows` rows, and sparse count, are together at least `at_least`: a counter that starts
  // at 64 - at_least overflows, and what it then holds is how many there are besides.
  template <class Row>
  static V64 counted(const ChunkQuery& query, std::size_t part, std::size_t rows, const Row& row, V64* counter) {
    const auto start = static_cast<std::uint32_t>(kMaxCounted) - query.at_least;
    for (std::size_t bit = 0; bit < kCounters; ++bit) counter[bit] = (start >> bit & 1) != 0 ? ~V64{} : V64{};
    V64 over = load(query.sparse[kSparsePlanes] + part);
    V64 carry = {};
    for (std::size_t bit = 0; bit < kSparsePlanes; ++bit) {
      carry = add(counter[bit], load(query.sparse[bit] + part), carry);
    }
    over |= ripple(counter, kSparsePlanes, carry);
    std::size_t i = 0;
    for (; i + 8 <= rows; i += 8) {
      const V64 a = add(counter[0], row(i), row(i + 1));
      const V64 b = add(counter[0], row(i + 2), row(i + 3));
      const V64 c = add(counter[0], row(i + 4), row(i + 5));
      const V64 d = add(counter[0], row(i + 6), row(i + 7));
      const V64 e = add(counter[1], a, b);
      const V64 f = add(counter[1], c, d);
      over |= ripple(counter, 3, add(counter[2], e, f));
    }
    for (; i + 2 <= rows; i += 2) over |= ripple(counter, 1, add(counter[0], row(i), row(i + 1)));
    if (i < rows) over |= ripple(counter, 0, row(i));
    return over;
  }

  static std::size_t popcount(const std::uint64_t* survivors) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < kChunkWords; ++w) {
      count += static_cast<std::size_t>(__builtin_popcountll(survivors[w]));
    }
    return count;
  }

  static std::size_t overlap_bound(const ChunkQuery& query, std::uint64_t* survivors) {
    for (std::size_t part = 0; part < kChunkWords; part += kWide) {
      V64 counter[kCounters];
      const auto row = [&](std::size_t i) { return load(query.counted[i] + part); };
      store(survivors + part, counted(query, part, query.counted_rows, row, counter));
    }
    return popcount(survivors);
  }

  // Row by row of the table that has a column for each token of the query and a row for each set. `grows[i]`: the best
  // grows with token i. `excess`: by how much the new row is above the old one here, a number of three bits.
  static std::size_t order_bound(const ChunkQuery& query, std::uint64_t* survivors, std::uint64_t* beyond) {
    const std::size_t tokens = query.ordered_tokens;
    V64 grows[kMaxCounted];
    for (std::size_t part = 0; part < kChunkWords; part += kWide) {
      V64 too_many = {};
      for (std::size_t i = 0; i < tokens; ++i) grows[i] = load(query.ordered[i] + part);
      for (std::size_t segment = 1; segment < kSegments; ++segment) {
        V64 e0 = {}, e1 = {}, e2 = {};
        const std::size_t at = segment * kChunkWords + part;
        for (std::size_t i = 0; i < tokens; ++i) {
          const V64 match = load(query.ordered[i] + at);
          const V64 some = Ops::or3(e0, e1, e2);
          const V64 loses = Ops::andnot(grows[i], match);
          const V64 down = loses & some;
          const V64 change = Ops::or_andnot(down, match, grows[i]);
          grows[i] = Ops::or_andnot(match, loses, some);
          const V64 c0 = Ops::and_xor(change, e0, down);  // carry, or borrow where it goes down
          e0 ^= change;
          const V64 c1 = Ops::and_xor(c0, e1, down);
          e1 ^= c0;
          too_many |= Ops::and_xor(c1, e2, down);
          e2 ^= c1;
        }
      }
      for (std::size_t i = 0; i < query.unordered_rows; ++i) grows[tokens + i] = load(query.unordered[i] + part);
      V64 counter[kCounters];
      const auto row = [&](std::size_t i) { return grows[i]; };
      const V64 bound = counted(query, part, tokens + query.unordered_rows, row, counter);
      const V64 survive = load(survivors + part) & (bound | too_many);
      const V64 more = Ops::or3(counter[0], counter[1], counter[2]) | Ops::or3(counter[3], counter[4], counter[5]);
      store(survivors + part, survive);
      store(beyond + part, survive & Ops::or3(more, too_many, load(query.sparse[kSparsePlanes] + part)));
    }
    return popcount(survivors);
  }

  static constexpr RougeKernels table(const char* name) {
    return {name, Ops::kPairInLanes, &Ops::steps, &lcs32, &lcs64, &lcs_words, &overlap_bound, &order_bound};
  }
};

}  // namespace residue::index
