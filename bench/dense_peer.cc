#include "bench/dense_peer.h"

#include <cblas.h>

namespace residue::bench {

void peer_product(const float* a, const float* b, float* c, std::size_t m, std::size_t n, std::size_t k) {
  openblas_set_num_threads(1);
  const auto rows = static_cast<blasint>(m);
  const auto columns = static_cast<blasint>(n);
  const auto depth = static_cast<blasint>(k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, depth, 1.0F, a, depth, b, depth, 0.0F, c,
              columns);
}

std::string peer_name() { return std::string("openblas/") + openblas_get_corename(); }

}  // namespace residue::bench
