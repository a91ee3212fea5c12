#include "index/rouge_oracle.h"

#include <algorithm>

#include "text/rouge.h"

namespace residue::index {
namespace {

template <class T>
std::uint32_t lcs(std::span<const T> a, std::span<const T> b) {
  std::vector<std::uint32_t> above(b.size() + 1);
  std::vector<std::uint32_t> row(b.size() + 1);
  for (const T& token : a) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = token == b[j] ? above[j] + 1 : std::max(row[j], above[j + 1]);
    }
    above.swap(row);
  }
  return above.back();
}

}  // namespace

std::uint32_t lcs_by_rows(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) { return lcs(a, b); }

RougeOracle::RougeOracle(std::span<const Document> documents, RougeScore score) : score_(score) {
  for (const Document& document : documents) {
    documents_.push_back({document.candidate, std::string(document.key), text::rouge_tokens(document.text, true)});
  }
}

double RougeOracle::score(const std::vector<std::string>& query, const std::vector<std::string>& text) const {
  const text::Prf prf = text::prf({lcs(std::span(query), std::span(text)), query.size(), text.size()});
  return score_ == RougeScore::kF ? prf.f : prf.r;
}

std::vector<std::vector<Hit>> RougeOracle::top(std::span<const Query> queries, std::size_t k) const {
  struct Scored {
    double score;
    const Tokenized* document;
  };
  std::vector<std::vector<Hit>> result;
  for (const Query& query : queries) {
    const std::vector<std::string> tokens = text::rouge_tokens(query.text, true);
    std::vector<Scored> scored;
    for (const Tokenized& document : documents_) {
      const double s = score(tokens, document.tokens);
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
