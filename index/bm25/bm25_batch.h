// The kernel over a run's index: terms as numbers, postings read out of Xapian once.
// Behind the Xapian wall (index/xapian_db.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "index/bm25/bm25_index.h"
#include "index/bm25/term_table.h"
#include "index/bm25_kernel/bm25_kernel.h"

namespace residue::index {

class Bm25Batch {
 public:
  // Reads all postings, in parallel; the index must outlive it.
  Bm25Batch(const Bm25Index& index, const KernelOptions& options);

  // Distinct terms of the index among `terms`, as the kernel wants them.
  [[nodiscard]] std::vector<KernelTerm> numbered(std::span<const std::string> terms) const;

  [[nodiscard]] const Bm25Kernel& kernel() const { return kernel_; }

 private:
  class Source;
  Bm25Batch(const Source& source, const Bm25Index& index, const KernelOptions& options);

  TermTable terms_;
  Bm25Kernel kernel_;
};

}  // namespace residue::index
