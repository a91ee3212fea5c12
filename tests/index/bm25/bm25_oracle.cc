#include "tests/index/bm25/bm25_oracle.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace residue::index {

Bm25Oracle::Bm25Oracle(std::span<const Document> documents, const text::Analyzer& analyzer, Bm25Options options)
    : analyzer_(analyzer), options_(options) {
  std::uint64_t total = 0;
  for (const Document& document : documents) {
    Counted counted{document.candidate, std::string(document.key), count(document.text)};
    if (counted.terms.empty()) continue;
    for (const auto& [term, tf] : counted.terms) {
      counted.length += tf;
      ++containing_[term];
    }
    total += counted.length;
    documents_.push_back(std::move(counted));
  }
  average_ = static_cast<double>(total) / static_cast<double>(documents_.size());
}

Bm25Oracle::Counts Bm25Oracle::count(std::string_view text) const {
  std::vector<std::string> terms;
  analyzer_.terms(text, terms);
  Counts counts;
  for (const std::string& term : terms) ++counts[term];
  return counts;
}

// The largest length not above `length` that Lucene's byte can hold: 0 to 40, then eight of each step 2, 4, 8, ...
std::uint64_t Bm25Oracle::kept_length(std::uint64_t length) const {
  if (!options_.lucene_lengths) return length;
  std::uint64_t kept = 0;
  std::uint64_t next = 0;
  for (std::uint64_t code = 0; next <= length; ++code) {
    kept = next;
    next += code < 40 ? 1 : std::uint64_t{2} << (code - 40) / 8;
  }
  return kept;
}

// Written out again, not taken from bm25.h: an oracle that shares the formula cannot find a mistake in it.
double Bm25Oracle::score(const Counts& query, const Counted& document) const {
  const auto N = static_cast<double>(documents_.size());
  double sum = 0;
  for (const auto& [term, wqf] : query) {
    const auto found = document.terms.find(term);
    if (found == document.terms.end()) continue;
    const double tf = found->second;
    const double n = containing_.at(term);
    const double idf = std::log(1.0 + (N - n + 0.5) / (n + 0.5));
    const auto length = static_cast<double>(kept_length(document.length));
    sum += idf * wqf * (tf / (tf + options_.k1 * (1.0 - options_.b + options_.b * length / average_)));
  }
  return sum;
}

std::vector<std::vector<Hit>> Bm25Oracle::top(std::span<const Query> queries, std::size_t k) const {
  struct Scored {
    double score;
    const Counted* document;
  };
  std::vector<std::vector<Hit>> result;
  for (const Query& query : queries) {
    const Counts terms = count(query.text);
    std::vector<Scored> scored;
    for (const Counted& document : documents_) {
      const double s = score(terms, document);
      if (s > 0) scored.push_back({s, &document});
    }
    std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
      return a.score != b.score ? a.score > b.score : a.document->key < b.document->key;
    });
    auto& hits = result.emplace_back();
    for (std::size_t i = 0; i < std::min(k, scored.size()); ++i) {
      const auto equal = std::count_if(scored.begin(), scored.end(),
                                       [&](const Scored& other) { return other.score == scored[i].score; });
      hits.push_back({scored[i].document->candidate, scored[i].score, static_cast<std::uint32_t>(equal - 1)});
    }
  }
  return result;
}

}  // namespace residue::index
