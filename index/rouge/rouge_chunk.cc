#include "index/rouge/rouge_chunk.h"

#include <algorithm>

namespace residue::index {
namespace {

// A token in fewer texts of the chunk is rare: its texts are listed.
constexpr std::uint32_t kNotRare = 4;

// A token in at least so many is common: its order matters. That of others would exclude little for the time it takes.
constexpr std::uint32_t kCommon = 40;

// Plane p has the texts with more than p occurrences; more than this many are taken for as many as wanted.
constexpr std::uint16_t kMaxPlanes = 4;

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
    if (slot.texts < kNotRare) continue;
    slot.planes = std::max<std::uint16_t>(slot.planes, std::min<std::uint16_t>(kMaxPlanes, posting.occurrences));
  }
  std::uint32_t lines = 1;  // so that no set begins at 0
  std::uint32_t rare = 0;
  for (Slot& slot : slots_) {
    if (slot.planes == 0) {
      slot.postings = rare;
      rare += slot.texts;
      continue;
    }
    slot.lines = lines;
    lines += slot.planes;
    if (slot.texts < kCommon) continue;
    slot.sets = lines;
    lines += static_cast<std::uint32_t>(kSegments);
  }
  lines_.resize(lines);
  rare_.resize(rare);
  std::vector<std::uint32_t> filled(slots_.size());
  for (const Posting& posting : postings) {
    const Slot& slot = slots_[posting.slot];
    if (slot.planes == 0) {
      rare_[slot.postings + filled[posting.slot]++] = posting;
      continue;
    }
    for (std::size_t p = 0; p < slot.planes && p < posting.occurrences; ++p) set(lines_[slot.lines + p], posting.text);
    for (std::size_t s = 0; s < kSegments && slot.sets > 0; ++s) {
      if ((posting.segments >> s & 1) != 0) set(lines_[slot.sets + s], posting.text);
    }
  }
}

// Whether a token is here, rare or common depends on chance: choices are made by moving the end of a list, not by
// jumps.
void RougeChunk::count(const RougeQuery& query, ChunkQuery& out) const {
  const Slot* rare[kMaxCounted + 1];
  std::uint32_t rare_occurrences[kMaxCounted + 1];
  std::size_t rares = 0;
  std::size_t counted = 0;
  std::size_t unordered = 0;
  for (const auto& [token, occurrences] : query.counts) {
    const Slot& slot = slots_[slot_of_[token]];
    const bool is_rare = slot.planes == 0;
    rare[rares] = &slot;
    rare_occurrences[rares] = occurrences;
    rares += is_rare && slot.texts > 0;
    const std::uint64_t* const plane = lines_.data()[slot.lines].words;
    out.counted[counted] = plane;
    counted += !is_rare;
    out.unordered[unordered] = plane;
    unordered += !is_rare && slot.sets == 0;
    if (occurrences == 1 || is_rare) continue;
    const std::uint32_t rows =
        slot.planes < kMaxPlanes ? std::min<std::uint32_t>(occurrences, slot.planes) : occurrences;
    for (std::uint32_t p = 1; p < rows; ++p) {
      const std::uint64_t* const next = lines_[slot.lines + std::min(p, slot.planes - 1U)].words;
      out.counted[counted++] = next;
      if (slot.sets == 0) out.unordered[unordered++] = next;
    }
  }
  out.counted_rows = counted;
  out.unordered_rows = unordered;
  for (auto& plane : out.sparse) std::fill(std::begin(plane), std::end(plane), std::uint64_t{0});
  for (std::size_t r = 0; r < rares; ++r) {
    for (std::uint32_t i = 0; i < rare[r]->texts; ++i) {
      const Posting& posting = rare_[rare[r]->postings + i];
      add(out.sparse, posting.text, std::min<std::uint32_t>(rare_occurrences[r], posting.occurrences));
    }
  }
}

void RougeChunk::order(const RougeQuery& query, ChunkQuery& out) const {
  std::size_t ordered = 0;
  for (const std::uint32_t token : query.known) {
    const Slot& slot = slots_[slot_of_[token]];
    out.ordered[ordered] = lines_.data()[slot.sets].words;
    ordered += slot.sets > 0;
  }
  out.ordered_tokens = ordered;
}

}  // namespace residue::index
