#include "tests/index/rouge/rouge_oracle.h"

#include <algorithm>
#include <string>

#include "text/encodings/decoded.h"
#include "text/measures/rouge.h"

namespace residue::index {
std::uint32_t lcs_by_rows(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<std::uint32_t> above(b.size() + 1);
  std::vector<std::uint32_t> row(b.size() + 1);
  for (const std::uint32_t token : a) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = token == b[j] ? above[j] + 1 : std::max(row[j], above[j + 1]);
    }
    above.swap(row);
  }
  return above.back();
}

RougeOracle::RougeOracle(std::span<const Document> documents, RougeScore score) : score_(score) {
  std::string store;
  for (const Document& document : documents) {
    for (const std::string& word : text::rouge_tokens(text::compared(document.text, store), true)) {
      number_of_.emplace(word, static_cast<std::uint32_t>(number_of_.size()));
    }
    documents_.push_back({document.candidate, std::string(document.key), numbers(document.text)});
  }
}

std::vector<std::uint32_t> RougeOracle::numbers(std::string_view text) const {
  std::vector<std::uint32_t> result;
  std::string store;
  for (const std::string& word : text::rouge_tokens(text::compared(text, store), true)) {
    const auto found = number_of_.find(word);
    result.push_back(found == number_of_.end() ? ~std::uint32_t{0} : found->second);
  }
  return result;
}

std::vector<std::vector<Hit>> RougeOracle::top(std::span<const Query> queries, std::size_t k) const {
  struct Scored {
    double score;
    const Tokenized* document;
  };
  std::vector<std::vector<Hit>> result;
  for (const Query& query : queries) {
    const std::vector<std::uint32_t> tokens = numbers(query.text);
    std::vector<Scored> scored;
    for (const Tokenized& document : documents_) {
      const auto common = lcs_by_rows(tokens, document.tokens);
      const text::Prf prf = text::prf({common, tokens.size(), document.tokens.size()});
      const double s = score_ == RougeScore::kF ? prf.f : prf.r;
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
