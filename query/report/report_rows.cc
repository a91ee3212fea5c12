#include "query/report/report_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/inputs/labels.h"
#include "query/inputs/linkers.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/metric/aggregate.h"
#include "query/outside/outside_store.h"
#include "query/stored/answered.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {
namespace {

constexpr std::string_view kRuns = storage::sql::kRunsForReport;
constexpr std::string_view kEvaluation = storage::sql::kEvaluationWithPresentClaims;
constexpr std::string_view kRows = storage::sql::kMetricsOfEvaluation;

// Sets of answers, and whether their metrics are up to date.
constexpr std::string_view kAnswers = storage::sql::kAnswerSetsWithEvaluation;

std::optional<double> real(const storage::Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.real(column);
}

MetricValue value_of(const storage::Statement& row, MissingPolicy missing) {
  MetricValue value;
  const int first = missing == MissingPolicy::kDrop ? 11 : 2;
  value.value = real(row, first);
  value.low = real(row, first + 1);
  value.high = real(row, first + 2);
  value.n = row.real(5);
  value.failed = row.real(6);
  value.missing = row.real(7);
  value.not_applicable = row.real(8);
  value.if_leaked = real(row, 9);
  value.if_private = real(row, 10);
  const int units = missing == MissingPolicy::kDrop ? 15 : 14;
  const MetricDefinition& about = definition(static_cast<MetricId>(row.integer(0)));
  value.coverage = coverage_of(about, value.n, value.failed, value.missing, value.not_applicable);
  const double parts = about.parts;
  if (!row.is_null(units)) value.units = static_cast<double>(row.integer(units)) / parts;
  // Of rates per 100 their hundredth.
  if (value.units && value.value) value.hits = std::floor(*value.value / about.high * *value.units + 0.5);
  return value;
}

void put_row(ReportMetric& metric, const storage::Statement& row, MissingPolicy missing) {
  const Slice slice(row.text(1), definition(static_cast<MetricId>(row.integer(0))));
  if (slice.all()) {
    metric.all = value_of(row, missing);
  } else if (const auto* bin = slice.as<Slice::Bin>()) {
    metric.bins.resize(kBins);
    metric.bins[bin->number] = value_of(row, missing);
  } else if (const auto* cut = slice.as<Slice::Cut>()) {
    metric.cuts[cut->name] = value_of(row, missing);
  } else if (const auto* outcome = slice.as<Outcome>()) {
    auto& part = *outcome == Outcome::kRight   ? metric.right
                 : *outcome == Outcome::kWrong ? metric.wrong
                                               : metric.not_linked;
    part = value_of(row, missing);
  }
}

void explain_unmeasured(ReportRun& run) {
  for (const MetricId id : {MetricId::kAuxOverlap, MetricId::kExcessLeakage}) {
    const auto found = run.metrics.find(id);
    if (found == run.metrics.end() || found->second.all.value || found->second.all.missing == 0) continue;
    found->second.reason = "the judge rated no text that the attacker knows beforehand";
  }
}

void require_answers(storage::Db& db, DatasetId dataset, const std::string& model) {
  std::vector<std::string> known;
  storage::Statement names = db.prepare(storage::sql::kAnswerSetModelsOfDataset);
  names.bind(dataset);
  while (names.step()) known.emplace_back(names.text(0));
  if (std::find(known.begin(), known.end(), model) != known.end()) return;
  throw Error(Code::kNotFound, fmt::format("no model of this name answered a task{}", did_you_mean(model, known)),
              known.empty() ? "residue ask asks a model" : fmt::format("answered: {}", fmt::join(known, ", ")));
}

}  // namespace

std::map<std::string, std::string> params_of(std::string_view json) {
  std::map<std::string, std::string> params;
  Json object = Json::parse(json).value_or(Json());
  if (object.contains("method") && object.contains("params")) object = Json(object["params"]);
  if (!object.is_object()) return params;
  for (const auto& [name, value] : object.items()) {
    params[name] = value.is_string() ? value.get<std::string>() : value.sorted().dump();
  }
  return params;
}

