// From contributions to a number with its interval.
//
//   contributions ──add / remove──> sums per outcome (and per bootstrap replicate) ──finish──> MetricRow
//
// The sums are integers, so any order, any history and any number of threads give the same rows bit for bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_table.h"
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

// The share of all evaluated records that have a value. Only records without such a label, task, category or identifier
// leave the denominator (optional_for_records). Nothing where no record is left.
std::optional<double> coverage_of(const MetricDefinition& metric, double n, double failed, double missing,
                                  double not_applicable);

// Sums over the records of one outcome.
struct Sums {
  std::int64_t n = 0, failed = 0, missing = 0, not_applicable = 0;
  std::int64_t num = 0, den = 0;                           // records with a value, and units that a lost one decides
  std::int64_t lost_num = 0, lost_best = 0, lost_den = 0;  // failed and missing records: what is not decided
  std::int64_t unknown = 0;                                // those of them whose units nobody knows (pooled rates)

  Sums& operator+=(const Sums& other);
  friend bool operator==(const Sums&, const Sums&) = default;
};

// The weighted sums in every replicate.
struct Replicates {
  numbers::ReplicateSums num{}, den{}, lost_num{}, lost_den{}, unknown{};
};

// The weight of all records in each replicate: of those with a value, and at all.
struct RecordWeights {
  numbers::ReplicateSums values{}, all{};
};

// Which resampling units the contributions to one metric are of.
class Clusters {
 public:
  // What is not applicable is left out, and so is a value that counts no unit of a pooled rate.
  void add(const Contribution& contribution, std::uint64_t unit);

  // How many there are of one outcome (kNone: of all), with or without those of failed and missing records.
  [[nodiscard]] std::int64_t count(Outcome outcome, bool with_lost) const;

  // The greatest denominator: of a pooled rate, the most units that a record is known to have.
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  struct Unit {
    std::uint64_t unit = 0;
    std::uint8_t seen = 0;  // a bit for each outcome, values and lost ones

    [[nodiscard]] bool free() const { return seen == 0; }
    [[nodiscard]] std::uint64_t hash() const { return unit; }  // it is one
  };
  FlatTable<Unit> units_;
  std::array<std::int64_t, 256> units_of_{};  // by `seen`: asked for several times, and there are as many as records
  std::int64_t most_ = 0;
};

// The clusters of the metric at hand; asked for where they are not simply the records.
using ClusterSource = std::function<const Clusters&()>;

class Aggregate;

// The rate that a metric is a part of, or made of.
struct Whole {
  const Aggregate* aggregate = nullptr;
  ClusterSource clusters = {};
  bool of_claims = false;  // the metric's units are other ones than those of the rate
};

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

  // The rows: over all records, then (split metrics) by outcome. For kMean, kShare, kPooled, kNet and kGain only.
  // `independent`: every record is a resampling unit of its own, so shares get Wilson's interval; all else has the
  // bootstrap's with a phantom (numbers/stats/bootstrap.h). Without `clusters` every record is a unit.
  //
  // Lost records whose units nobody knows count in pooled rates too: in the value and its interval with the mean number
  // of units of the others, in both bounds with the greatest number that another record has. A part
  // of a metric, such as a category of claims, cannot know which records would have belonged to it: it takes the
  // unknown ones of `whole`.
  // Nets and gains are of other units than claims: they take from the rate that they are made of how many claims an
  // unknown record may have (Whole::of_claims). A net has no value where the control has
  // all that is known.
  [[nodiscard]] std::vector<MetricRow> finish(bool independent, const ClusterSource& clusters = {},
                                              const Whole& whole = {}) const;

  // The weights of the records; of a kMean metric.
  [[nodiscard]] RecordWeights records() const;

  // The harmonic mean of this pooled rate and another one of the same records; counts are of this one.
  [[nodiscard]] MetricRow harmonic(const Aggregate& other, MetricId metric, const ClusterSource& clusters = {},
                                   const ClusterSource& other_clusters = {}) const;

 private:
  struct Total {
    Sums sums;
    Replicates sampled;
  };
  [[nodiscard]] std::unique_ptr<Total> total() const;  // over all outcomes
  void change(const Contribution& contribution, const numbers::Weights& weights, int sign);
  Replicates& replicates(Outcome outcome);

  const MetricDefinition* definition_;
  std::array<Sums, kOutcomes> sums_{};
  std::array<std::unique_ptr<Replicates>, kOutcomes> replicates_;
};

}  // namespace residue::query
