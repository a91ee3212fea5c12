#include "index/bm25_kernel/bm25_places.h"

#include "index/bm25.h"

namespace residue::index {

ExactPostings::ExactPostings(const Block& block, std::span<const double> norms, std::size_t terms) : begin_(terms + 1) {
  for (std::uint32_t term = 0; term < terms; ++term) {
    begin_[term + 1] = begin_[term] + static_cast<std::uint32_t>(block.list(term).size);
  }
  documents_.resize(begin_[terms]);
  saturations_.resize(begin_[terms]);
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  std::vector<DocumentTerm> read;
  for (std::uint32_t document = 0; document < block.size(); ++document) {
    block.read(document, read);
    const double norm = norms[block.first() + document];
    for (const DocumentTerm& one : read) {
      const std::uint32_t at = next[one.term]++;
      documents_[at] = static_cast<std::uint16_t>(document);
      saturations_[at] = bm25_saturation(one.tf, norm);
    }
  }
}

void ExactPostings::add(std::uint32_t term, double weight, double* sums) const {
  for (std::uint32_t i = begin_[term]; i < begin_[term + 1]; ++i) sums[documents_[i]] += weight * saturations_[i];
}

void count_scores(std::span<const double> sums, double score, Place& place) {
  std::uint64_t more = 0, as_much = 0;
  for (const double sum : sums) {
    more += sum > score ? 1 : 0;
    as_much += sum == score ? 1 : 0;
  }
  place.ahead += static_cast<std::uint32_t>(more);
  place.level += static_cast<std::uint32_t>(as_much);
}

}  // namespace residue::index