RunReader::RunReader(storage::Db& db, DatasetId dataset, MissingPolicy missing, std::optional<std::string> model)
    : db_(db),
      content_(dataset_content(db, dataset)),
      labels_(label_content(db, dataset)),
      missing_(missing),
      evaluation_(db.prepare(kEvaluation)),
      rows_(db.prepare(kRows)),
      answers_(db.prepare(kAnswers)),
      corpora_(db),
      vectors_(db),
      dataset_(dataset),
      has_control_(find_outside_control(db, dataset).has_value()) {
  if (model) require_answers(db, dataset, *model);
  storage::Statement models = db.prepare(storage::sql::kAnswerSetModelsByTask);
  models.bind(dataset);
  while (models.step()) {
    if (!has_metrics(models.text(0)) || (model && models.text(1) != *model)) continue;
    answerers_.try_emplace(std::string(models.text(0)), models.text(1));  // the first row of a task
  }
}

std::vector<ReportRun> RunReader::read(ProtocolId protocol, JudgeId judge, std::optional<ProtocolId> baseline) {
  std::vector<ReportRun> runs;
  storage::Statement list = db_.prepare(kRuns);
  list.bind(dataset_);
  while (list.step()) {
    ReportRun run;
    const auto id = list.id<RunId>(0);
    run.run = std::string(list.text(1));
    run.control = list.text(2) == "none" || list.text(2) == "remove-all";
    run.group = list.text_or_null(3);
    const std::string content(list.text(4));
    run.records = list.integer(5);
    run.sanitizer = list.text_or_null(6);
    run.params = params_of(list.text(7));
    if (tier(run, id, Tier::kJudge, protocol, judge, content)) {
      run.evaluated = true;
      explain_unmeasured(run);
      tier(run, id, Tier::kLink, protocol, JudgeId{}, content);
      tier(run, id, Tier::kText, ProtocolId{}, JudgeId{}, content);
      const bool labelled = tier(run, id, Tier::kLabel, ProtocolId{}, JudgeId{}, content);
      run.stale = run.stale || (!labelled && !labels_.empty());  // labels came in, and nothing was computed of them
      corpus(run, id);
      vectors(run, id, protocol);
      tasks(run, id);
      outside(run, id, list.text(2) == "synthetic", protocol, judge, content);
      if (baseline && *baseline != protocol) lexical_distance(run, id, *baseline, content);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

void RunReader::lexical_distance(ReportRun& run, RunId id, ProtocolId baseline, const std::string& content) {
  ReportRun other;
  if (!tier(other, id, Tier::kLink, baseline, JudgeId{}, content)) return;
  const auto found = other.metrics.find(MetricId::kLexicalDistance);
  // Of another attacker: where it is old it is not shown, and this one is no older for it.
  if (found == other.metrics.end() || other.stale) return;
  run.metrics[MetricId::kLexicalDistance] = std::move(found->second);
}

void RunReader::corpus(ReportRun& run, RunId id) {
  for (const MetricDefinition& about : metric_definitions()) {
    if (about.tier != Tier::kCorpus) continue;
    const auto evaluation = corpora_.current(id, about.id);
    if (!evaluation) continue;
    ReportMetric& metric = run.metrics[about.id];
    metric.stale = !evaluation->changed.empty();
    std::optional<double> deviation;
    rows_.bind(evaluation->id);
    while (rows_.step()) {
      if (static_cast<MetricId>(rows_.integer(0)) != about.id) continue;
      if (rows_.text(1) == "median") {
        metric.median = value_of(rows_, missing_).value;
      } else if (rows_.text(1) == "std") {
        deviation = value_of(rows_, missing_).value;
      } else {
        put_row(metric, rows_, missing_);
      }
    }
    metric.all.deviation = deviation;
    metric.reason = metric_reason(db_, evaluation->id, about.id);
    metric.model = evaluation->embedder;
    if (metric.model.empty() && about.id == MetricId::kTopicDistance) metric.model = kNoEmbedder;
    if (metric.stale) run.old.push_back({about.id, metric.model, {}});
  }
}

void RunReader::vectors(ReportRun& run, RunId id, ProtocolId protocol) {
  const auto evaluation = vectors_.current(id, protocol);
  if (!evaluation) return;
  const bool stale = !evaluation->changed.empty();
  if (stale) {
    run.old.push_back({MetricId::kEmbeddingDistance, evaluation->embedder, claims_remedy(db_, id, protocol)});
  }
  rows_.bind(evaluation->id);
  while (rows_.step()) {
    ReportMetric& metric = run.metrics[static_cast<MetricId>(rows_.integer(0))];
    put_row(metric, rows_, missing_);
    metric.model = evaluation->embedder;
    metric.stale = stale;
  }
}

void RunReader::outside(ReportRun& run, RunId id, bool synthetic, ProtocolId protocol, JudgeId judge,
                        const std::string& content) {
  if (!has_control_) return;
  const bool compared = tier(run, id, Tier::kOutside, ProtocolId{}, JudgeId{}, content);
  run.stale = run.stale || (synthetic && !compared);
  storage::Statement name = db_.prepare(storage::sql::kProtocolNameById);
  if (!name.bind(protocol).step() || parse_protocol(name.text(0)).linker->control()) return;
  const bool attacked = tier(run, id, Tier::kOutside, protocol, judge, content);
  run.stale = run.stale || !attacked;
}

bool RunReader::tier(ReportRun& run, RunId id, Tier tier, ProtocolId protocol, JudgeId judge,
                     const std::string& content) {
  evaluation_.bind(id, tier_name(tier), protocol, judge);
  if (!evaluation_.step()) return false;
  // Tier text has no claims; there it says which lexicon its sentiment is of.
  const std::string claims(tier == Tier::kLabel ? std::string_view(labels_)
                                                : evaluation_.text(tier == Tier::kText ? 4 : 5));
  const bool stale = evaluation_.text(1) != kDefinitions || evaluation_.text(2) != content ||
                     evaluation_.text(3) != content_ || evaluation_.text(4) != claims;
  run.stale = run.stale || stale;
  rows_.bind(evaluation_.id<EvaluationId>(0));
  while (rows_.step()) {
    const auto id_of = static_cast<MetricId>(rows_.integer(0));
    ReportMetric& metric = run.metrics[id_of];
    put_row(metric, rows_, missing_);
    metric.stale = stale;
    if (tier == Tier::kOutside && !metric.all.value) {
      metric.reason = metric_reason(db_, evaluation_.id<EvaluationId>(0), id_of);
    }
    const bool explained = tier == Tier::kLink && definition(id_of).kind == Kind::kWhole && !metric.all.value;
    if (explained) metric.reason = metric_reason(db_, evaluation_.id<EvaluationId>(0), id_of);
  }
  evaluation_.reset();
  return true;
}

void RunReader::tasks(ReportRun& run, RunId id) {
  struct Set {
    std::string model, task;
    std::optional<EvaluationId> evaluation;
    bool current = false;
  };
  std::vector<Set> sets;
  answers_.bind(id, kDefinitions);
  while (answers_.step()) {
    if (!has_metrics(answers_.text(1))) continue;
    Set set{std::string(answers_.text(0)), std::string(answers_.text(1)), std::nullopt, false};
    if (!answers_.is_null(2)) set.evaluation = answers_.id<EvaluationId>(2);
    set.current = !answers_.is_null(3) && answers_.integer(3) != 0;
    sets.push_back(std::move(set));
  }
  std::map<std::string, std::vector<std::string>> others;  // of this run, by task: models that are not shown
  std::set<std::string> answered;
  for (const Set& set : sets) {
    run.stale = run.stale || !set.current;  // `eval` computes the metrics of every model's answers
    const auto shown = answerers_.find(set.task);
    if (shown == answerers_.end()) continue;
    if (shown->second == set.model) {
      answered.insert(set.task);
    } else {
      others[set.task].push_back(set.model);
    }
  }
  for (const auto& [task, models] : others) {
    if (answered.count(task) == 0) run.unanswered.push_back({task, models});
  }
  for (const Set& set : sets) {
    const auto shown = answerers_.find(set.task);
    if (shown == answerers_.end() || shown->second != set.model || !set.evaluation) continue;
    rows_.bind(*set.evaluation);
    while (rows_.step()) {
      ReportMetric& metric = run.metrics[static_cast<MetricId>(rows_.integer(0))];
      put_row(metric, rows_, missing_);
      metric.reason = metric_reason(db_, *set.evaluation, static_cast<MetricId>(rows_.integer(0)));
      metric.model = set.model;
      metric.stale = !set.current;
      metric.others = others[set.task];
    }
  }
}

}  // namespace residue::query
