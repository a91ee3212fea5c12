// From contributions to a number with its interval.
//
//   contributions ──add / remove──> sums per outcome (and per bootstrap replicate) ──finish──> MetricRow
//
// The sums are integers, so any order, any history and any number of threads give the same rows bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numbers/stats/bootstrap.h"
#include "query/metric/contribution.h"
#include "query/metric/slice.h"

namespace residue::query {

// One row of the table `metric`.
struct MetricRow {
  MetricId metric{};
  Slice slice;
  std::optional<double> value, low, high;
  std::int64_t n = 0, failed = 0, missing = 0, not_applicable = 0;
  std::optional<double> if_leaked, if_private;
  std::optional<double> drop_value, drop_low, drop_high;
  std::optional<std::int64_t> units, drop_units;  // pooled rates: what value and drop_value are shares of
  std::string reason = {};  // why it is not applicable, where that is no matter of single records (metric_reason)
};

// Sums over the records of one outcome.
struct Sums {
  std::int64_t n = 0, failed = 0, missing = 0, not_applicable = 0;
  std::int64_t num = 0, den = 0;                           // records with a value
  std::int64_t lost_num = 0, lost_best = 0, lost_den = 0;  // failed and missing records

  Sums& operator+=(const Sums& other);
  friend bool operator==(const Sums&, const Sums&) = default;
};

// The weighted sums in every replicate.
struct Replicates {
  std::array<std::int64_t, numbers::kReplicates> num{}, den{}, lost_num{}, lost_den{};
};

// How many records there are in each replicate, with a value and at all.
struct RecordCounts {
  std::array<std::int64_t, numbers::kReplicates> values{}, all{};
};

// Which resampling units the contributions to one metric are of.
class Clusters {
 public:
  // What is not applicable, or counts no unit of a pooled rate, is left out.
  void add(const Contribution& contribution, std::uint64_t unit);

  // How many there are of one outcome (kNone: of all), with or without those of failed and missing records.
  [[nodiscard]] std::int64_t count(Outcome outcome, bool with_lost) const;

 private:
  struct Member {
    std::uint64_t unit = 0;
    Outcome outcome = Outcome::kNone;
    bool lost = false;
  };
  std::vector<Member> members_;
};

// The clusters of the metric at hand; asked for only where replicates do not differ.
using ClusterSource = std::function<const Clusters&()>;

// One metric of one evaluation.
class Aggregate {
 public:
  explicit Aggregate(const MetricDefinition& definition) : definition_(&definition) {}

  [[nodiscard]] const MetricDefinition& metric() const { return *definition_; }

  void add(const Contribution& contribution, const numbers::Weights& weights) { change(contribution, weights, 1); }
  void remove(const Contribution& contribution, const numbers::Weights& weights) { change(contribution, weights, -1); }

  // What is stored between evaluations: sums and replicates of one outcome. Loading replaces.
  [[nodiscard]] const Sums& sums(Outcome outcome) const { return sums_[static_cast<std::size_t>(outcome)]; }
  [[nodiscard]] std::string replicate_bytes(Outcome outcome) const;  // empty when all are zero
  void load(Outcome outcome, const Sums& sums, std::string_view replicate_bytes);

  // The rows: over all records, then (split metrics) by outcome. `independent`: every record is a resampling unit of
  // its own, so shares get Wilson's interval. Where all units of a rate agree the bootstrap shows no spread: the
  // interval is Wilson's for as many trials as there are units. Of one unit there is none. Without `clusters` every
  // record is one. For kMean, kShare and kPooled only.
  [[nodiscard]] std::vector<MetricRow> finish(bool independent, const ClusterSource& clusters = {}) const;

  // How many records there are in each replicate; of a kMean metric.
  [[nodiscard]] RecordCounts records() const;

  // The harmonic mean of this pooled rate and another one of the same records; counts are of this one.
  [[nodiscard]] MetricRow harmonic(const Aggregate& other, MetricId metric, const ClusterSource& clusters = {}) const;

 private:
  struct Total {
    Sums sums;
    Replicates sampled;
  };
  [[nodiscard]] std::unique_ptr<Total> total() const;  // over all outcomes
  void change(const Contribution& contribution, const numbers::Weights& weights, int sign);
  [[nodiscard]] MetricRow row(Outcome outcome, const Sums& sums, const Replicates& replicates, bool independent,
                              const ClusterSource& clusters) const;
  Replicates& replicates(Outcome outcome);

  const MetricDefinition* definition_;
  std::array<Sums, kOutcomes> sums_{};
  std::array<std::unique_ptr<Replicates>, kOutcomes> replicates_;
};

// Order statistics: recomputed from all contributions of `semantic_distance` whenever one of them changed.
struct Weighted {
  Contribution contribution;
  std::uint64_t unit = 0;
};

// Mean of the worst `share` of the records (ceil(share * n) of them, METRICS rule 7), failed and missing ones at the
// worst value. `distances`: contributions of a kMean metric where low is worse; `records`: of the same metric. Cost:
// sorting, and the weights of about the worst `share`.
MetricRow worst_share(MetricId metric, double share, const std::vector<Weighted>& distances,
                      const RecordCounts& records);

// "" with the counts of all states, then ten counts, "bin:0" ... "bin:9"; num = bin. `value` counts failed and missing
// records in the bin where they would be if everything leaked, `drop_value` and n do not.
std::vector<MetricRow> histogram(MetricId metric, const std::vector<Contribution>& bins);

}  // namespace residue::query
