// The machine's single-precision matrix product, as a tuned library does it.
#pragma once

#include <cstddef>
#include <string>

namespace residue::bench {

// c (m x n, rows) = a (m x k, rows) times the transpose of b (n x k, rows), on one thread.
void peer_product(const float* a, const float* b, float* c, std::size_t m, std::size_t n, std::size_t k);

// The library, and the kind of CPU it takes this one for.
std::string peer_name();

}  // namespace residue::bench
