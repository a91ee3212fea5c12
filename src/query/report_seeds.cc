#include "query/report_seeds.h"

#include <cmath>

namespace residue::query {
namespace {

using Field = std::optional<double> MetricValue::*;

std::optional<double> mean_of(const std::vector<const MetricValue*>& values, Field field) {
  double sum = 0;
  bool equal = true;  // then the mean is that value to the last digit, and the deviation 0
  for (const MetricValue* value : values) {
    if (!(value->*field)) return std::nullopt;
    sum += *(value->*field);
    equal = equal && *(value->*field) == *(values.front()->*field);
  }
  if (equal) return *(values.front()->*field);
  return sum / static_cast<double>(values.size());
}

MetricValue combine(const std::vector<const MetricValue*>& values) {
  MetricValue result = *values.front();
  if (values.size() < 2) return result;
  for (const Field field : {&MetricValue::value, &MetricValue::low, &MetricValue::high, &MetricValue::if_leaked,
                            &MetricValue::if_private}) {
    result.*field = mean_of(values, field);
  }
  if (!result.value) return result;
  double squares = 0;
  for (const MetricValue* value : values) squares += (*value->value - *result.value) * (*value->value - *result.value);
  result.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return result;
}

using Slice = std::optional<MetricValue> ReportMetric::*;

// The counts of all (record, seed) pairs.
void add_counts(const MetricValue& other, MetricValue& counts) {
  for (const Field field : {&MetricValue::value, &MetricValue::if_leaked, &MetricValue::if_private}) {
    if (counts.*field && other.*field) *(counts.*field) += *(other.*field);
  }
  for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing, &MetricValue::not_applicable})
    counts.*count += other.*count;
}

ReportMetric combine(const std::vector<const ReportMetric*>& seeds) {
  ReportMetric result = *seeds.front();
  std::vector<const MetricValue*> values;
  for (const ReportMetric* metric : seeds) values.push_back(&metric->all);
  result.all = combine(values);
  for (std::size_t seed = 1; seed < seeds.size() && !result.bins.empty(); ++seed) {
    for (std::size_t bin = 0; bin < result.bins.size(); ++bin) add_counts(seeds[seed]->bins[bin], result.bins[bin]);
    add_counts(seeds[seed]->all, result.all);
  }
  for (const Slice slice : {&ReportMetric::right, &ReportMetric::wrong, &ReportMetric::not_linked}) {
    values.clear();
    for (const ReportMetric* metric : seeds) {
      if (metric->*slice) values.push_back(&*(metric->*slice));
    }
    if (values.size() == seeds.size()) result.*slice = combine(values);
  }
  for (auto& [name, value] : result.cuts) {
    values.clear();
    for (const ReportMetric* metric : seeds) {
      const auto found = metric->cuts.find(name);
      if (found != metric->cuts.end()) values.push_back(&found->second);
    }
    value = combine(values);
  }
  return result;
}

}  // namespace

std::vector<ReportRun> combine_seeds(std::vector<std::vector<ReportRun>>& seeds) {
  std::vector<ReportRun> result = std::move(seeds.front());
  if (seeds.size() < 2) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    ReportRun& run = result[i];
    for (std::size_t seed = 1; seed < seeds.size(); ++seed) {
      run.evaluated = run.evaluated && seeds[seed][i].evaluated;
      run.stale = run.stale || seeds[seed][i].stale;
    }
    if (!run.evaluated) {
      run.metrics.clear();
      continue;
    }
    for (auto& [id, metric] : run.metrics) {
      if (!needs_attack(definition(id).tier)) continue;  // the same for every attacker
      std::vector<const ReportMetric*> values{&metric};
      for (std::size_t seed = 1; seed < seeds.size(); ++seed) {
        const auto found = seeds[seed][i].metrics.find(id);
        if (found != seeds[seed][i].metrics.end()) values.push_back(&found->second);
      }
      metric = combine(values);
    }
  }
  return result;
}

}  // namespace residue::query
