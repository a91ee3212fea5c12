#include "index/rouge_chunk.h"

#include <algorithm>

namespace residue::index {
namespace {

// Tokens in fewer texts of the chunk are counted one by one.
constexpr std::uint32_t kFrequent = 6;

// Plane p has the texts with more than p occurrences; more than this many are taken for as many as wanted.
constexpr std::uint32_t kMaxPlanes = 4;

// Adds `n` to the number of one text whose bits lie in the planes.
void add(std::uint64_t (&planes)[kSparsePlanes + 1][kChunkWords], std::size_t text, std::uint32_t n) {
  const std::size_t word = text / 64;
  const std::uint64_t bit = std::uint64_t{1} << (text % 64);
  for (; n > 0; --n) {
    std::size_t plane = 0;
    while (plane < kSparsePlanes && ((planes[plane][word] ^= bit) & bit) == 0) ++plane;
    if (plane == kSparsePlanes) planes[plane][word] |= bit;
  }
}

void set(RougeLine& line, std::size_t text) { line.words[text / 64] |= std::uint64_t{1} << (text % 64); }

}  // namespace

RougeChunk::RougeChunk(const RougeCorpus& corpus, std::size_t first) : first_(first) { fill(read(corpus)); }

std::vector<RougeChunk::Posting> RougeChunk::read(const RougeCorpus& corpus) {
  slot_of_.assign(corpus.vocabulary(), 0);
  slots_.assign(1, {});
  std::vector<Posting> postings;
  std::vector<std::size_t> posting_of(1);  // by slot: where its posting of the current text is, if it has one
  const std::size_t count = std::min(kChunkTexts, corpus.size() - first_);
  for (std::size_t text = 0; text < count; ++text) {
    const text::Tokens tokens = corpus.tokens(first_ + text);
    const std::size_t begin = postings.size();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::uint32_t& slot = slot_of_[tokens[i]];
      if (slot == 0) {
        slot = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
        posting_of.push_back(~std::size_t{0});
      }
      std::size_t& at = posting_of[slot];
      if (at == ~std::size_t{0} || at < begin) {
        at = postings.size();
        postings.push_back({slot, static_cast<std::uint16_t>(text), 0, 0});
        ++slots_[slot].texts;
      }
      Posting& posting = postings[at];
      if (posting.occurrences < 255) ++posting.occurrences;
      posting.segments |= static_cast<std::uint8_t>(1U << (i * kSegments / tokens.size()));
    }
  }
  return postings;
}

void RougeChunk::fill(const std::vector<Posting>& postings) {
  for (const Posting& posting : postings) {
    Slot& slot = slots_[posting.slot];
    if (slot.texts < kFrequent) continue;
    slot.planes = std::max(slot.planes, std::min<std::uint32_t>(kMaxPlanes, posting.occurrences));
  }
  std::uint32_t lines = 0;
  std::uint32_t rare = 0;
  for (Slot& slot : slots_) {
    slot.begin = slot.planes > 0 ? lines : rare;
    if (slot.planes > 0) {
      lines += static_cast<std::uint32_t>(kSegments) + slot.planes;
    } else {
      rare += slot.texts;
    }
  }
  lines_.resize(lines);
  rare_.resize(rare);
  std::vector<std::uint32_t> filled(slots_.size());
  for (const Posting& posting : postings) {
    const Slot& slot = slots_[posting.slot];
    if (slot.planes == 0) {
      rare_[slot.begin + filled[posting.slot]++] = posting;
      continue;
    }
    for (std::size_t s = 0; s < kSegments; ++s) {
      if ((posting.segments >> s & 1) != 0) set(lines_[slot.begin + s], posting.text);
    }
    for (std::size_t p = 0; p < slot.planes && p < posting.occurrences; ++p) {
      set(lines_[slot.begin + kSegments + p], posting.text);
    }
  }
}

void RougeChunk::count(const RougeQuery& query, ChunkQuery& out) const {
  out.counted_rows = 0;
  for (auto& plane : out.sparse) std::fill(std::begin(plane), std::end(plane), std::uint64_t{0});
  for (const auto& [token, occurrences] : query.counts) {
    const Slot& slot = slots_[slot_of_[token]];
    if (slot.planes == 0) {
      for (std::uint32_t i = 0; i < slot.texts; ++i) {
        const Posting& posting = rare_[slot.begin + i];
        add(out.sparse, posting.text, std::min<std::uint32_t>(occurrences, posting.occurrences));
      }
      continue;
    }
    const RougeLine* planes = &lines_[slot.begin + kSegments];
    for (std::uint32_t p = 0; p < occurrences; ++p) {
      if (p >= slot.planes && slot.planes < kMaxPlanes) break;
      out.counted[out.counted_rows++] = planes[std::min(p, slot.planes - 1)].words;
    }
  }
}

void RougeChunk::order(const RougeQuery& query, ChunkQuery& out) const {
  out.ordered_tokens = 0;
  for (const std::uint32_t token : query.known) {
    const Slot& slot = slots_[slot_of_[token]];
    if (slot.planes > 0) out.ordered[out.ordered_tokens++] = lines_[slot.begin].words;
  }
}

}  // namespace residue::index
