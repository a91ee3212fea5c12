#include "query/corpus/record_rows.h"

#include <cstdint>
#include <utility>

#include "numbers/stats/bootstrap.h"

namespace residue::query {

CorpusMetric not_applicable(const CorpusInput& input, MetricId metric, std::string reason) {
  MetricRow row;
  row.metric = metric;
  row.not_applicable = static_cast<std::int64_t>(input.dataset.records.size());
  return {{row}, std::move(reason), {}};
}

MetricRow row_of(const std::vector<Contribution>& each, const std::vector<std::uint64_t>& units, bool independent) {
  Aggregate sums(definition(each.front().metric));
  Clusters clusters;
  numbers::Weights weights;
  for (std::size_t i = 0; i < each.size(); ++i) {
    numbers::draw_weights(units[i], weights);
    sums.add(each[i], weights);
    clusters.add(each[i], units[i]);
  }
  return sums.finish(independent, [&]() -> const Clusters& { return clusters; }).front();
}

MetricRow row_of(const CorpusInput& input, const std::vector<Contribution>& each) {
  std::vector<std::uint64_t> units;
  units.reserve(each.size());
  for (std::size_t i = 0; i < each.size(); ++i) units.push_back(input.dataset.records[i].unit);
  return row_of(each, units, input.dataset.independent);
}

}  // namespace residue::query
