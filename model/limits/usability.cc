#include "model/limits/usability.h"

#include <fmt/format.h>

namespace residue::model {

std::string Usability::words() const {
  std::string reasons;
  for (const auto& [reason, count] : reasons_) {
    reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", reason, count);
  }
  return in_a_row_ >= kInARow
             ? fmt::format("{} answers in a row cannot be used: {}", in_a_row_, reasons)
             : fmt::format("{} of the first {} answers cannot be used: {}", of_first_, kFirst, reasons);
}

}  // namespace residue::model
