// The inner loops of the ROUGE-L linker, once for each instruction set; all give the same bits.
//
//   64 or 8 queries, one per lane, against one text ── bit-parallel LCS ──> lanes that reach their threshold
//   one query against 512 texts, one per bit ── counters of one bit a plane ──> texts that may reach it
#pragma once

#include <cstddef>
#include <cstdint>

namespace residue::index {

enum class RougeSimd { kAutomatic, kPortable, kAvx2, kAvx512 };

// Queries of a block; texts of a chunk. A row of a chunk is one bit for each of its texts.
constexpr std::size_t kLanes = 64;
constexpr std::size_t kWordLanes = 8;
constexpr std::size_t kChunkTexts = 512;
constexpr std::size_t kChunkWords = kChunkTexts / 64;
constexpr std::size_t kSegments = 8;
constexpr std::size_t kSparsePlanes = 4;
constexpr std::size_t kMaxCounted = 64;  // tokens of a query that the bounds can count

// The steps of a text through a block: for each token that some query has, the number of its row.
struct LaneSteps {
  const std::uint32_t* rows;
  std::size_t count;
};

// What the bounds know about one query in one chunk. Lists have room for one more than they may hold. Rows have
// kChunkWords words and are aligned to 64 bytes.
struct ChunkQuery {
  const std::uint64_t* counted[kMaxCounted + 1];  // a text's bit is set in as many as it shares tokens with the query
  std::size_t counted_rows = 0;                   // at most kMaxCounted
  const std::uint64_t* ordered[kMaxCounted + 1];  // the query's commonest tokens in order, kSegments rows each
  std::size_t ordered_tokens = 0;
  const std::uint64_t* unordered[kMaxCounted + 1];  // rows of `counted` for the other tokens
  std::size_t unordered_rows = 0;                   // with ordered_tokens at most kMaxCounted
  // Tokens shared besides, as binary numbers, a plane per bit; the last plane: too many to be told.
  alignas(64) std::uint64_t sparse[kSparsePlanes + 1][kChunkWords] = {};
  std::uint32_t at_least = 0;  // 1 to kMaxCounted
};

struct RougeKernels {
  const char* name;
  std::size_t pair_in_lanes;  // one query and one text by themselves cost about as much as so many lanes of lcs32

  // Writes row_of[token] for those tokens that have one, in order. `steps` has room for `count` and 16 more.
  std::size_t (*steps)(const std::uint32_t* tokens, std::size_t count, const std::uint32_t* row_of,
                       std::uint32_t* steps);

  // The lanes whose subsequence with the text is at least `at_least`; lengths of these are written. A row is one
  // number per lane: bit i is set if the lane's query has the token at i.
  std::uint64_t (*lcs32)(const std::uint32_t* rows, LaneSteps text, const std::uint32_t* at_least, std::uint32_t* lcs);
  std::uint64_t (*lcs64)(const std::uint64_t* rows, LaneSteps text, const std::uint32_t* at_least, std::uint32_t* lcs);
  // Queries of several words, kWordLanes lanes: a row is `words` times one number per lane. `column` is scratch of
  // that size.
  std::uint64_t (*lcs_words)(const std::uint64_t* rows, std::size_t words, LaneSteps text, std::uint64_t* column,
                             const std::uint32_t* at_least, std::uint32_t* lcs);

  // Texts that share at least `at_least` tokens, each as often as in both: no other text can reach it.
  std::size_t (*overlap_bound)(const ChunkQuery& query, std::uint64_t* survivors);
  // Takes those out of `survivors` that cannot reach it when a text is kSegments sets of tokens in order: each set may
  // give any number of tokens, but those of a later set must come later in the query.
  // `beyond`: those of them that may even reach one token more.
  std::size_t (*order_bound)(const ChunkQuery& query, std::uint64_t* survivors, std::uint64_t* beyond);
};

// Whether this machine can run it.
bool can_run(RougeSimd simd);

// The kernels; kAutomatic: the fastest that this machine can run. Throws Error{usage} if it cannot run them.
const RougeKernels& rouge_kernels(RougeSimd simd);

}  // namespace residue::index
