#include "index/rouge/rouge_pairs.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace residue::index {
namespace {

// Postings read to find texts to try first, and texts tried beyond those wanted.
constexpr std::size_t kMaxPostings = 400;
constexpr std::size_t kExtraTexts = 6;

// From this many survivors on the second bound is cheaper than their subsequences.
constexpr std::size_t kManySurvivors = 12;

constexpr std::size_t kAbreast = 4;  // texts whose additions do not wait for each other

}  // namespace

RougePairs::RougePairs(const RougeCorpus& corpus, const RougeKernels& kernels, RougeScore score)
    : corpus_(corpus), kernels_(kernels), score_(score), masks_(corpus.vocabulary(), 0), shared_(corpus.size(), 0) {}

void RougePairs::set(const RougeQuery& query) {
  for (std::size_t i = 0; i < query.known.size(); ++i) masks_[query.known[i]] |= std::uint64_t{1} << i;
}

void RougePairs::clear(const RougeQuery& query) {
  for (const std::uint32_t token : query.known) masks_[token] = 0;
}

// H. Hyyro 2004, as in rouge_kernels.h, for at most kAbreast texts of about the same length.
void RougePairs::lcs(std::span<const std::uint32_t> texts, std::uint32_t* lengths) const {
  text::Tokens tokens[kAbreast];
  std::uint64_t column[kAbreast];
  std::size_t common = ~std::size_t{0};
  for (std::size_t t = 0; t < kAbreast; ++t) {
    tokens[t] = corpus_.tokens(texts[std::min(t, texts.size() - 1)]);
    common = std::min(common, tokens[t].size());
    column[t] = ~std::uint64_t{0};
  }
  const auto step = [&](std::size_t t, std::size_t i) {
    const std::uint64_t used = column[t] & masks_[tokens[t][i]];
    column[t] = (column[t] + used) | (column[t] - used);
  };
  for (std::size_t i = 0; i < common; ++i) {
    for (std::size_t t = 0; t < kAbreast; ++t) step(t, i);
  }
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (std::size_t i = common; i < tokens[t].size(); ++i) step(t, i);
    lengths[t] = static_cast<std::uint32_t>(std::popcount(~column[t]));
  }
}

void RougePairs::expect(RougeSearch& search, std::size_t k) {
  found_.clear();
  std::size_t read = 0;
  for (const auto& [token, occurrences] : search.query.counts) {
    const auto texts = corpus_.rare_in(token);
    for (const std::uint32_t text : texts) {
      if (shared_[text]++ == 0) found_.push_back(text);
    }
    read += texts.size();
    if (read > kMaxPostings) break;
  }
  const std::size_t tried = std::min(found_.size(), k + kExtraTexts);
  std::nth_element(
      found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(tried), found_.end(),
      [&](std::uint32_t a, std::uint32_t b) { return shared_[a] != shared_[b] ? shared_[a] > shared_[b] : a < b; });
  for (const std::uint32_t text : found_) shared_[text] = 0;
  if (tried < k) return;
  set(search.query);
  std::vector<double> scores;
  for (std::size_t i = 0; i < tried; i += kAbreast) {
    const auto texts = std::span(found_).subspan(i, std::min(kAbreast, tried - i));
    std::uint32_t lengths[kAbreast];
    lcs(texts, lengths);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      scores.push_back(rouge_score(score_, {lengths[t], search.query.length, corpus_.length(texts[t])}));
    }
  }
  clear(search.query);
  std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(k - 1), scores.end(), std::greater<>());
  search.best.expect(scores[k - 1]);
}

std::size_t RougePairs::run(const RougeChunk& chunk, RougeSearch& search) {
  const RougeQuery& query = search.query;
  const std::uint32_t shortest = corpus_.length(chunk.first());
  bounds_.at_least = least_common(score_, search.best.threshold(), query.length, shortest);
  if (bounds_.at_least > query.known.size()) return 0;
  chunk.count(query, bounds_);
  std::size_t count = kernels_.overlap_bound(bounds_, survivors_.words);
  const bool few = count < kManySurvivors;
  if (!few) {
    chunk.order(query, bounds_);
    count = kernels_.order_bound(bounds_, survivors_.words, beyond_.words);
  }
  if (count == 0) return 0;
  set(query);
  if (few) {
    offer(chunk.first(), survivors_, search);
  } else {
    offer(chunk.first(), beyond_, search);
    offer_exact(chunk.first(), search);
  }
  clear(query);
  return count;
}

// Survivors that reach `at_least` and no more: too little for the longer texts, and if the threshold has risen since.
void RougePairs::offer_exact(std::size_t first, RougeSearch& search) {
  RougeLine exact;
  for (std::size_t w = 0; w < kChunkWords && first + w * 64 < corpus_.size(); ++w) {
    const std::uint32_t shortest = corpus_.length(first + w * 64);
    if (least_common(score_, search.best.threshold(), search.query.length, shortest) > bounds_.at_least) break;
    exact.words[w] = survivors_.words[w] & ~beyond_.words[w];
  }
  offer(first, exact, search);
}

void RougePairs::offer(std::size_t first, const RougeLine& texts, RougeSearch& search) {
  found_.clear();
  for (std::size_t w = 0; w < kChunkWords; ++w) {
    for (std::uint64_t bits = texts.words[w]; bits != 0; bits &= bits - 1) {
      found_.push_back(static_cast<std::uint32_t>(first + w * 64 + std::countr_zero(bits)));
    }
  }
  std::uint32_t lengths[kAbreast];
  for (std::size_t i = 0; i < found_.size(); i += kAbreast) {
    const auto some = std::span(found_).subspan(i, std::min(kAbreast, found_.size() - i));
    lcs(some, lengths);
    for (std::size_t t = 0; t < some.size(); ++t) {
      if (lengths[t] < bounds_.at_least) continue;
      search.best.offer(rouge_score(score_, {lengths[t], search.query.length, corpus_.length(some[t])}),
                        corpus_.rank(some[t]));
    }
  }
}

}  // namespace residue::index
