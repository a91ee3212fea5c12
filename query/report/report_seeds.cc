#include "query/report/report_seeds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "numbers/stats/student.h"
#include "query/metric/outside_metrics.h"

namespace residue::query {
namespace {

using Values = std::vector<const MetricValue*>;  // by seed; null: the seed has none

// `metric` of one seed, or its part.
template <class Get>
Values collect(const std::vector<const ReportMetric*>& seeds, const Get& get) {
  Values values;
  for (const ReportMetric* metric : seeds) values.push_back(metric == nullptr ? nullptr : get(*metric));
  return values;
}

template <class Field>
std::optional<double> mean_of(const Values& values, Field field) {
  std::vector<std::optional<double>> there;
  for (const MetricValue* value : values) {
    if (value != nullptr) there.push_back(value->*field);
  }
  return mean_over_seeds(there);
}

// Where a seed has no such records it has none of them.
template <class Field>
double mean_count(const Values& values, Field field) {
  std::vector<std::optional<double>> counts;
  for (const MetricValue* value : values) {
    counts.push_back(value == nullptr ? 0 : std::optional<double>(value->*field).value_or(0));
  }
  return mean_over_seeds(counts).value_or(0);
}

MetricValue combine(const Values& values, const MetricDefinition& about) {
  MetricValue result;
  for (const auto field :
       {&MetricValue::value, &MetricValue::if_leaked, &MetricValue::if_private, &MetricValue::coverage}) {
    result.*field = mean_of(values, field);
  }
  for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing, &MetricValue::not_applicable})
    result.*count = mean_count(values, count);
  for (const auto count : {&MetricValue::units, &MetricValue::hits}) {
    if (mean_of(values, count)) result.*count = mean_count(values, count);
  }
  std::uint32_t seeds = 0;
  double squares = 0;
  for (const MetricValue* value : values) {
    if (value == nullptr || !value->value) continue;
    ++seeds;
    squares += (*value->value - *result.value) * (*value->value - *result.value);
  }
  if (seeds > 1) result.deviation = std::sqrt(squares / (seeds - 1));
  if (seeds > 0 && seeds < values.size()) result.seeds = seeds;
  std::vector<SeedValue> each;
  for (const MetricValue* value : values) {
    if (value != nullptr) each.push_back({value->value, value->low, value->high});
  }
  if (const auto interval = interval_over_seeds(each, least_number(about), about.high)) {
    result.low = interval->low;
    result.high = interval->high;
  }
  return result;
}

ReportMetric combine(const std::vector<const ReportMetric*>& seeds, const MetricDefinition& about) {
  const auto first = std::find_if(seeds.begin(), seeds.end(), [](const auto* metric) { return metric != nullptr; });
  ReportMetric result = **first;
  result.all = combine(collect(seeds, [](const ReportMetric& metric) { return &metric.all; }), about);
  if (result.all.value) result.reason.clear();
  result.stale = std::any_of(seeds.begin(), seeds.end(), [](const auto* metric) { return metric && metric->stale; });
  for (const auto slice : {&ReportMetric::right, &ReportMetric::wrong, &ReportMetric::not_linked}) {
    const auto values =
        collect(seeds, [&](const ReportMetric& metric) { return metric.*slice ? &*(metric.*slice) : nullptr; });
    if (std::any_of(values.begin(), values.end(), [](const auto* value) { return value != nullptr; }))
      result.*slice = combine(values, about);
  }
  std::size_t bins = 0;
  std::set<std::string> cuts;
  for (const ReportMetric* metric : seeds) {
    if (metric == nullptr) continue;
    bins = std::max(bins, metric->bins.size());
    for (const auto& [name, value] : metric->cuts) cuts.insert(name);
  }
  result.bins.clear();
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const auto values = collect(
        seeds, [&](const ReportMetric& metric) { return bin < metric.bins.size() ? &metric.bins[bin] : nullptr; });
    result.bins.push_back(combine(values, about));
    if (result.bins.back().value) result.bins.back().value = mean_count(values, &MetricValue::value);
  }
  for (const std::string& name : cuts) {
    result.cuts[name] = combine(collect(seeds,
                                        [&](const ReportMetric& metric) {
                                          const auto found = metric.cuts.find(name);
                                          return found == metric.cuts.end() ? nullptr : &found->second;
                                        }),
                                about);
  }
  return result;
}

// Metrics that were computed for each seed or not at all: of other evaluations than the seed's own.
bool needs_all_seeds(MetricId id) { return id == MetricId::kLexicalDistance || definition(id).tier == Tier::kVector; }

}  // namespace

std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& seeds) {
  double sum = 0;
  std::size_t count = 0;
  std::optional<double> first;
  bool equal = true;
  for (const std::optional<double>& value : seeds) {
    if (!value) continue;
    if (!first) first = value;
    equal = equal && *value == *first;
    sum += *value;
    ++count;
  }
  return equal ? first : sum / static_cast<double>(count);
}

std::optional<numbers::Interval> interval_over_seeds(const std::vector<SeedValue>& seeds, double least,
                                                     double greatest) {
  std::vector<std::optional<double>> values, lows, highs;
  for (const SeedValue& seed : seeds) {
    if (!seed.value) continue;
    if (!seed.low || !seed.high) return std::nullopt;
    values.push_back(seed.value);
    lows.push_back(seed.low);
    highs.push_back(seed.high);
  }
  if (values.empty()) return std::nullopt;
  const double mean = *mean_over_seeds(values), low = *mean_over_seeds(lows), high = *mean_over_seeds(highs);
  if (values.size() == 1) return numbers::Interval{low, high};
  double squares = 0;
  for (const auto& value : values) squares += (*value - mean) * (*value - mean);
  const auto count = static_cast<double>(values.size());
  const double scatter =
      numbers::student_quantile(values.size() - 1) * std::sqrt(squares / (count - 1)) / std::sqrt(count);
  const auto reach = [&](double end) { return std::sqrt((end - mean) * (end - mean) + scatter * scatter); };
  return numbers::Interval{std::max(least, mean - reach(low)), std::min(greatest, mean + reach(high))};
}

std::vector<ReportRun> combine_seeds(std::vector<std::vector<ReportRun>>& seeds) {
  std::vector<ReportRun> result = std::move(seeds.front());
  if (seeds.size() < 2) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    ReportRun& run = result[i];
    for (std::size_t seed = 1; seed < seeds.size(); ++seed) {
      run.evaluated = run.evaluated && seeds[seed][i].evaluated;
      run.stale = run.stale || seeds[seed][i].stale;
      run.old.insert(run.old.end(), seeds[seed][i].old.begin(), seeds[seed][i].old.end());
    }
    if (!run.evaluated) {
      run.metrics.clear();
      continue;
    }
    const std::map<MetricId, ReportMetric> own = std::move(run.metrics);
    run.metrics.clear();
    for (const MetricDefinition& about : metric_definitions()) {
      std::vector<const ReportMetric*> values;
      for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
        const auto& metrics = seed == 0 ? own : seeds[seed][i].metrics;
        const auto found = metrics.find(about.id);
        values.push_back(found == metrics.end() ? nullptr : &found->second);
      }
      const auto lacking = std::count(values.begin(), values.end(), nullptr);
      if (!needs_attack(about)) {  // the same for every attacker
        if (values.front() != nullptr) run.metrics[about.id] = *values.front();
      } else if (lacking == 0 || (!needs_all_seeds(about.id) && lacking < std::ssize(values))) {
        run.metrics[about.id] = combine(values, about);
      }
    }
  }
  return result;
}

}  // namespace residue::query
