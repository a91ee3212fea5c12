// What makes Eigen's sums the same everywhere.
#pragma once

namespace residue::numbers {

// Eigen cuts its products by the sizes of the caches that it finds, which changes the order of sums: to be called
// before the first product of a computation. From any thread.
void fix_eigen_blocks();

}  // namespace residue::numbers
