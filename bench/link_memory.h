// Postings of a corpus in memory, for corpora that are too large to build an index of for every measurement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/parallel_ranges.h"
#include "bench/link_corpus.h"
#include "index/bm25.h"
#include "index/bm25_kernel/bm25_kernel.h"
#include "text/words/analyzer.h"

namespace residue::bench {

// Terms are numbered in the order of their first text, not of their bytes: scores differ from an index's in last bits.
class MemoryCollection final : public index::PostingSource {
 public:
  MemoryCollection(const LinkCorpus& corpus, double noise) {
    std::vector<std::uint32_t> terms, counts;  // by document
    std::vector<std::size_t> ends;
    std::vector<std::uint64_t> lengths;
    each_text(
        corpus.size(), [&](std::size_t i) { return corpus.sanitized(i, noise); },
        [&](const auto& words) {
          const auto counted = numbered(words, true);
          lengths.push_back(words.size());
          for (const auto& [term, tf] : counted) {
            terms.push_back(term);
            counts.push_back(tf);
          }
          ends.push_back(terms.size());
        });
    double total = 0;
    for (const auto length : lengths) total += static_cast<double>(length);
    for (const auto length : lengths) {
      norms_.push_back(index::bm25_norm({}, length, total / static_cast<double>(lengths.size())));
    }
    begins_.assign(numbers_.size() + 1, 0);
    for (const auto term : terms) ++begins_[term + 1];
    for (std::size_t t = 0; t < numbers_.size(); ++t) begins_[t + 1] += begins_[t];
    auto next = begins_;
    postings_.resize(terms.size());
    for (std::size_t i = 0, at = 0; i < ends.size(); ++i) {
      for (; at < ends[i]; ++at) postings_[next[terms[at]]++] = {static_cast<std::uint32_t>(i), counts[at]};
    }
    each_text(
        corpus.size(), [&](std::size_t i) { return corpus.query(i); },
        [&](const auto& words) {
          for (const auto& term : numbered(words, false)) query_terms_.push_back(term);
          query_ends_.push_back(query_terms_.size());
        });
  }

  [[nodiscard]] std::size_t terms() const override { return begins_.size() - 1; }
  [[nodiscard]] std::uint32_t containing(std::uint32_t term) const override {
    return static_cast<std::uint32_t>(begins_[term + 1] - begins_[term]);
  }
  void read(std::uint32_t term, std::vector<index::Posting>& out) const override {
    out.assign(postings_.begin() + static_cast<std::ptrdiff_t>(begins_[term]),
               postings_.begin() + static_cast<std::ptrdiff_t>(begins_[term + 1]));
  }

  [[nodiscard]] const std::vector<double>& norms() const { return norms_; }

  // Query i asks about document i.
  [[nodiscard]] std::vector<index::KernelQuery> queries() const {
    std::vector<index::KernelQuery> all;
    for (std::size_t i = 0; i < query_ends_.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : query_ends_[i - 1];
      all.push_back({std::span(query_terms_).subspan(begin, query_ends_[i] - begin), static_cast<std::uint32_t>(i)});
    }
    return all;
  }

 private:
  // Makes and analyzes texts in parallel, hands their words over in order.
  template <class Make, class Use>
  static void each_text(std::size_t n, const Make& make, const Use& use) {
    constexpr std::size_t kAtOnce = 4096;
    std::vector<std::vector<std::string>> words(kAtOnce);
    for (std::size_t first = 0; first < n; first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, n - first);
      parallel_ranges(count, 64, [&](const TaskRange& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          text::Analyzer::fsp().terms(make(first + i), words[i]);
        }
      });
      for (std::size_t i = 0; i < count; ++i) use(words[i]);
    }
  }

  std::vector<index::KernelTerm> numbered(const std::vector<std::string>& words, bool adding) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& word : words) {
      if (adding) numbers_.emplace(word, static_cast<std::uint32_t>(numbers_.size()));
      if (const auto found = numbers_.find(word); found != numbers_.end()) numbers.push_back(found->second);
    }
    std::sort(numbers.begin(), numbers.end());
    std::vector<index::KernelTerm> counted;
    for (const std::uint32_t number : numbers) {
      if (counted.empty() || counted.back().term != number) counted.push_back({number, 0});
      ++counted.back().wqf;
    }
    return counted;
  }

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::size_t> begins_;
  std::vector<index::Posting> postings_;
  std::vector<double> norms_;
  std::vector<index::KernelTerm> query_terms_;
  std::vector<std::size_t> query_ends_;
};

}  // namespace residue::bench
