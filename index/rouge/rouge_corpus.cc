#include "index/rouge/rouge_corpus.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "base/error.h"
#include "text/encodings/decoded.h"

namespace residue::index {
namespace {

// A token in more texts than this share of them, and than this number, points at none.
constexpr std::size_t kRareShare = 64;
constexpr std::size_t kRareTexts = 64;

constexpr std::uint32_t kNoText = ~std::uint32_t{0};

struct Tokenized {
  std::uint32_t rank;
  std::uint64_t begin;
  std::uint64_t end;
};

}  // namespace

RougeCorpus::RougeCorpus(const Candidates& candidates, std::span<const RougeText> texts) {
  std::vector<Tokenized> tokenized;
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> buffer;
  std::vector<bool> seen(candidates.size());
  std::string store;
  for (const RougeText& text : texts) {
    const auto rank = candidates.rank(text.candidate);
    if (!rank || seen[*rank]) {
      throw Error(Code::kInternal, "a text to link to has no candidate, or its candidate has two",
                  "please report this");
    }
    seen[*rank] = true;
    tokenizer_.tokens(text::compared(text.text, store), buffer);
    if (buffer.empty()) continue;
    tokenized.push_back({*rank, all.size(), all.size() + buffer.size()});
    all.insert(all.end(), buffer.begin(), buffer.end());
  }
  std::sort(tokenized.begin(), tokenized.end(), [](const Tokenized& a, const Tokenized& b) {
    return a.end - a.begin != b.end - b.begin ? a.end - a.begin < b.end - b.begin : a.rank < b.rank;
  });

  std::vector<std::uint64_t> occurrences;
  for (const std::uint32_t token : all) {
    if (token >= occurrences.size()) occurrences.resize(token + 1);
    ++occurrences[token];
  }
  vocabulary_ = static_cast<std::uint32_t>(occurrences.size());
  std::vector<std::uint32_t> by_frequency(vocabulary_);
  std::iota(by_frequency.begin(), by_frequency.end(), 0U);
  std::stable_sort(by_frequency.begin(), by_frequency.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return occurrences[a] > occurrences[b]; });
  number_of_.resize(vocabulary_);
  for (std::uint32_t i = 0; i < vocabulary_; ++i) number_of_[by_frequency[i]] = i;

  tokens_.reserve(all.size());
  offsets_.push_back(0);
  for (const Tokenized& text : tokenized) {
    ranks_.push_back(text.rank);
    for (std::uint64_t i = text.begin; i < text.end; ++i) tokens_.push_back(number_of_[all[i]]);
    offsets_.push_back(tokens_.size());
  }
  index_rare_tokens();
}

void RougeCorpus::index_rare_tokens() {
  const std::size_t limit = std::max(kRareTexts, size() / kRareShare);
  const auto each = [&](const auto& f) {
    std::vector<std::uint32_t> last(vocabulary_, kNoText);
    for (std::uint32_t i = 0; i < size(); ++i) {
      for (const std::uint32_t token : tokens(i)) {
        if (std::exchange(last[token], i) != i) f(token, i);
      }
    }
  };
  std::vector<std::uint64_t> in_texts(vocabulary_);
  each([&](std::uint32_t token, std::uint32_t) { ++in_texts[token]; });
  posting_offsets_.assign(vocabulary_ + std::size_t{1}, 0);
  for (std::size_t t = 0; t < vocabulary_; ++t) {
    posting_offsets_[t + 1] = posting_offsets_[t] + (in_texts[t] <= limit ? in_texts[t] : 0);
  }
  postings_.resize(posting_offsets_.back());
  std::vector<std::uint64_t> next(posting_offsets_.begin(), posting_offsets_.end() - 1);
  each([&](std::uint32_t token, std::uint32_t i) {
    if (in_texts[token] <= limit) postings_[next[token]++] = i;
  });
}

RougeQuery RougeCorpus::query(std::string_view written) const {
  RougeQuery result;
  std::vector<std::uint32_t> all;
  std::string store;
  const std::string_view reads = text::compared(written, store);
  {
    const std::lock_guard lock(mutex_);
    tokenizer_.tokens(reads, all);
  }
  result.length = static_cast<std::uint32_t>(all.size());
  for (const std::uint32_t token : all) {
    if (token < vocabulary_) result.known.push_back(number_of_[token]);
  }
  std::vector<std::uint32_t> sorted = result.known;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (const std::uint32_t token : sorted) {
    if (result.counts.empty() || result.counts.back().first != token) result.counts.emplace_back(token, 0);
    ++result.counts.back().second;
  }
  return result;
}

}  // namespace residue::index
