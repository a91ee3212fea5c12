#include "numbers/learn/principal_components.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/error.h"
#include "numbers/learn/eigen_settings.h"

namespace residue::numbers {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

Solver solve(const Eigen::MatrixXd& matrix) {
  Solver solver(matrix);
  if (solver.info() != Eigen::Success) throw Error(Code::kInternal, "principal components: no eigenvalues found");
  return solver;
}

// How many of the ascending `variances`, from the last, make up that share.
Eigen::Index leading(const Eigen::VectorXd& variances, double explained) {
  const double whole = variances.cwiseMax(0.0).sum();
  double sum = 0;
  Eigen::Index count = 0;
  while (count < variances.size()) {
    sum += std::max(0.0, variances[variances.size() - 1 - count]);
    ++count;
    if (sum >= explained * whole) break;
  }
  return count;
}

}  // namespace

void fix_eigen_blocks() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20); });
}

Projection principal_components(std::span<const double> points, std::size_t dimension, double explained) {
  fix_eigen_blocks();
  const auto d = static_cast<Eigen::Index>(dimension);
  const auto n = static_cast<Eigen::Index>(points.size() / dimension);
  Eigen::MatrixXd centred = Eigen::Map<const Matrix>(points.data(), n, d);
  const Eigen::RowVectorXd mean = centred.colwise().mean();
  centred.rowwise() -= mean;

  Matrix projected;
  if (d <= n) {
    const Solver solver = solve(centred.transpose() * centred);
    const Eigen::Index kept = leading(solver.eigenvalues(), explained);
    projected = centred * solver.eigenvectors().rightCols(kept).rowwise().reverse();
  } else {
    const Solver solver = solve(centred * centred.transpose());
    const Eigen::Index kept = leading(solver.eigenvalues(), explained);
    const Eigen::VectorXd lengths = solver.eigenvalues().tail(kept).reverse().cwiseMax(0.0).cwiseSqrt();
    projected = solver.eigenvectors().rightCols(kept).rowwise().reverse() * lengths.asDiagonal();
  }
  Projection result;
  result.dimension = static_cast<std::size_t>(projected.cols());
  result.points.assign(projected.data(), projected.data() + projected.size());
  return result;
}

}  // namespace residue::numbers
