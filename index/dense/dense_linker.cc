#include "index/dense/dense_linker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "index/dense/cosine.h"

namespace residue::index {
namespace {

constexpr std::size_t kBlockQueries = 336;                // of one task; a multiple of every kernel's width
constexpr std::size_t kTileBytes = std::size_t{1} << 19;  // of candidates, to stay in the second-level cache

[[noreturn]] void misuse(const char* what) { throw Error(Code::kInternal, what, "please report this"); }

std::size_t panels_for(std::size_t vectors, std::size_t width) { return (vectors + width - 1) / width; }

// Writes `vector` / |vector| as column `column` of a panel.
void put_column(const float* vector, double norm, std::size_t dimension, std::size_t width, std::size_t column,
                float* panel) {
  const double scale = 1.0 / std::sqrt(norm);
  for (std::size_t i = 0; i < dimension; ++i) panel[i * width + column] = static_cast<float>(vector[i] * scale);
}

// The vectors that can still be among the best k of one query, by their products.
class Shortlist {
 public:
  Shortlist(std::size_t k, double slack) : k_(k), slack_(slack), limit_(std::max<std::size_t>(4 * k, 64)) {}

  struct Entry {
    float product;
    std::uint32_t vector;
  };

  // A vector whose product is smaller cannot be a hit, nor tie with one.
  [[nodiscard]] float floor() const { return floor_; }

  void add(float product, std::uint32_t vector) {
    entries_.push_back({product, vector});
    if (entries_.size() >= limit_) settle();
  }

  // k vectors have cosines of at least the k-th product less the error; who has such a cosine has a product of at least
  // that less the error once more.
  const std::vector<Entry>& settle() {
    if (entries_.size() >= k_) {
      const auto kth = entries_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
      std::nth_element(entries_.begin(), kth, entries_.end(),
                       [](const Entry& a, const Entry& b) { return a.product > b.product; });
      const double exact = static_cast<double>(kth->product) - slack_;
      floor_ = static_cast<float>(exact);
      if (static_cast<double>(floor_) > exact) floor_ = std::nextafter(floor_, -std::numeric_limits<float>::infinity());
      std::erase_if(entries_, [this](const Entry& entry) { return entry.product < floor_; });
    }
    limit_ = std::max(limit_, 2 * entries_.size());  // many near ties: rarer and rarer
    return entries_;
  }

 private:
  std::size_t k_;
  double slack_;
  std::size_t limit_;
  float floor_ = -std::numeric_limits<float>::infinity();
  std::vector<Entry> entries_;
};

}  // namespace

double dense_error(std::size_t dimension) {
  constexpr double kUnit = 0x1p-24;
  return 1.01 * static_cast<double>(dimension + 4) * kUnit;
}

// Some queries, what is known of them, and their panels.
struct DenseIndex::Block {
  struct Scored {
    double score;
    std::uint32_t vector;
  };
  std::span<const float> queries;
  std::vector<double> norms;
  std::vector<Shortlist> lists;
  std::vector<float> floors;  // of whole panels; above all products where there is no query
  std::vector<Scored> scored;
};

DenseIndex::DenseIndex(CandidateTable candidates, std::span<const CandidateId> ids, std::span<const float> values,
                       std::size_t dimension, const DenseKernel* kernel)
    : candidates_(std::move(candidates)),
      dimension_(dimension),
      kernel_(kernel != nullptr ? kernel : &dense_kernels().back()) {
  if (dimension == 0 || dimension > kMaxDimension) misuse("dense: the dimension is out of range");
  if (values.size() != ids.size() * dimension) misuse("dense: the vectors do not fit their ids");
  gather(ids, values);
  pack();
}

void DenseIndex::gather(std::span<const CandidateId> ids, std::span<const float> values) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> row_of(candidates_->size(), kNone);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const auto rank = candidates_->rank(ids[row]);
    if (!rank || row_of[*rank] != kNone) misuse("dense: a candidate is unknown or occurs twice");
    row_of[*rank] = static_cast<std::uint32_t>(row);
  }
  const std::size_t bytes = dimension_ * sizeof(float);
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> vector_of(row_of.size(), kNone);
  for (std::size_t rank = 0; rank < row_of.size(); ++rank) {
    if (row_of[rank] == kNone) continue;
    const float* row = values.data() + row_of[rank] * dimension_;
    const double norm = dot(row, row, dimension_);
    if (!std::isfinite(norm)) misuse("dense: a vector is not finite");
    if (norm == 0) continue;
    const std::uint64_t hash = hash_bytes({reinterpret_cast<const char*>(row), bytes});
    const auto [begin, end] = known.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return std::memcmp(values_.data() + entry.second * dimension_, row, bytes) == 0;
    });
    vector_of[rank] = same != end ? same->second : static_cast<std::uint32_t>(norms_.size());
    if (same != end) continue;
    known.emplace(hash, vector_of[rank]);
    norms_.push_back(norm);
    values_.insert(values_.end(), row, row + dimension_);
  }
  first_.assign(norms_.size() + 1, 0);
  for (const std::uint32_t vector : vector_of) {
    if (vector != kNone) ++first_[vector + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  ranks_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t rank = 0; rank < vector_of.size(); ++rank) {
    if (vector_of[rank] != kNone) ranks_[next[vector_of[rank]]++] = static_cast<std::uint32_t>(rank);
  }
}

