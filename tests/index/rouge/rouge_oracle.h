// ROUGE-L linking by definition, over texts in memory: what the fast linker must equal bit for bit. Slow and obviously
// right.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/linker.h"
#include "index/rouge/rouge_best.h"

namespace residue::index {

// Length of the longest common subsequence by the two rows of the dynamic programme.
std::uint32_t lcs_by_rows(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

class RougeOracle final : public Linker {
 public:
  struct Document {
    CandidateId candidate;
    std::string_view key;
    std::string_view text;
  };

  // Keys are copied, texts tokenized.
  RougeOracle(std::span<const Document> documents, RougeScore score);

  // Cost: every query against every document, tokens times tokens.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

 private:
  struct Tokenized {
    CandidateId candidate;
    std::string key;
    std::vector<std::uint32_t> tokens;
  };

  // Every word of the texts has a number; words of queries that no text has share one.
  [[nodiscard]] std::vector<std::uint32_t> numbers(std::string_view text) const;

  RougeScore score_;
  std::map<std::string, std::uint32_t> number_of_;
  std::vector<Tokenized> documents_;
};

}  // namespace residue::index
