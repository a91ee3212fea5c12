// A query of the BM25 kernel in integers: weights whose sums, in units of 1 / scale, are never below a score.
//
//   bound(d) = sum over lists of ceil(impact * weight / 256) + per group of rows up(sum of impact * weight * factor)
//
// with 255 * saturation <= impact, so that bound(d) >= scale * score(d) for every document d.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace residue::index {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

// A term as the kernel knows it, for all queries.
struct TermFacts {
  double idf = 0;
  std::uint32_t row = kNoRow;
  std::uint8_t max_impact = 0;  // 0: no document has it
};

class QueryBounds {
 public:
  struct List {
    std::uint32_t term;
    std::uint32_t weight;
  };
  struct Row {
    std::uint32_t row;
    std::uint8_t weight;
  };
  struct Group {  // of rows
    std::uint32_t first, count;
    std::uint16_t factor;
  };

  // `weights` (idf * wqf) and `facts` in the order of `terms`. False if there are too many terms for bounds that help.
  bool set(std::span<const std::uint32_t> terms, std::span<const double> weights, std::span<const TermFacts> facts);

  // The smallest bound that a document of this score can have: at least 1.
  [[nodiscard]] std::uint32_t units(double score) const;

  [[nodiscard]] std::span<const List> lists() const { return lists_; }
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }
  [[nodiscard]] std::span<const Group> groups() const { return groups_; }

 private:
  struct Member {
    double weight;
    std::uint8_t max_impact;
  };
  // Appends the weights of one group; returns the units per score of its sums.
  double add_group(std::span<const Member> members);
  // The bound of a document that has all terms, at their best, in units of `scale_`.
  double rescale(std::span<const double> weights, std::span<const TermFacts> facts);

  double scale_ = 0;
  std::vector<List> lists_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
  std::vector<Member> members_;
  std::vector<double> group_scales_;
  std::vector<std::uint32_t> group_sums_;
};

}  // namespace residue::index
