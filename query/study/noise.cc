#include "query/study/noise.h"

#include <algorithm>
#include <cmath>
#include <map>
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

std::optional<double> root(double variance) { return std::sqrt(variance); }

// Distances by record, under every seed in turn.
std::vector<std::vector<double>> cells_of(storage::Db& db, const std::vector<EvaluationId>& seeds) {
  std::map<RecordId, std::vector<double>> records;
  for (const EvaluationId seed : seeds) {
    for (const ScoredRecord& one : load_scored(db, seed, MetricId::kSemanticDistance)) {
      if (one.state != State::kValue) continue;
      records[one.record].push_back(static_cast<double>(one.num) / static_cast<double>(kOne));
    }
  }
  std::vector<std::vector<double>> cells;
  for (auto& [record, values] : records) {
    if (values.size() == seeds.size()) cells.push_back(std::move(values));
  }
  return cells;
}

void add_records(const std::vector<std::vector<double>>& cells, NoiseLine& line) {
  line.records = cells.size();
  if (cells.empty()) return;
  std::vector<double> means;
  double mean = 0;
  for (const auto& row : cells) {
    double sum = 0;
    for (const double value : row) sum += value;
    means.push_back(sum / static_cast<double>(row.size()));
    mean += means.back() / static_cast<double>(cells.size());
  }
  line.value = mean;
  if (const auto crossed = numbers::crossed_variance(cells)) {
    line.records_sd = root(crossed->rows);
    line.seeds_sd = root(crossed->columns);
    line.rest_sd = root(crossed->residual);
    line.standard_error = crossed->standard_error;
  } else if (means.size() > 1) {
    double squares = 0;
    for (const double one : means) squares += (one - mean) * (one - mean);
    const auto n = static_cast<double>(means.size());
    if (squares <= n * 1e-24) squares = 0;  // rounding of the mean
    line.records_sd = root(squares / (n - 1));
    line.standard_error = *line.records_sd / std::sqrt(n);
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
      add_records(cells_of(db, found), line);
      add_votes(store, result.lens, run.id, line);
    }
  }
  return result;
}

}  // namespace residue::query
