#include "verbs/tables/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "query/inputs/protocol.h"
#include "query/metric/contribution.h"
#include "query/metric/metrics.h"
#include "query/report/report_values.h"
#include "query/stored/current_evaluation.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/sources/run.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using query::Tier;

// Names, because a row without a number of its own must still say what was not tested.
struct Number {
  std::string_view criterion, attack, control, net;
  std::string_view command;  // what computes it, where eval alone does not
};

constexpr std::string_view kSinglingOut = "singling out", kLinkability = "linkability", kInference = "inference";
constexpr Number kNumbers[] = {
    {kSinglingOut, "mean_risk", "", "", ""},
    {kSinglingOut, "max_risk", "", "", ""},
    {kSinglingOut, "rare_phrase_density", "", "", "residue eval {0} --metrics rare_phrase_density"},
    {kLinkability, "linkage_rate_person", "", "", ""},
    {kLinkability, "open_recall_95", "", "", ""},
    {kLinkability, "same_person_linkage", "", "same_person_linkage_net",
     "residue eval {0} --metrics same_person_linkage,same_person_linkage_net"},
    {kInference, "leak_rate", "leak_rate_absent", "leak_rate_net", ""},
    {kInference, "full_leak_rate", "full_leak_rate_absent", "full_leak_rate_net", ""},
    {kInference, "leak_rate_gain", "", "", ""},
    {kInference, "full_leak_rate_gain", "", "", ""},
    {kInference, "attribute_accuracy", "", "attribute_advantage", "residue ask {0} --task attributes --with MODEL"},
    {kInference, "anonymeter_risk", "", "", "residue ingest dataset OTHERS FILE --control-of {0}"},
    {kInference, "membership_auc", "", "", "residue ingest dataset OTHERS FILE --control-of {0}"},
};

std::optional<query::MetricValue> value_of(const query::ReportRun& run, std::string_view name) {
  const auto id = query::find_metric(name);
  const query::ReportMetric* metric = id ? query::metric_of(run, *id) : nullptr;
  if (metric == nullptr) return std::nullopt;
  return metric->all;
}

// The evaluation that the metric's scores are in; nothing where its tier is of answers or others that a report may
// choose among.
std::optional<EvaluationId> evaluation_of(storage::Db& db, const query::Lens& lens, RunId run, Tier tier) {
  const bool attack = tier == Tier::kLink || tier == Tier::kJudge;
  if (!attack && tier != Tier::kText) return std::nullopt;
  const auto found = query::current_evaluation(db, run, tier, attack ? lens.protocol : ProtocolId{},
                                               tier == Tier::kJudge ? lens.judge : JudgeId{});
  if (!found) return std::nullopt;
  return found->id;
}

void add_worst(storage::Db& db, const std::vector<query::Lens>& lenses, RunId run, MetricId metric, bool drop,
               CriterionRow& row) {
  struct Sum {
    std::int64_t num = 0, den = 0;
  };
  const query::MetricDefinition& definition = query::definition(metric);
  if (definition.kind != query::Kind::kMean && definition.kind != query::Kind::kShare &&
      definition.kind != query::Kind::kPooled) {
    return;
  }
  std::map<std::uint64_t, Sum> persons;
  for (const query::Lens& lens : lenses) {
    const auto evaluation = evaluation_of(db, lens, run, definition.tier);
    if (!evaluation) return;
    for (const auto& [c, unit] : query::weighted_scores(db, *evaluation, metric)) {
      if (c.state == query::State::kNotApplicable || (drop && c.state != query::State::kValue)) continue;
      persons[unit].num += c.num;
      persons[unit].den += c.den;
    }
  }
  const double one = definition.kind == query::Kind::kMean ? static_cast<double>(query::kOne) : 1;
  for (const auto& [unit, sum] : persons) {
    if (sum.den == 0) continue;
    ++row.persons;
    const double own = static_cast<double>(sum.num) / static_cast<double>(sum.den) / one;
    if (!row.worst || own > *row.worst) {
      row.worst = own;
      row.worst_persons = 0;
    }
    row.worst_persons += own == *row.worst ? 1 : 0;
  }
}

std::string why_not(const query::ReportRun& run, std::string_view name) {
  const auto id = query::find_metric(name);
  const query::ReportMetric* metric = id ? query::metric_of(run, *id) : nullptr;
  if (metric == nullptr) return run.evaluated ? "not computed" : "not evaluated under this protocol by this judge";
  if (!metric->reason.empty()) return metric->reason;
  return "no record that it applies to has a value";
}

RunCriteria criteria_of(storage::Db& db, const query::Report& report, const std::vector<query::Lens>& lenses,
                        const query::ReportRun& run, RunId id) {
  RunCriteria all;
  all.run = run.run;
  const bool drop = report.missing == query::MissingPolicy::kDrop;
  for (const Number& number : kNumbers) {
    if (!query::find_metric(number.attack)) continue;
    const auto attack = value_of(run, number.attack);
    const std::string command = fmt::format(
        fmt::runtime(number.command.empty() ? std::string_view("residue eval {0}") : number.command), report.dataset);
    if (!attack || !attack->value) {
      const std::string why = why_not(run, number.attack);
      all.not_tested.push_back(
          {std::string(number.attack), why, why == "not computed" || attack == std::nullopt ? command : ""});
      continue;
    }
    CriterionRow row{number.criterion, std::string(number.attack)};
    row.attack = attack;
    row.control = value_of(run, number.control);
    row.net = value_of(run, number.net);
    row.stale = query::is_stale(run, *query::find_metric(number.attack));
    add_worst(db, lenses, id, *query::find_metric(number.attack), drop, row);
    if (!number.net.empty() && (!row.net || !row.net->value)) {
      const bool model = !row.net && number.criterion == kInference && !number.control.empty();
      all.not_tested.push_back({std::string(number.net), row.net ? why_not(run, number.net) : "not computed",
                                model ? fmt::format("residue eval {} --absent", report.dataset) : ""});
    }
    all.rows.push_back(std::move(row));
  }
  return all;
}

std::vector<NotTested> never_tested(const query::Report& report) {
  std::vector<NotTested> all;
  all.push_back({"attackers who know more, or other things", fmt::format("the numbers are of {}", report.protocol),
                 "residue eval " + report.dataset + " --protocol X"});
  if (report.spec.runs().size() <= 1) {
    all.push_back({"several releases of the same persons together", "the attacker holds one run",
                   "residue eval " + report.dataset + " --combine RUN,RUN"});
  }
  all.push_back({"what attackers find elsewhere", "nobody searched the web or other data about these persons"});
  all.push_back({"models trained on the release", "what they would repeat is another question"});
  all.push_back({"what is no text", "file names, order, dates of files, formats"});
  return all;
}

}  // namespace

Criteria criteria_of(storage::Store& store, const query::Report& report) {
  storage::Db& db = store.db();
  const query::Lens lens = query::find_lens(db, report.dataset, report.spec.name(), report.judge);
  const std::vector<query::Lens> lenses = query::seed_lenses(db, lens, report.seeds);
  Criteria all;
  for (const query::ReportRun& run : report.runs) {
    storage::Statement find = db.prepare(storage::sql::kRunByName);
    if (!find.bind(lens.dataset, run.run).step()) continue;
    all.runs.push_back(criteria_of(db, report, lenses, run, find.id<RunId>(0)));
  }
  all.never = never_tested(report);
  return all;
}

}  // namespace residue::verbs
