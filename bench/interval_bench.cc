// How often intervals hold the truth: samples of n records, drawn from the real per-record values of three runs, whose
// values over all records are the truth.
//
//   bench/interval_runs.sh build/release/residue ../shared | build/release/bench/interval_bench [REPLICATES]
//
// Prints one line for each run, n and metric: the share of intervals that hold the truth, the share that lies on the
// private side of it (they flatter), the mean width, and the Monte Carlo error of the first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "query/metric/aggregate.h"
#include "query/metric/order_statistics.h"

namespace residue::query {
namespace {

struct Record {
  std::int64_t distance = 0, claims = 0, leaked = 0, exposed = 0;
};

std::map<std::string, std::vector<Record>> read_runs() {
  std::map<std::string, std::vector<Record>> runs;
  std::string line;
  std::getline(std::cin, line);
  while (std::getline(std::cin, line)) {
    std::stringstream fields(line);
    std::string run, distance, claims, leaked, exposed;
    std::getline(fields, run, ',');
    std::getline(fields, distance, ',');
    std::getline(fields, claims, ',');
    std::getline(fields, leaked, ',');
    std::getline(fields, exposed, ',');
    runs[run].push_back({fixed(std::stod(distance)), std::llround(std::stod(claims)), std::llround(std::stod(leaked)),
                         std::llround(std::stod(exposed))});
  }
  return runs;
}

// Every metric of these records, each of which is a person of its own.
std::vector<MetricRow> rows_of(const std::vector<Record>& records, std::uint64_t seed) {
  Aggregate distance(definition(MetricId::kSemanticDistance)), leak(definition(MetricId::kLeakRate)),
      exposed(definition(MetricId::kExposedRate));
  Clusters clusters;
  std::vector<Weighted> distances;
  numbers::Weights weights;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t unit = mix(seed + mix(i));
    const Record& one = records[i];
    numbers::draw_weights(unit, weights);
    const Contribution far{MetricId::kSemanticDistance, Outcome::kNone, State::kValue, one.distance, 1, one.distance};
    const Contribution leaks{MetricId::kLeakRate, Outcome::kNone, State::kValue, one.leaked, one.claims, one.leaked};
    distance.add(far, weights);
    leak.add(leaks, weights);
    clusters.add(leaks, unit);
    exposed.add({MetricId::kExposedRate, Outcome::kNone, State::kValue, one.exposed, 1, one.exposed}, weights);
    distances.push_back({far, unit});
  }
  const auto source = [&]() -> const Clusters& { return clusters; };
  const RecordWeights all = distance.records();
  return {distance.finish(true).front(), leak.finish(true, source).front(), exposed.finish(true).front(),
          worst_share(MetricId::kWorstDecile, 10, distances, all), worst_share(MetricId::kCvar05, 20, distances, all)};
}

void simulate(const std::string& run, const std::vector<Record>& population, std::size_t n, std::uint64_t samples) {
  const std::vector<MetricRow> truth = rows_of(population, 1);
  struct Count {
    std::uint64_t holds = 0, flatters = 0;
    double width = 0;
  };
  std::vector<Count> counts(truth.size());
  std::mt19937_64 random(42);
  std::vector<Record> sample(n);
  for (std::uint64_t s = 0; s < samples; ++s) {
    for (Record& one : sample) one = population[random() % population.size()];
    const std::vector<MetricRow> rows = rows_of(sample, mix(s + 7));
    for (std::size_t m = 0; m < rows.size(); ++m) {
      const double value = *truth[m].value;
      const bool holds = *rows[m].low <= value && value <= *rows[m].high;
      const bool above = *rows[m].low > value;
      counts[m].holds += holds ? 1 : 0;
      counts[m].flatters += !holds && above == definition(rows[m].metric).higher_is_private ? 1 : 0;
      counts[m].width += *rows[m].high - *rows[m].low;
    }
  }
  const auto all = static_cast<double>(samples);
  for (std::size_t m = 0; m < truth.size(); ++m) {
    const double holds = static_cast<double>(counts[m].holds) / all;
    fmt::print("{:<16} {:>4} {:<18} {:.4f}   {:.4f}   {:.4f}   {:.4f}   {:.4f}\n", run, n,
               definition(truth[m].metric).name, *truth[m].value, holds, static_cast<double>(counts[m].flatters) / all,
               counts[m].width / all, std::sqrt(holds * (1 - holds) / all));
  }
}

}  // namespace
}  // namespace residue::query

int main(int argc, char** argv) {
  const std::uint64_t samples = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5000;
  fmt::print("run                 n metric             truth    holds    flatters width    error\n");
  for (const auto& [run, records] : residue::query::read_runs()) {
    for (const std::size_t n : {20U, 71U, 300U}) residue::query::simulate(run, records, n, samples);
  }
  return 0;
}
