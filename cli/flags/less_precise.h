// --less-precise: what a guess counts that is right but less precise than its label (AA B.2). Both readings are stored
// as metrics; this says which one stands under the names of the paper.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/syntax.h"
#include "query/gates/gates.h"

namespace residue::cli {

struct LessPreciseFlag {
  std::string counts = "0";  // or "0.5"

  void add_to(Syntax& syntax);
  [[nodiscard]] bool half() const { return counts == "0.5"; }

  // With 0.5: gates on attribute_accuracy, _any and _certain are held against their readings with halves.
  void read(std::vector<query::Gate>& gates) const;

  // ... and names of metrics become theirs.
  void read(std::vector<std::string>& metrics) const;
};

}  // namespace residue::cli
