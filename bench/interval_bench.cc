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

// Claims that the attack has, that others give away, and that the attack alone has.
struct Leaks {
  std::int64_t leaked = 0, others = 0, gained = 0;
};

struct Record {
  std::int64_t distance = 0, claims = 0, exposed = 0, net_leakage = 0;
  Leaks any, full;
};

std::map<std::string, std::vector<Record>> read_runs() {
  std::map<std::string, std::vector<Record>> runs;
  std::string line;
  std::getline(std::cin, line);
  while (std::getline(std::cin, line)) {
    std::stringstream fields(line);
    std::string run;
    std::getline(fields, run, ',');
    const auto next = [&] {
      std::string field;
      std::getline(fields, field, ',');
      return std::stod(field);
    };
    const auto count = [&] { return std::llround(next()); };
    Record one;
    one.distance = fixed(next());
    one.claims = count();
    one.any.leaked = count();
    one.exposed = count();
    one.any.others = count();
    one.any.gained = count();
    one.full.leaked = count();
    one.full.others = count();
    one.full.gained = count();
    one.net_leakage = fixed(next());
    runs[run].push_back(one);
  }
  return runs;
}

// One metric of records, each of which is a person of its own.
class Sum {
 public:
  explicit Sum(MetricId metric) : metric_(metric), sums_(definition(metric)) {}

  void add(std::int64_t num, std::int64_t den, std::uint64_t unit, const numbers::Weights& weights) {
    const Contribution c{metric_, Outcome::kNone, State::kValue, num, den, num};
    sums_.add(c, weights);
    if (counts_units(definition(metric_).kind)) clusters_.add(c, unit);
  }
  [[nodiscard]] MetricRow row() const {
    return sums_.finish(true, [this]() -> const Clusters& { return clusters_; }).front();
  }
  [[nodiscard]] RecordWeights records() const { return sums_.records(); }

 private:
  MetricId metric_;
  Aggregate sums_;
  Clusters clusters_;
};

std::vector<MetricRow> rows_of(const std::vector<Record>& records, std::uint64_t seed) {
  using M = MetricId;
  Sum distance(M::kSemanticDistance), leak(M::kLeakRate), exposed(M::kExposedRate), net_leakage(M::kNetLeakage);
  Sum net(M::kLeakRateNet), full_net(M::kFullLeakRateNet), gain(M::kLeakRateGain), full_gain(M::kFullLeakRateGain);
  std::vector<Weighted> distances;
  numbers::Weights weights;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t unit = mix(seed + mix(i));
    const Record& one = records[i];
    numbers::draw_weights(unit, weights);
    distance.add(one.distance, 1, unit, weights);
    distances.push_back({{M::kSemanticDistance, Outcome::kNone, State::kValue, one.distance, 1, one.distance}, unit});
    leak.add(one.any.leaked, one.claims, unit, weights);
    exposed.add(one.exposed, 1, unit, weights);
    net_leakage.add(one.net_leakage, 1, unit, weights);
    net.add(one.any.leaked - one.any.others, one.claims - one.any.others, unit, weights);
    full_net.add(one.full.leaked - one.full.others, one.claims - one.full.others, unit, weights);
    gain.add(one.any.gained, one.claims - one.any.others, unit, weights);
    full_gain.add(one.full.gained, one.claims - one.full.others, unit, weights);
  }
  const RecordWeights all = distance.records();
  return {distance.row(),
          leak.row(),
          exposed.row(),
          worst_share(M::kWorstDecile, 10, distances, all),
          worst_share(M::kCvar05, 20, distances, all),
          net.row(),
          full_net.row(),
          gain.row(),
          full_gain.row(),
          net_leakage.row()};
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
      if (!rows[m].low) continue;  // the control has everything: no interval, which holds nothing
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
    fmt::print("{:<16} {:>4} {:<19} {:.4f}   {:.4f}   {:.4f}   {:.4f}   {:.4f}\n", run, n,
               definition(truth[m].metric).name, *truth[m].value, holds, static_cast<double>(counts[m].flatters) / all,
               counts[m].width / all, std::sqrt(holds * (1 - holds) / all));
  }
}

}  // namespace
}  // namespace residue::query

int main(int argc, char** argv) {
  const std::uint64_t samples = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5000;
  fmt::print("run                 n metric              truth    holds    flatters width    error\n");
  for (const auto& [run, records] : residue::query::read_runs()) {
    for (const std::size_t n : {20U, 71U, 300U}) residue::query::simulate(run, records, n, samples);
  }
  return 0;
}
