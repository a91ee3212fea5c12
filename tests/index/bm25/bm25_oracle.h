// BM25 by definition, over texts in memory: what every fast linker must equal bit for bit. Slow and obviously right.
// It lives here and not in tests/ because the tests and benchmarks of other layers compare with it too.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bm25.h"
#include "index/linker.h"
#include "text/words/analyzer.h"

namespace residue::index {

class Bm25Oracle final : public Linker {
 public:
  struct Document {
    CandidateId candidate;
    std::string_view key;
    std::string_view text;
  };

  // The analyzer must outlive the oracle; keys and texts are copied.
  Bm25Oracle(std::span<const Document> documents, const text::Analyzer& analyzer, Bm25Options options = {});

  // Cost: every query looks at every document.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

 private:
  using Counts = std::map<std::string, std::uint32_t>;  // term -> occurrences, in byte order

  struct Counted {
    CandidateId candidate;
    std::string key;
    Counts terms;
    std::uint64_t length = 0;
  };

  [[nodiscard]] Counts count(std::string_view text) const;
  [[nodiscard]] std::uint64_t kept_length(std::uint64_t length) const;
  [[nodiscard]] double score(const Counts& query, const Counted& document) const;

  const text::Analyzer& analyzer_;
  Bm25Options options_;
  std::vector<Counted> documents_;  // those with at least one term
  Counts containing_;               // documents per term
  double average_ = 0;
};

}  // namespace residue::index
