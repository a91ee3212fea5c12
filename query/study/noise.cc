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
#include "query/stored/current_evaluation.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {
namespace {

// Judged claims that the attacker did not know, and the text that they were judged against.
constexpr std::string_view kPairs = storage::sql::kLinkJudgedPairsOfRun;

constexpr auto kUnit = static_cast<double>(kOne);

std::optional<double> root(double variance) { return std::sqrt(variance); }

// A record's distances under every seed in turn, in units of 2^-32.
struct Row {
  std::uint64_t unit = 0;
  bool failed = false, missing = false;  // under some seed
  std::vector<std::int64_t> distances;

  [[nodiscard]] std::int64_t sum() const {
    return std::accumulate(distances.begin(), distances.end(), std::int64_t{0});
  }
};

std::vector<Row> rows_of(storage::Db& db, const std::vector<EvaluationId>& seeds) {
  std::map<RecordId, Row> records;
  for (const EvaluationId seed : seeds) {
    for (const ScoredRecord& one : load_scored(db, seed, MetricId::kSemanticDistance)) {
      if (one.state == State::kNotApplicable) continue;
      Row& row = records[one.record];
      row.unit = one.unit;
      row.failed = row.failed || one.state == State::kFailed;
      row.missing = row.missing || one.state == State::kMissing;
      row.distances.push_back(one.num);
    }
  }
  std::vector<Row> rows;
  for (auto& [record, row] : records) {
    if (row.distances.size() == seeds.size()) rows.push_back(std::move(row));
  }
  return rows;
}

// Variance of the mean over records, whose deviations within a person add up (Liang and Zeger 1986); nothing of one
// person.
std::optional<double> variance_of_mean(const std::vector<Row>& rows, double mean) {
  std::map<std::uint64_t, double> persons;
  for (const Row& row : rows) {
    const double own = static_cast<double>(row.sum()) / static_cast<double>(row.distances.size()) / kUnit;
    persons[row.unit] += own - mean;
  }
  if (persons.size() < 2) return std::nullopt;
  double squares = 0;
  for (const auto& [unit, off] : persons) squares += off * off;
  const auto n = static_cast<double>(rows.size()), m = static_cast<double>(persons.size());
  if (squares <= n * 1e-24) return 0.0;  // rounding of the mean
  return squares / (n * n) * m / (m - 1);
}

void add_records(const std::vector<Row>& rows, NoiseLine& line) {
  line.records = rows.size();
  if (rows.empty()) return;
  std::int64_t sum = 0;
  std::vector<std::vector<double>> cells;
  std::vector<double> means;
  for (const Row& row : rows) {
    sum += row.sum();
    line.failed += row.failed ? 1 : 0;
    line.missing += row.missing && !row.failed ? 1 : 0;
    std::vector<double>& cell = cells.emplace_back();
    for (const std::int64_t distance : row.distances) cell.push_back(static_cast<double>(distance) / kUnit);
    means.push_back(static_cast<double>(row.sum()) / static_cast<double>(row.distances.size()) / kUnit);
  }
  const auto seeds = static_cast<double>(rows.front().distances.size());
  const double mean = static_cast<double>(sum) / (static_cast<double>(rows.size()) * seeds) / kUnit;
  line.value = mean;
  const auto variance = variance_of_mean(rows, mean);
  if (const auto crossed = numbers::crossed_variance(cells)) {
    line.records_sd = root(crossed->rows);
    line.seeds_sd = root(crossed->columns);
    line.rest_sd = root(crossed->residual);
    if (variance) line.standard_error = root(*variance + crossed->columns / seeds);
  } else if (means.size() > 1) {
    double squares = 0;
    for (const double one : means) squares += (one - mean) * (one - mean);
    const auto n = static_cast<double>(means.size());
    if (squares <= n * 1e-24) squares = 0;  // rounding of the mean
    line.records_sd = root(squares / (n - 1));
    if (variance) line.standard_error = root(*variance);
  }
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
                 const std::optional<std::string>& judge, const std::optional<std::uint32_t>& seeds) {
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
      add_records(rows_of(db, found), line);
      add_votes(store, result.lens, run.id, line);
    }
  }
  return result;
}

}  // namespace residue::query
