#include "index/rouge/rouge_lanes.h"

#include <algorithm>
#include <bit>

namespace residue::index {
namespace {

constexpr std::size_t kMaxLaneTokens = 1024;

// No subsequence is that long, even if it is taken for a signed number.
constexpr std::uint32_t kNever = 0x7fffffff;

}  // namespace

LaneWidth lane_width(const RougeQuery& query) {
  const std::size_t tokens = query.known.size();
  if (tokens <= 32) return LaneWidth::k32;
  if (tokens <= 64) return LaneWidth::k64;
  return tokens <= kMaxLaneTokens ? LaneWidth::kWords : LaneWidth::kNone;
}

RougeLanes::RougeLanes(const RougeCorpus& corpus, const RougeKernels& kernels, RougeScore score)
    : corpus_(corpus), kernels_(kernels), score_(score), row_of_(corpus.vocabulary(), 0) {}

void RougeLanes::clear() {
  for (const std::uint32_t token : tokens_) row_of_[token] = 0;
  tokens_.clear();
}

void RougeLanes::load(std::span<RougeSearch* const> block) {
  clear();
  block_ = block;
  width_ = lane_width(block.front()->query);
  words_ = 1;
  for (const RougeSearch* search : block) {
    words_ = std::max(words_, (search->query.known.size() + 63) / 64);
    for (const auto& [token, occurrences] : search->query.counts) {
      if (row_of_[token] != 0) continue;
      tokens_.push_back(token);
      row_of_[token] = static_cast<std::uint32_t>(tokens_.size());
    }
  }
  if (width_ == LaneWidth::k32) {
    set_bits<std::uint32_t>();
  } else {
    set_bits<std::uint64_t>();
  }
}

template <class Number>
void RougeLanes::set_bits() {
  const std::size_t lanes = width_ == LaneWidth::kWords ? kWordLanes : kLanes;
  const std::size_t row = words_ * lanes;
  const std::size_t bits = 8 * sizeof(Number);
  rows_.assign((tokens_.size() + 1) * row * sizeof(Number) / sizeof(RougeLine), {});
  column_.resize(words_);
  auto* const numbers = reinterpret_cast<Number*>(rows_.data());
  for (std::size_t lane = 0; lane < block_.size(); ++lane) {
    const auto& known = block_[lane]->query.known;
    for (std::size_t i = 0; i < known.size(); ++i) {
      numbers[row_of_[known[i]] * row + i / bits * lanes + lane] |= Number{1} << (i % bits);
    }
  }
}

std::uint32_t RougeLanes::least(const RougeSearch& search, std::uint32_t shortest) const {
  const std::uint32_t least = least_common(score_, search.best.threshold(), search.query.length, shortest);
  return least > search.query.known.size() ? kNever : least;
}

void RougeLanes::run(std::size_t first, std::size_t last, std::size_t lane) {
  for (; first < last; first += kChunkTexts) run_chunk(first, std::min(last, first + kChunkTexts), lane);
}

void RougeLanes::run_chunk(std::size_t first, std::size_t last, std::size_t lane) {
  const std::uint32_t shortest = corpus_.length(first);
  std::fill(std::begin(least_), std::end(least_), kNever);
  bool any = false;
  for (; lane < block_.size(); ++lane) {
    least_[lane] = least(*block_[lane], shortest);
    any = any || least_[lane] != kNever;
  }
  if (!any) return;
  for (std::size_t i = first; i < last; ++i) {
    const text::Tokens tokens = corpus_.tokens(i);
    if (steps_.size() < tokens.size() + 16) steps_.resize(2 * tokens.size() + 16);
    const std::size_t count = kernels_.steps(tokens.data(), tokens.size(), row_of_.data(), steps_.data());
    if (const std::uint64_t reached = kernel({steps_.data(), count}); reached != 0) offer(reached, i, shortest);
  }
}

std::uint64_t RougeLanes::kernel(const LaneSteps& steps) {
  if (width_ == LaneWidth::k32) {
    return kernels_.lcs32(reinterpret_cast<const std::uint32_t*>(rows_.data()), steps, least_, lcs_);
  }
  const auto* rows = reinterpret_cast<const std::uint64_t*>(rows_.data());
  if (width_ == LaneWidth::k64) return kernels_.lcs64(rows, steps, least_, lcs_);
  return kernels_.lcs_words(rows, words_, steps, column_.data()->words, least_, lcs_);
}

void RougeLanes::offer(std::uint64_t lanes, std::size_t text, std::uint32_t shortest) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    RougeSearch& search = *block_[lane];
    const double score = rouge_score(score_, {lcs_[lane], search.query.length, corpus_.length(text)});
    if (search.best.offer(score, corpus_.rank(text))) least_[lane] = least(search, shortest);
  }
}

}  // namespace residue::index
