#include "index/bm25_kernel/bm25_block.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "index/bm25.h"

namespace residue::index {
namespace {

constexpr std::uint8_t kLarge = 255;
constexpr std::size_t kMinSlots = 1024;

std::size_t whole_chunks(std::size_t n) { return (n + kChunk - 1) / kChunk * kChunk; }

}  // namespace

void QueryTerms::set(std::span<const std::uint32_t> terms, std::span<const double> weights) {
  const std::size_t wanted = std::max(kMinSlots, std::bit_ceil(terms.size() * 4));
  slots_.assign(wanted, 0);
  mask_ = wanted - 1;
  terms_ = terms;
  weights_ = weights;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    std::size_t at = terms[i] & mask_;
    while (slots_[at] != 0) at = (at + 1) & mask_;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

Block::Block(std::uint32_t first, std::uint32_t documents)
    : first_(first), size_(documents), width_(whole_chunks(documents)), maxima_width_(whole_chunks(width_ / kChunk)) {}

void Block::reserve(std::size_t postings) {
  documents_.reserve(postings);
  impacts_.reserve(postings);
}

void Block::finish(std::span<const LargeTf> large, std::span<const double> norms,
                   std::span<const std::uint32_t> row_terms) {
  large_ = large;
  norms_ = norms;
  order_by_document();
  for (std::uint32_t term = 0, at = 0; term < ends_.size(); ++term) {
    for (; at < ends_[term]; ++at) {
      const std::uint32_t tf = impacts_[at] == kLarge ? exact_tf(documents_[at], term) : impacts_[at];
      const double saturation = bm25_saturation(tf, norms_[first_ + documents_[at]]);
      impacts_[at] = static_cast<std::uint8_t>(std::ceil(saturation * 255));
    }
  }
  rows_.assign(row_terms.size() * width_, 0);
  row_maxima_.assign(row_terms.size() * maxima_width_, 0);
  for (std::size_t row = 0; row < row_terms.size(); ++row) {
    const List from = list(row_terms[row]);
    std::uint8_t* const impacts = rows_.data() + row * width_;
    std::uint8_t* const maxima = row_maxima_.data() + row * maxima_width_;
    for (std::size_t i = 0; i < from.size; ++i) {
      impacts[from.documents[i]] = from.impacts[i];
      std::uint8_t& most = maxima[from.documents[i] / kChunk];
      most = std::max(most, from.impacts[i]);
    }
  }
}

void Block::order_by_document() {
  document_ends_.assign(size_ + std::size_t{1}, 0);
  for (const std::uint16_t document : documents_) ++document_ends_[document + std::size_t{1}];
  for (std::size_t i = 0; i < size_; ++i) document_ends_[i + 1] += document_ends_[i];
  terms_.resize(documents_.size());
  tfs_.resize(documents_.size());
  // Each document's end moves from where its terms begin to where they end.
  for (std::uint32_t term = 0, at = 0; term < ends_.size(); ++term) {
    for (; at < ends_[term]; ++at) {
      const std::uint32_t to = document_ends_[documents_[at]]++;
      terms_[to] = term;
      tfs_[to] = impacts_[at];
    }
  }
}

std::uint32_t Block::exact_tf(std::uint32_t document, std::uint32_t term) const {
  const LargeTf wanted{first_ + document, term, 0};
  return std::lower_bound(
             large_.begin(), large_.end(), wanted,
             [](const LargeTf& a, const LargeTf& b) { return a.rank != b.rank ? a.rank < b.rank : a.term < b.term; })
      ->tf;
}

double Block::score(const QueryTerms& query, std::uint32_t document) const {
  double sum = 0;
  const double norm = norms_[first_ + document];
  for (std::uint32_t i = document == 0 ? 0 : document_ends_[document - 1]; i < document_ends_[document]; ++i) {
    const double* const weight = query.find(terms_[i]);
    if (weight == nullptr) continue;
    const std::uint32_t tf = tfs_[i] == kLarge ? exact_tf(document, terms_[i]) : tfs_[i];
    sum += bm25_part(*weight, tf, norm);
  }
  return sum;
}

void Block::read(std::uint32_t document, std::vector<DocumentTerm>& out) const {
  out.clear();
  for (std::uint32_t i = document == 0 ? 0 : document_ends_[document - 1]; i < document_ends_[document]; ++i) {
    out.push_back({terms_[i], tfs_[i] == kLarge ? exact_tf(document, terms_[i]) : tfs_[i]});
  }
}

}  // namespace residue::index
