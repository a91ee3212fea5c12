// The kernel over a run's index: terms as numbers, postings read out of Xapian once.
// Behind the Xapian wall (index/xapian_db.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bm25/bm25_index.h"
#include "index/bm25/term_table.h"
#include "index/bm25_kernel/bm25_kernel.h"
#include "text/words/analyzer.h"

namespace residue::index {

class Bm25Batch {
 public:
  // Reads all postings, in parallel; the index must outlive it.
  Bm25Batch(const Bm25Index& index, const KernelOptions& options);

  // Distinct terms of the index among `terms`, as the kernel wants them.
  [[nodiscard]] std::vector<KernelTerm> numbered(std::span<const std::string> terms) const;

  // The same of the terms of a text, which `terms` counts.
  [[nodiscard]] std::vector<KernelTerm> numbered(std::string_view text, text::TermCounter& terms) const;

  [[nodiscard]] const Bm25Kernel& kernel() const { return kernel_; }

 private:
  class Source;
  Bm25Batch(const Source& source, const Bm25Index& index, const KernelOptions& options);

  TermTable terms_;
  Bm25Kernel kernel_;
};

}  // namespace residue::index
