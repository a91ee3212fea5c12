#include "query/study/corrected_rates.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/error.h"
#include "query/agree/agreement_report.h"
#include "query/compare/paired_scores.h"
#include "query/inputs/snapshot.h"
#include "query/stored/current_evaluation.h"

namespace residue::query {
namespace {

using Frequencies = std::array<double, 3>;  // of the judge's ratings
using Sums = std::array<std::int64_t, numbers::kReplicates>;
using Cells = std::array<std::array<std::int64_t, 3>, 2>;  // [people: leaked][the judge's rating - 1]

struct SampledLabels {
  std::array<std::array<Sums, 3>, 2> cells{};
};

// Each of the judge's ratings gets the frequency it has among what the judge rated.
std::optional<numbers::Misclassification> errors_of(const Cells& cells, const Frequencies& frequencies) {
  std::array<std::array<double, 2>, 2> matrix{};
  for (std::size_t rating = 0; rating < 3; ++rating) {
    const auto labels = static_cast<double>(cells[0][rating] + cells[1][rating]);
    if (frequencies[rating] <= 0) continue;
    if (labels == 0) return std::nullopt;
    for (std::size_t people = 0; people < 2; ++people) {
      matrix[people][rating < 2 ? 1 : 0] += static_cast<double>(cells[people][rating]) / labels * frequencies[rating];
    }
  }
  return numbers::misclassification(matrix);
}

// What the run's records add, as a whole and in every replicate.
struct RunSums {
  std::int64_t leaked = 0, rated = 0, lost = 0;  // claims
  std::int64_t full = 0;                         // of `leaked`, those rated 1
  Sums leaked_in{}, rated_in{}, lost_in{};
};

void add_run(const std::vector<ScoredRecord>& rates, const std::vector<ScoredRecord>& full, MissingPolicy missing,
             RunSums& sums, CorrectedRate& line) {
  numbers::Weights weights;
  for (const ScoredRecord& one : rates) {
    if (one.state == State::kNotApplicable) continue;
    numbers::draw_weights(one.unit, weights);
    if (one.state == State::kValue) {
      ++line.records;
      sums.leaked += one.num;
      sums.rated += one.den;
      numbers::add_weighted(weights, one.num, sums.leaked_in);
      numbers::add_weighted(weights, one.den, sums.rated_in);
      continue;
    }
    ++(one.state == State::kFailed ? line.failed : line.missing);
    if (missing == MissingPolicy::kDrop) continue;
    sums.lost += one.den;
    numbers::add_weighted(weights, one.den, sums.lost_in);
  }
  for (const ScoredRecord& one : full) sums.full += one.state == State::kValue ? one.num : 0;
}

std::optional<double> corrected(std::int64_t leaked, std::int64_t rated, std::int64_t lost,
                                const std::optional<numbers::Misclassification>& judge) {
  if (!judge || rated + lost == 0) return std::nullopt;
  if (rated == 0) return 1.0;
  const auto rate = numbers::rogan_gladen(static_cast<double>(leaked) / static_cast<double>(rated), *judge);
  if (!rate) return std::nullopt;
  return (*rate * static_cast<double>(rated) + static_cast<double>(lost)) / static_cast<double>(rated + lost);
}

struct Labels {
  Cells cells{};
  std::unique_ptr<SampledLabels> sampled = std::make_unique<SampledLabels>();
};

Labels count_labels(const std::vector<RatedLabel>& labels) {
  Labels counted;
  numbers::Weights weights;
  for (const RatedLabel& label : labels) {
    const std::size_t people = label.people <= 2 ? 1 : 0;
    ++counted.cells[people][label.judge - 1U];
    numbers::draw_weights(label.unit, weights);
    numbers::add_weighted(weights, 1, counted.sampled->cells[people][label.judge - 1U]);
  }
  return counted;
}

Frequencies frequencies_of(const std::vector<RunSums>& runs, const std::vector<CorrectedRate>& lines) {
  Frequencies frequencies{};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (lines[i].control) continue;
    frequencies[0] += static_cast<double>(runs[i].full);
    frequencies[1] += static_cast<double>(runs[i].leaked - runs[i].full);
    frequencies[2] += static_cast<double>(runs[i].rated - runs[i].leaked);
  }
  return frequencies;
}

void correct(const RunSums& run, const Labels& labels, const Frequencies& frequencies,
             const std::optional<numbers::Misclassification>& judge, CorrectedRate& line) {
  if (run.rated + run.lost == 0) return;
  line.observed = static_cast<double>(run.leaked + run.lost) / static_cast<double>(run.rated + run.lost);
  line.corrected = corrected(run.leaked, run.rated, run.lost, judge);
  if (!line.corrected) return;
  std::vector<double> values;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    Cells cells{};
    for (std::size_t people = 0; people < 2; ++people) {
      for (std::size_t rating = 0; rating < 3; ++rating) {
        cells[people][rating] = labels.sampled->cells[people][rating][b];
      }
    }
    const auto value = corrected(run.leaked_in[b], run.rated_in[b], run.lost_in[b], errors_of(cells, frequencies));
    if (value) values.push_back(*value);
  }
  line.interval = numbers::percentile_interval(values);
}

}  // namespace

CorrectedRates load_corrected(storage::Store& store, const std::string& dataset, const std::string& protocol,
                              const std::optional<std::string>& judge, MissingPolicy missing) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  CorrectedRates result;
  result.lens = find_lens(db, dataset, protocol, judge);
  result.missing = missing;
  const std::vector<RatedLabel> rated = rated_labels(store, dataset, result.lens.judge_name);
  result.labels = rated.size();
  if (rated.size() < kFewestCorrecting) {
    throw Error(Code::kNotFound,
                fmt::format("people rated {} claims of {} that {} rated too: {} are needed to know how it errs",
                            rated.size(), dataset, result.lens.judge_name, kFewestCorrecting),
                fmt::format("residue label {}/RUN draws pairs for people to rate", dataset));
  }
  const Labels labels = count_labels(rated);
  std::vector<RunSums> runs;
  for (const bool controls : {false, true}) {
    for (const RunHead& run : list_runs(db, result.lens.dataset)) {
      const bool control = run.kind == RunKind::kNone || run.kind == RunKind::kRemoveAll;
      if (control != controls) continue;
      CorrectedRate& line = result.runs.emplace_back();
      line.run = run.name;
      line.control = control;
      RunSums& sums = runs.emplace_back();
      const auto found = current_evaluation(db, run.id, Tier::kJudge, result.lens.protocol, result.lens.judge);
      if (!found || !found->changed.empty()) continue;
      add_run(load_scored(db, found->id, MetricId::kLeakRate), load_scored(db, found->id, MetricId::kFullLeakRate),
              missing, sums, line);
    }
  }
  const Frequencies frequencies = frequencies_of(runs, result.runs);
  result.judge = errors_of(labels.cells, frequencies);
  for (std::size_t i = 0; i < runs.size(); ++i) correct(runs[i], labels, frequencies, result.judge, result.runs[i]);
  return result;
}

}  // namespace residue::query