void DenseIndex::pack() {
  const std::size_t width = kernel_->candidates;
  const std::size_t panel_floats = width * dimension_;
  const std::size_t panels = panels_for(different(), width);
  panels_ = make_panels(panels * panel_floats);
  parallel_ranges(panels, 16, [&](const TaskRange& range) {
    std::fill_n(panels_.get() + range.begin() * panel_floats, range.size() * panel_floats, 0.0F);
    const std::size_t end = std::min(range.end() * width, different());
    for (std::size_t v = range.begin() * width; v < end; ++v) {
      put_column(values_.data() + v * dimension_, norms_[v], dimension_, width, v % width,
                 panels_.get() + v / width * panel_floats);
    }
  });
}

std::vector<std::vector<Hit>> DenseIndex::top(std::span<const float> queries, std::size_t k) const {
  if (queries.size() % dimension_ != 0) misuse("dense: the queries do not fit the dimension");
  const std::size_t count = queries.size() / dimension_;
  std::vector<std::vector<Hit>> hits(count);
  if (k == 0 || different() == 0) return hits;
  const std::size_t blocks = panels_for(count, kBlockQueries);
  parallel_ranges(blocks, 1, [&](const TaskRange& range) {
    for (std::size_t block = range.begin(); block < range.end(); ++block) {
      const std::size_t begin = block * kBlockQueries;
      const std::size_t size = std::min(kBlockQueries, count - begin);
      search(queries.subspan(begin * dimension_, size * dimension_), k, std::span(hits).subspan(begin, size));
    }
  });
  return hits;
}

void DenseIndex::search(std::span<const float> queries, std::size_t k, std::span<std::vector<Hit>> hits) const {
  const std::size_t rows = kernel_->queries;
  const std::size_t columns = kernel_->candidates;
  const std::size_t query_panels = panels_for(hits.size(), rows);
  const PanelFloats panels = make_panels(query_panels * rows * dimension_);
  std::fill_n(panels.get(), query_panels * rows * dimension_, 0.0F);
  Block block{.queries = queries,
              .norms = {},
              .lists = std::vector<Shortlist>(hits.size(), Shortlist(k, 2 * dense_error(dimension_))),
              .floors = std::vector<float>(query_panels * rows, std::numeric_limits<float>::infinity()),
              .scored = {}};
  for (std::size_t q = 0; q < hits.size(); ++q) {
    const float* query = queries.data() + q * dimension_;
    block.norms.push_back(dot(query, query, dimension_));
    if (!std::isfinite(block.norms[q])) misuse("dense: a query is not finite");
    if (block.norms[q] == 0) continue;
    block.floors[q] = block.lists[q].floor();
    put_column(query, block.norms[q], dimension_, rows, q % rows, panels.get() + q / rows * rows * dimension_);
  }
  std::vector<float> products(rows * columns);
  const std::size_t all = panels_for(different(), columns);
  const std::size_t tile = std::max<std::size_t>(1, kTileBytes / (columns * dimension_ * sizeof(float)));
  for (std::size_t begin = 0; begin < all; begin += tile) {
    for (std::size_t p = 0; p < query_panels; ++p) {
      for (std::size_t panel = begin; panel < std::min(all, begin + tile); ++panel) {
        std::uint32_t found =
            kernel_->multiply(panels.get() + p * rows * dimension_, panels_.get() + panel * columns * dimension_,
                              dimension_, block.floors.data() + p * rows, products.data());
        const std::size_t valid = std::min(columns, different() - panel * columns);
        for (std::size_t row = 0; found != 0; ++row, found >>= 1U) {
          if ((found & 1U) == 0) continue;
          Shortlist& list = block.lists[p * rows + row];
          for (std::size_t c = 0; c < valid; ++c) {
            const float product = products[row * columns + c];
            if (product >= list.floor()) list.add(product, static_cast<std::uint32_t>(panel * columns + c));
          }
          block.floors[p * rows + row] = list.floor();
        }
      }
    }
  }
  for (std::size_t q = 0; q < hits.size(); ++q) expand(block, q, k, hits[q]);
}

// The cosines of a query's shortlist, and of the best of them the candidates that have these vectors.
void DenseIndex::expand(Block& block, std::size_t query, std::size_t k, std::vector<Hit>& hits) const {
  if (block.norms[query] == 0) return;
  const float* values = block.queries.data() + query * dimension_;
  auto& scored = block.scored;
  scored.clear();
  for (const auto& [product, vector] : block.lists[query].settle()) {
    const double product_of_both = dot(values, values_.data() + vector * dimension_, dimension_);
    scored.push_back({cosine(product_of_both, block.norms[query], norms_[vector]), vector});
  }
  std::sort(scored.begin(), scored.end(),
            [](const auto& a, const auto& b) { return a.score != b.score ? a.score > b.score : a.vector < b.vector; });
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = 0; i < scored.size() && hits.size() < k;) {
    const double score = scored[i].score;
    const std::size_t wanted = k - hits.size();
    std::size_t equal = 0;
    ranks.clear();
    for (; i < scored.size() && scored[i].score == score; ++i) {
      const auto begin = ranks_.begin() + first_[scored[i].vector];
      const std::size_t size = first_[scored[i].vector + 1] - first_[scored[i].vector];
      ranks.insert(ranks.end(), begin, begin + static_cast<std::ptrdiff_t>(std::min(size, wanted)));
      equal += size;
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.resize(std::min(ranks.size(), wanted));
    for (const std::uint32_t rank : ranks) {
      hits.push_back({candidates_->id(rank), score, static_cast<std::uint32_t>(equal - 1)});
    }
  }
}

}  // namespace residue::index
