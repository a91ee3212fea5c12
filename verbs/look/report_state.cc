#include "verbs/look/report_state.h"

#include "query/report/report_values.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using query::Tier;

void add_age(ReportState& state, const query::ReportRun& run) {
  if (run.stale) state.stale.push_back(run.run);
  if (!run.stale && !run.old.empty()) {
    state.partly.push_back(run.run);
    for (const query::OldMetric& one : run.old) state.old_metrics.emplace(query::definition(one.metric).name);
  }
  state.old.insert(state.old.end(), run.old.begin(), run.old.end());
  if (!run.evaluated) state.unevaluated.push_back(run.run);
}

void add_answers(ReportState& state, const query::ReportRun& run) {
  state.answered = state.answered || !run.unanswered.empty();
  for (const query::Unanswered& one : run.unanswered) {
    state.unanswered[one.task].insert(run.run);
    state.other_models.insert(one.others.begin(), one.others.end());
  }
}

void add_metric(ReportState& state, const query::ReportRun& run, MetricId id, const query::ReportMetric& metric) {
  const query::MetricDefinition& of = query::definition(id);
  const std::string name(of.name);
  if (of.tier == Tier::kTask) {
    state.answered = true;
    state.other_models.insert(metric.others.begin(), metric.others.end());
  }
  if ((of.tier == Tier::kCorpus || of.tier == Tier::kVector) && !metric.model.empty()) {
    state.embedders[name][metric.model].insert(run.run);
  }
  if (of.tier == Tier::kJudge && !metric.reason.empty()) state.unmeasured[metric.reason].insert(name);
}

void add_unjudged(ReportState& state, const query::ReportRun& run) {
  const query::ReportMetric* metric = metric_of(run, MetricId::kSemanticDistance);
  if (metric == nullptr) return;
  const query::MetricValue& all = metric->all;
  if (all.not_applicable <= (state.unjudged ? state.unjudged->records : 0)) return;
  state.unjudged = {all.not_applicable, all.not_applicable + all.n + all.failed + all.missing};
}

// Whoever always says the same fails the question whose answer is known in every text.
void look_at_judge(ReportState& state, const query::Report& report) {
  bool originals = false;
  std::set<int> ratings;
  for (const query::ReportRun& run : report.runs) {
    const std::optional<double> led = value_of(run, MetricId::kInjectionSuspect);
    if (!led) continue;  // nothing was found that could lead anybody
    if (*led < 1) return;
    originals = originals || run.run == "none";
    const query::ReportMetric* leaked = metric_of(run, MetricId::kLeakRate);
    // Lost texts count as leaked, whatever the judge says.
    if (leaked == nullptr || leaked->all.failed + leaked->all.missing > 0) continue;
    const double part = value_of(run, MetricId::kLeakRate).value_or(-1);
    const double full = value_of(run, MetricId::kFullLeakRate).value_or(-1);
    ratings.insert(full == 1 ? 1 : full == 0 && part == 1 ? 2 : part == 0 ? 3 : 0);
  }
  state.blind = originals;
  if (originals && ratings.size() == 1 && *ratings.begin() != 0) state.always = *ratings.begin();
}

}  // namespace

ReportState state_of(const query::Report& report) {
  ReportState state;
  const bool knows_all = report.spec.policy.kind == query::Policy::Kind::kAll;
  for (const query::ReportRun& run : report.runs) {
    add_age(state, run);
    add_answers(state, run);
    for (const auto& [id, metric] : run.metrics) add_metric(state, run, id, metric);
    const double led = value_of(run, MetricId::kInjectionSuspect).value_or(0);
    if (led > 0) state.suspects.push_back({run.run, led});
    if (knows_all) add_unjudged(state, run);
  }
  look_at_judge(state, report);
  return state;
}

const query::ReportRun* leakiest(const query::Report& report) {
  const query::ReportRun* found = nullptr;
  double most = -1;
  for (const query::ReportRun& run : report.runs) {
    const std::optional<double> rate = value_of(run, MetricId::kLeakRate);
    if (run.control || !rate || *rate <= most) continue;
    most = *rate;
    found = &run;
  }
  return found;
}

}  // namespace residue::verbs
