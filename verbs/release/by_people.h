// What people found in the runs of a release, and what their labels make of its leak rates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "query/people/intruder_report.h"
#include "query/report/report.h"
#include "query/study/corrected_rates.h"
#include "storage/store.h"

namespace residue::verbs {

// An intruder test with attempts.
struct ReleasedTest {
  std::string protocol;  // whose facts people were given
  std::uint64_t sample = 0;
  // As intruder_report() has it: held back while the test goes on, until somebody without a name read outcomes.
  // Nothing: the run is not attacked like this any more.
  std::optional<query::IntruderReport> report;
};

// By run; of a run by protocol, then sample. Reading them is no look: it shows nothing that is held back.
std::map<std::string, std::vector<ReleasedTest>> released_tests(storage::Store& store, const std::string& dataset);

// As query::load_corrected, of the report's attacker, under its first seed; nothing where labels are too few. The
// caller holds Store::hold_texts().
std::optional<query::CorrectedRates> corrected_rates(storage::Store& store, const query::Report& report);

}  // namespace residue::verbs
