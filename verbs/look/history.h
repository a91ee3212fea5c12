// `history`: the values of metrics over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "query/report/history.h"
#include "storage/store.h"
#include "verbs/runs/choose.h"

namespace residue::verbs {

struct HistoryOptions {
  std::string dataset;                                                       // empty: all
  std::vector<std::string> metrics = {"semantic_distance", "linkage_rate"};  // names
  bool controls = false;                                                     // also under the linkers oracle and random
  bool monthly = false;                                                      // of each month (UTC) the last value
  std::string where = {};  // only runs that meet this condition (verbs/runs/condition.h), by their numbers of now
};

// Why a metric has no row at all.
enum class Absence : std::uint8_t {
  kNothingEvaluated,  // of the dataset
  kPartsOnly,         // it has parts only, and history keeps whole metrics
  kNotComputed,
};

struct HistoryResult {
  std::vector<query::HistoryRow> rows;    // oldest first
  std::size_t hidden = 0;                 // rows under control linkers that were left out
  std::map<std::string, Absence> absent;  // by metric
  std::vector<RunFacts> runs;             // of the dataset, or of all; those left out included
  Chosen chosen;
};

// Throws as query::load_history and choose().
HistoryResult history(storage::Store& store, const HistoryOptions& options);

}  // namespace residue::verbs
