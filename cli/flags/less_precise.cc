#include "cli/flags/less_precise.h"

#include "cli/syntax.h"
#include "query/metric/metrics.h"

namespace residue::cli {

void LessPreciseFlag::add_to(Syntax& syntax) {
  syntax.add("--less-precise", counts, "what a right but less precise guess of an attribute counts: 0 (default) or 0.5")
      .one_of({"0", "0.5"});
}

void LessPreciseFlag::read(std::vector<query::Gate>& gates) const {
  if (!half()) return;
  for (query::Gate& gate : gates) gate.metric = query::half_for_less_precise(gate.metric);
}

void LessPreciseFlag::read(std::vector<std::string>& metrics) const {
  if (!half()) return;
  for (std::string& name : metrics) {
    if (const auto metric = query::find_metric(name)) {
      name = query::definition(query::half_for_less_precise(*metric)).name;
    }
  }
}

}  // namespace residue::cli
