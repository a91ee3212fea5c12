#include "text/predict/word_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace residue::text {
namespace {

constexpr int kIterations = 4;

struct Entry {
  std::uint32_t column = 0;
  double value = 0;
};

// Rows of a sparse matrix.
struct Sparse {
  std::vector<std::size_t> from{0};
  std::vector<Entry> entries;
  std::size_t columns = 0;

  [[nodiscard]] std::size_t rows() const { return from.size() - 1; }
};

// Row-major, `width` columns.
using Dense = std::vector<double>;

Dense times(const Sparse& matrix, const Dense& right, std::size_t width) {
  Dense out(matrix.rows() * width, 0);
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t e = matrix.from[r]; e < matrix.from[r + 1]; ++e) {
      const double value = matrix.entries[e].value;
      const double* row = &right[matrix.entries[e].column * width];
      for (std::size_t d = 0; d < width; ++d) out[r * width + d] += value * row[d];
    }
  }
  return out;
}

Dense transposed_times(const Sparse& matrix, const Dense& right, std::size_t width) {
  Dense out(matrix.columns * width, 0);
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t e = matrix.from[r]; e < matrix.from[r + 1]; ++e) {
      const double value = matrix.entries[e].value;
      double* row = &out[matrix.entries[e].column * width];
      for (std::size_t d = 0; d < width; ++d) row[d] += value * right[r * width + d];
    }
  }
  return out;
}

// Gram and Schmidt, twice, as once loses digits. A direction that the others contain becomes zero.
void orthonormalize(Dense& columns, std::size_t width) {
  const std::size_t rows = columns.size() / width;
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += columns[r * width + a] * columns[r * width + b];
    return sum;
  };
  for (std::size_t d = 0; d < width; ++d) {
    const double before = std::sqrt(product(d, d));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t other = 0; other < d; ++other) {
        const double share = product(d, other);
        for (std::size_t r = 0; r < rows; ++r) columns[r * width + d] -= share * columns[r * width + other];
      }
    }
    const double length = std::sqrt(product(d, d));
    const double scale = length > before * 1e-10 && length > 0 ? 1 / length : 0;
    for (std::size_t r = 0; r < rows; ++r) columns[r * width + d] *= scale;
  }
}

struct Count {
  std::uint32_t row = 0, column = 0, times = 0;
};

// Words by their neighbours: columns [0, n) are those behind a word, [n, 2n) those before it.
Sparse information(const WordModel& model, std::span<const WordId> words, const std::vector<std::uint32_t>& place) {
  const auto n = static_cast<std::uint32_t>(words.size());
  std::vector<Count> counts;
  for (std::uint32_t i = 0; i < n; ++i) {
    model.each_behind(words[i], [&](WordId next, std::uint32_t times) {
      const std::uint32_t j = next < place.size() ? place[next] : ~std::uint32_t{0};
      if (j >= n || times == 0) return;
      counts.push_back({i, j, times});
      counts.push_back({j, n + i, times});
    });
  }
  std::vector<double> of_row(n, 0), of_column(2 * std::size_t{n}, 0);
  double all = 0;
  for (const Count& count : counts) {
    of_row[count.row] += count.times;
    of_column[count.column] += count.times;
    all += count.times;
  }
  std::sort(counts.begin(), counts.end(),
            [](const Count& a, const Count& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  Sparse matrix;
  matrix.columns = of_column.size();
  std::size_t at = 0;
  for (std::uint32_t r = 0; r < n; ++r) {
    for (; at < counts.size() && counts[at].row == r; ++at) {
      const double bits = std::log(counts[at].times * all / (of_row[r] * of_column[counts[at].column]));
      if (bits > 0) matrix.entries.push_back({counts[at].column, bits});
    }
    matrix.from.push_back(matrix.entries.size());
  }
  return matrix;
}

}  // namespace

WordVectors::WordVectors(const WordModel& model, const Options& options) : dimensions_(options.dimensions) {
  const auto words = model.by_use().first(std::min(options.words, model.by_use().size()));
  place_.assign(model.words(), kNone);
  for (std::size_t i = 0; i < words.size(); ++i) place_[words[i]] = static_cast<std::uint32_t>(i);
  const Sparse matrix = information(model, words, place_);
  Dense basis(matrix.columns * dimensions_);
  // Words have no order of their own, and their spelling is what stays: directions depend on it alone.
  for (std::size_t c = 0; c < matrix.columns; ++c) {
    const std::string_view word = model.word(words[c % words.size()]);
    for (std::size_t d = 0; d < dimensions_; ++d) {
      basis[c * dimensions_ + d] = 2 * unit_draw(hash_of(c < words.size() ? 1 : 2, word, d)) - 1;
    }
  }
  orthonormalize(basis, dimensions_);
  for (int i = 0; i < kIterations; ++i) {
    basis = transposed_times(matrix, times(matrix, basis, dimensions_), dimensions_);
    orthonormalize(basis, dimensions_);
  }
  vectors_ = times(matrix, basis, dimensions_);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!normalize(i)) place_[words[i]] = kNone;
  }
}

WordVectors::WordVectors(Given given) : dimensions_(given.dimensions), vectors_(std::move(given.numbers)) {
  for (std::size_t i = 0; i < given.words.size(); ++i) {
    const WordId word = given.words[i];
    if (word >= place_.size()) place_.resize(word + 1, kNone);
    if (place_[word] == kNone && normalize(i)) place_[word] = static_cast<std::uint32_t>(i);
  }
}

bool WordVectors::normalize(std::size_t row) {
  double* vector = &vectors_[row * dimensions_];
  double square = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) square += vector[d] * vector[d];
  if (square < 1e-20) return false;
  for (std::size_t d = 0; d < dimensions_; ++d) vector[d] /= std::sqrt(square);
  return true;
}

double WordVectors::distance(WordId a, WordId b) const {
  double out = 0;
  distances(a, {&b, 1}, {&out, 1});
  return out;
}

// Sums of several words side by side, each in the order of the dimensions, wait for each other less.
void WordVectors::distances(WordId a, std::span<const WordId> others, std::span<double> out) const {
  constexpr std::size_t kAtOnce = 4;
  const double* x = vector(a);
  for (std::size_t first = 0; first < others.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, others.size() - first);
    std::array<const double*, kAtOnce> y;
    y.fill(x);
    for (std::size_t i = 0; i < count; ++i) y[i] = vector(others[first + i]);
    std::array<double, kAtOnce> cosines{};
    for (std::size_t d = 0; d < dimensions_; ++d) {
      for (std::size_t i = 0; i < kAtOnce; ++i) cosines[i] += x[d] * y[i][d];
    }
    for (std::size_t i = 0; i < count; ++i) out[first + i] = 1 - std::clamp(cosines[i], -1.0, 1.0);
  }
}

}  // namespace residue::text
