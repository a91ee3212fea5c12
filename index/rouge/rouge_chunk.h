// 512 texts as rows of bits, from which the bounds of rouge_simd.h are counted.
#pragma once

#include <cstdint>
#include <vector>

#include "index/rouge/rouge_corpus.h"
#include "index/rouge/rouge_simd.h"

namespace residue::index {

// 64 bytes that lie on one line of the cache: the unit of everything the kernels read.
struct alignas(64) RougeLine {
  std::uint64_t words[8] = {};
};

// Memory: a line for each token that is not rare here, 8 more if it is common, and 4 bytes for each token of the
// vocabulary.
class RougeChunk {
 public:
  // The texts [first, first + kChunkTexts) or those there are. Cost: some 3 ns a token.
  RougeChunk(const RougeCorpus& corpus, std::size_t first);

  [[nodiscard]] std::size_t first() const { return first_; }

  // What overlap_bound needs, and the unordered rows. The query has at most kMaxCounted known tokens.
  void count(const RougeQuery& query, ChunkQuery& out) const;
  // The ordered rows, which order_bound needs besides.
  void order(const RougeQuery& query, ChunkQuery& out) const;

 private:
  struct Slot {
    std::uint16_t texts = 0;     // that have the token
    std::uint16_t planes = 0;    // 0: rare
    std::uint32_t lines = 0;     // the first of its planes
    std::uint32_t sets = 0;      // common: the first of its lines for the segments; else 0
    std::uint32_t postings = 0;  // rare: the first of them
  };
  struct Posting {
    std::uint32_t slot;
    std::uint16_t text;
    std::uint8_t occurrences;  // 255: or more
    std::uint8_t segments;     // bit s: in segment s
  };

  std::vector<Posting> read(const RougeCorpus& corpus);
  void fill(const std::vector<Posting>& postings);

  std::size_t first_;
  std::vector<std::uint32_t> slot_of_;  // by token; 0: in none of these texts
  std::vector<Slot> slots_;
  std::vector<RougeLine> lines_;
  std::vector<Posting> rare_;
};

}  // namespace residue::index
