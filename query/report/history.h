// How a number came to be what it is: its values over time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/store.h"

namespace residue::query {

struct HistoryRow {
  std::int64_t at_ms = 0;  // unix time
  std::string dataset, run;
  std::string protocol;  // empty: the metric needs no attack
  std::uint64_t sample = 0;
  std::string judge;  // empty: needs no judge
  std::string metric;
  std::optional<double> value, low, high;
  std::optional<double> change;  // to the value before, of the same run, protocol, judge and metric
  std::int64_t n = 0, failed = 0, missing = 0;
};

// All rows of `metrics` (names), oldest first; of one dataset, or of all where `dataset` is empty. Throws
// Error{not found} for an unknown dataset, Error{usage} for an unknown metric.
std::vector<HistoryRow> load_history(storage::Store& store, const std::string& dataset,
                                     const std::vector<std::string>& metrics);

// Whether any run of the dataset, or of any where it is empty, was ever evaluated.
bool evaluated(storage::Store& store, const std::string& dataset);

// Of each month (UTC) the last value of the same run, protocol, judge and metric; `change` is then that to the last
// value of the month before that has one. `rows` oldest first, as load_history() gives them; so is the result.
std::vector<HistoryRow> last_of_months(const std::vector<HistoryRow>& rows);

}  // namespace residue::query
