// What the catalog keeps of scores, as both halves of ScoreStore and the metrics of whole runs read and write it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "query/metric/aggregate.h"
#include "query/metric/contribution.h"
#include "query/metric/order_statistics.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/sqlite.h"

namespace residue::query {

// The numbers that cuts have in the catalog (table `cut`); the empty name has 0.
class CutNumbers {
 public:
  std::int64_t of(storage::Db& db, const std::string& name);  // adds it where it is new
  const std::string& name(storage::Db& db, std::int64_t number);
  [[nodiscard]] bool knows(const std::string& name) const { return name.empty() || numbers_.contains(name); }

 private:
  std::unordered_map<std::string, std::int64_t> numbers_;
  std::unordered_map<std::int64_t, std::string> names_;
};

storage::PackedScore packed(const Contribution& contribution, std::int64_t cut);
Contribution unpacked(const storage::PackedScore& score, std::string cut);

// All contributions of an evaluation to the whole of a metric, in order of records.
std::vector<Weighted> weighted_scores(storage::Db& db, EvaluationId evaluation, MetricId metric);

// The same of several metrics, in one pass and in no order. Metrics without a contribution are left out.
std::map<MetricId, std::vector<Weighted>> weighted_scores(storage::Db& db, EvaluationId evaluation,
                                                          std::span<const MetricId> metrics);

// Writes rows of the table `metric`, and of its history; times are those of its making.
class MetricWriter {
 public:
  MetricWriter(storage::Db& db, EvaluationId evaluation);

  void put(const MetricRow& row);       // there is none of its metric and slice
  void remember(const MetricRow& row);  // of the whole
  void explain(MetricId metric, const std::string& reason);

 private:
  EvaluationId evaluation_;
  std::int64_t at_;
  storage::Statement put_, remember_, explain_;
};

// The rate that the metric is a part or a net of: records of it whose units nobody knows are the metric's, too.
std::optional<MetricId> whole_of(MetricId metric);

// Whether a part is the same as if there had never been one.
bool no_records(const Aggregate& aggregate);

}  // namespace residue::query
