#include "query/study/noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "query/agree/unstable.h"
#include "query/compare/paired_scores.h"
#include "query/inputs/snapshot.h"
#include "query/report/report_seeds.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {
namespace {

// Judged claims that the attacker did not know, and the text that they were judged against.
constexpr std::string_view kPairs = storage::sql::kLinkJudgedPairsOfRun;

bool counts(const ScoredRecord& one, MissingPolicy missing) {
  return missing == MissingPolicy::kDrop ? one.state == State::kValue : one.state != State::kNotApplicable;
}

std::optional<double> root(double variance) { return std::sqrt(variance); }

// A record under every seed in turn.
struct Row {
  std::uint64_t unit = 0;  // its person, or itself
  std::vector<double> values;
};

// What the report has: exact sums, so that a mean of equal distances is that distance.
void add_value(const std::vector<std::vector<ScoredRecord>>& seeds, MissingPolicy missing, NoiseLine& line) {
  std::vector<std::optional<double>> means;
  for (const auto& seed : seeds) {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (const ScoredRecord& one : seed) {
      const double share = 1 / static_cast<double>(seeds.size());
      line.n += one.state == State::kValue ? share : 0;
      line.failed += one.state == State::kFailed ? share : 0;
      line.missing += one.state == State::kMissing ? share : 0;
      if (!counts(one, missing)) continue;
      sum += one.num;
      ++count;
    }
    if (count > 0)
      means.emplace_back(static_cast<double>(sum) / static_cast<double>(count) / static_cast<double>(kOne));
  }
  for (double* number : {&line.n, &line.failed, &line.missing}) {
    if (std::abs(*number - std::round(*number)) < 1e-9) *number = std::round(*number);  // of equal counts
  }
  line.value = mean_over_seeds(means);
}

std::vector<Row> rows_of(const std::vector<std::vector<ScoredRecord>>& seeds, MissingPolicy missing) {
  std::map<RecordId, Row> records;
  for (const auto& seed : seeds) {
    for (const ScoredRecord& one : seed) {
      if (!counts(one, missing)) continue;
      Row& row = records[one.record];
      row.unit = one.unit;
      row.values.push_back(static_cast<double>(one.num) / static_cast<double>(kOne));
    }
  }
  std::vector<Row> rows;
  for (auto& [record, row] : records) {
    if (row.values.size() == seeds.size()) rows.push_back(std::move(row));
  }
  return rows;
}

// The variance of the mean of `means`, were other persons drawn: the records of one person come and go together.
std::optional<double> variance_over_units(const std::vector<Row>& rows, const std::vector<double>& means, double mean) {
  std::map<std::uint64_t, double> units;  // sums of what their records are off by
  for (std::size_t i = 0; i < rows.size(); ++i) units[rows[i].unit] += means[i] - mean;
  if (units.size() < 2) return std::nullopt;
  double squares = 0;
  for (const auto& [unit, off] : units) squares += off * off;
  const auto n = static_cast<double>(rows.size());
  if (squares <= n * 1e-24) squares = 0;  // rounding of the mean
  const auto persons = static_cast<double>(units.size());
  return squares / (n * n) * persons / (persons - 1);
}

void add_records(const std::vector<Row>& rows, std::size_t seeds, NoiseLine& line) {
  line.records = rows.size();
  if (rows.empty()) return;
  std::vector<std::vector<double>> cells;
  std::vector<double> means;
  double mean = 0;
  for (const Row& row : rows) {
    cells.push_back(row.values);
    double sum = 0;
    for (const double value : row.values) sum += value;
    means.push_back(sum / static_cast<double>(row.values.size()));
    mean += means.back() / static_cast<double>(rows.size());
  }
  double of_seeds = 0;
  if (const auto crossed = numbers::crossed_variance(cells)) {
    line.records_sd = root(crossed->rows);
    line.seeds_sd = root(crossed->columns);
    line.rest_sd = root(crossed->residual);
    of_seeds = crossed->columns / static_cast<double>(seeds);
  } else if (means.size() > 1) {
    double squares = 0;
    for (const double one : means) squares += (one - mean) * (one - mean);
    const auto n = static_cast<double>(means.size());
    if (squares <= n * 1e-24) squares = 0;  // rounding of the mean
    line.records_sd = root(squares / (n - 1));
  }
  // Means over seeds scatter between persons with what is left of record and seed in them.
  if (const auto of_units = variance_over_units(rows, means, mean)) line.standard_error = root(*of_units + of_seeds);
}

void add_votes(storage::Store& store, const Lens& lens, RunId run, NoiseLine& line) {
  std::vector<Pair> pairs;
  storage::Statement find = store.db().prepare(kPairs);
  find.bind(run, lens.protocol, lens.judge);
  while (find.step()) pairs.push_back({find.id<TextId>(0), find.id<TextId>(1), find.id<RequestId>(2)});
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::vector<double>> groups;
  for (const PairVotes& votes : saved_votes(store, lens.judge, pairs)) {
    std::vector<double>& group = groups.emplace_back();
    for (std::size_t rating = 0; rating < votes.ratings.size(); ++rating) {
      group.insert(group.end(), votes.ratings[rating], static_cast<double>(rating) / 2);
    }
    line.claims += group.size() > 1 ? 1 : 0;
  }
  if (const auto nested = numbers::nested_variance(groups)) {
    line.claims_sd = root(nested->between);
    line.votes_sd = root(nested->within);
  }
}

// Of every seed, or none where one is missing or stale.
std::vector<EvaluationId> evaluations(storage::Db& db, const Lens& lens, RunId run, std::uint32_t seeds) {
  std::vector<EvaluationId> found;
  for (const ProtocolSpec& spec : with_seeds(lens.spec, seeds)) {
    storage::Statement protocol = db.prepare(storage::sql::kProtocolIdByNameAndSample);
    if (!protocol.bind(lens.dataset, spec.name(), static_cast<std::int64_t>(lens.sample)).step()) return {};
    const auto one = current_evaluation(db, run, Tier::kJudge, protocol.id<ProtocolId>(0), lens.judge);
    if (!one || !one->changed.empty()) return {};
    found.push_back(one->id);
  }
  return found;
}

}  // namespace

Noise load_noise(storage::Store& store, const std::string& dataset, const std::string& protocol,
                 const std::optional<std::string>& judge, const std::optional<std::uint32_t>& seeds,
                 MissingPolicy missing) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Noise result;
  result.lens = find_lens(db, dataset, protocol, judge);
  require_one_release(result.lens);
  storage::Statement last = db.prepare(storage::sql::kDatasetSeeds);
  const auto stored = last.bind(result.lens.dataset).step() ? static_cast<std::uint32_t>(last.integer(0)) : 1U;
  const std::uint32_t wanted = std::max(1U, seeds.value_or(stored));
  result.seeds = static_cast<std::uint32_t>(with_seeds(result.lens.spec, wanted).size());
  for (const bool controls : {false, true}) {
    for (const RunHead& run : list_runs(db, result.lens.dataset)) {
      if ((run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll) != controls) continue;
      NoiseLine& line = result.runs.emplace_back();
      line.run = run.name;
      line.control = controls;
      const std::vector<EvaluationId> found = evaluations(db, result.lens, run.id, wanted);
      if (found.empty()) continue;
      std::vector<std::vector<ScoredRecord>> scored;
      for (const EvaluationId seed : found) scored.push_back(load_scored(db, seed, MetricId::kSemanticDistance));
      add_value(scored, missing, line);
      add_records(rows_of(scored, missing), scored.size(), line);
      add_votes(store, result.lens, run.id, line);
    }
  }
  return result;
}

}  // namespace residue::query
