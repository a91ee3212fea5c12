#include "numbers/learn/lsa.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "numbers/learn/eigen_settings.h"

namespace residue::numbers {
namespace {

using Dense = Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr std::size_t kExact = 500;
constexpr std::size_t kMore = 10;
constexpr int kRounds = 6;
constexpr double kNothing = 1e-7;  // of the first singular value

// An orthonormal basis of what the columns span.
Dense orthonormal(const Dense& columns) {
  return Eigen::HouseholderQR<Dense>(columns).householderQ() * Dense::Identity(columns.rows(), columns.cols());
}

Dense seeded(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Dense matrix(rows, columns);
  std::uint64_t n = 0;
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      matrix(i, j) = 2 * unit_draw(mix(mix(seed) ^ ++n)) - 1;
    }
  }
  return matrix;
}

Sparse eigen_matrix(const SparseMatrix& matrix) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    for (const auto& [column, value] : matrix.rows[i]) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(column), value);
    }
  }
  Sparse result(static_cast<Eigen::Index>(matrix.rows.size()), static_cast<Eigen::Index>(matrix.columns));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

// Adds a term's share of a text's topics.
void add_scaled(std::span<const double> vector, double weight, std::vector<double>& sum) {
  for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += weight * vector[t];
}

double weight_of(std::uint32_t times, double rarity) { return (1 + std::log(static_cast<double>(times))) * rarity; }

}  // namespace

RightVectors truncated_svd(const SparseMatrix& matrix, std::size_t rank, std::uint64_t seed) {
  const std::size_t shorter = std::min(matrix.rows.size(), matrix.columns);
  if (shorter == 0 || rank == 0) return {};
  fix_eigen_blocks();
  const bool exact = shorter <= kExact;
  const auto width = static_cast<Eigen::Index>(exact ? shorter : std::min(shorter, rank + kMore));
  const Sparse a = eigen_matrix(matrix);
  const Sparse transposed = a.transpose();

  Dense basis = orthonormal(a * seeded(a.cols(), width, seed));
  for (int round = 0; round < (exact ? 0 : kRounds); ++round) {
    const Dense right = orthonormal(transposed * basis);
    basis = orthonormal(a * right);
  }
  const Dense rest = transposed * basis;
  const Eigen::SelfAdjointEigenSolver<Dense> solver(rest.transpose() * rest);
  if (solver.info() != Eigen::Success) throw Error(Code::kInternal, "topics: no eigenvalues found");

  RightVectors result;
  const double first = std::sqrt(std::max(0.0, solver.eigenvalues()[width - 1]));
  for (Eigen::Index j = width - 1; j >= 0 && result.singular_values.size() < rank; --j) {
    const double value = std::sqrt(std::max(0.0, solver.eigenvalues()[j]));
    if (value == 0 || value < kNothing * first) break;
    result.singular_values.push_back(value);
  }
  const std::size_t found = result.singular_values.size();
  result.vectors.resize(matrix.columns * found);
  for (std::size_t k = 0; k < found; ++k) {
    Eigen::VectorXd vector = rest * solver.eigenvectors().col(width - 1 - static_cast<Eigen::Index>(k));
    vector /= result.singular_values[k];
    Eigen::Index greatest = 0;
    vector.cwiseAbs().maxCoeff(&greatest);
    if (vector[greatest] < 0) vector = -vector;
    for (std::size_t i = 0; i < matrix.columns; ++i) {
      result.vectors[i * found + k] = vector[static_cast<Eigen::Index>(i)];
    }
  }
  return result;
}

TopicSpace::TopicSpace(std::size_t documents,
                       const std::function<void(std::size_t, std::vector<std::string>&)>& terms_of,
                       const LsaOptions& options) {
  SparseMatrix matrix;
  matrix.rows.resize(documents);
  std::vector<std::uint32_t> frequency;
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < documents; ++i) {
    terms.clear();
    terms_of(i, terms);
    for (const std::string& term : terms) number_.emplace(term, static_cast<std::uint32_t>(number_.size()));
    frequency.resize(number_.size());
    for (const auto& [term, times] : counts_of(terms)) {
      ++frequency[term];
      matrix.rows[i].push_back({term, static_cast<double>(times)});
    }
    std::sort(matrix.rows[i].begin(), matrix.rows[i].end(),
              [](const auto& a, const auto& b) { return a.column < b.column; });
  }
  for (const std::uint32_t in : frequency) {
    rarity_.push_back(1 + std::log(static_cast<double>(1 + documents) / static_cast<double>(1 + in)));
  }
  for (auto& row : matrix.rows) {
    double square = 0;
    for (auto& [term, value] : row) {
      value = weight_of(static_cast<std::uint32_t>(value), rarity_[term]);
      square += value * value;
    }
    for (auto& entry : row) entry.value /= std::sqrt(square);
  }
  matrix.columns = number_.size();
  vectors_ = truncated_svd(matrix, options.topics, options.seed);
}

TopicSpace::Counts TopicSpace::counts_of(std::span<const std::string> terms) const {
  Counts counts;
  for (const std::string& term : terms) {
    if (const auto known = number_.find(term); known != number_.end()) ++counts[known->second];
  }
  return counts;
}

std::vector<double> TopicSpace::of(std::span<const std::string> terms) const {
  const Counts counts = counts_of(terms);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted = [&] {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(counts.begin(), counts.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }();
  std::vector<double> sum(topics(), 0.0);
  for (const auto& [term, times] : sorted) {
    add_scaled(std::span(vectors_.vectors).subspan(term * topics(), topics()), weight_of(times, rarity_[term]), sum);
  }
  return sum;
}

}  // namespace residue::numbers
