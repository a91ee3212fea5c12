#include "verbs/tables/criteria.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "query/inputs/protocol.h"
#include "query/metric/contribution.h"
#include "query/metric/metrics.h"
#include "query/report/judged_run.h"
#include "query/report/report_values.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/sources/dataset.h"
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
    {kInference, "leak_rate_gain", "leak_rate_gain_chance", "", ""},
    {kInference, "full_leak_rate_gain", "full_leak_rate_gain_chance", "", ""},
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

void add_worst(storage::Db& db, const std::vector<query::Lens>& lenses, RunId run, MetricId metric, bool drop,
               CriterionRow& row) {
  struct Sum {
    std::int64_t num = 0, den = 0;
    bool unknown = false;  // something of unknown size is lost: at worst all of it leaked
  };
  const query::MetricDefinition& definition = query::definition(metric);
  if (definition.kind != query::Kind::kMean && definition.kind != query::Kind::kShare &&
      definition.kind != query::Kind::kPooled && definition.kind != query::Kind::kGain) {
    return;
  }
  std::map<std::uint64_t, Sum> persons;
  for (const query::Lens& lens : lenses) {
    const auto evaluation = query::evaluation_of(db, lens, run, definition.tier);
    if (!evaluation) return;
    for (const auto& [c, unit] : query::weighted_scores(db, *evaluation, metric)) {
      if (c.state == query::State::kNotApplicable || (drop && c.state != query::State::kValue)) continue;
      Sum& person = persons[unit];
      person.num += c.num;
      person.den += c.den;
      person.unknown = person.unknown || (c.state != query::State::kValue && c.den == 0);
    }
  }
  const double one = definition.kind == query::Kind::kMean ? static_cast<double>(query::kOne) : 1;
  for (const auto& [unit, sum] : persons) {
    if (sum.den == 0 && !sum.unknown) continue;
    ++row.persons;
    const double own = sum.unknown ? 1 : static_cast<double>(sum.num) / static_cast<double>(sum.den) / one;
    if (!row.worst || own > *row.worst) {
      row.worst = own;
      row.worst_persons = 0;
    }
    row.worst_persons += own == *row.worst ? 1 : 0;
  }
}

// Why this run cannot have the net or its control; empty: it can.
std::string impossible(const query::ReportRun& run, bool synthetic, const Number& number) {
  const bool inference = number.criterion == kInference && !number.control.empty();
  if (synthetic && inference) {
    return "the texts of a synthetic run belong to nobody, so none can be left out";
  }
  const auto control = value_of(run, number.control);
  return control && control->value == 1.0 ? "the control learns all that is known" : "";
}

std::string why_not(const query::ReportRun& run, std::string_view name) {
  const auto id = query::find_metric(name);
  const query::ReportMetric* metric = id ? query::metric_of(run, *id) : nullptr;
  if (metric == nullptr) return run.evaluated ? "not computed" : "not evaluated under this protocol by this judge";
  if (!metric->reason.empty()) return metric->reason;
  return "no record that it applies to has a value";
}

CriterionRow row_of(const Number& number, const query::ReportRun& run) {
  CriterionRow row{number.criterion, std::string(number.attack), number.control, number.net};
  row.attack = value_of(run, number.attack);
  row.control = value_of(run, number.control);
  row.net = value_of(run, number.net);
  return row;
}

// What decides which commands could help.
struct Of {
  bool synthetic = false;                        // the run
  bool has_control = false, is_control = false;  // the dataset
};

RunCriteria criteria_of(storage::Db& db, const query::Report& report, const std::vector<query::Lens>& lenses,
                        const query::ReportRun& run, RunId id, const Of& of) {
  RunCriteria all;
  all.run = run.run;
  const bool drop = report.missing == query::MissingPolicy::kDrop;
  for (const Number& number : kNumbers) {
    if (!query::find_metric(number.attack)) continue;
    const auto attack = value_of(run, number.attack);
    const std::string command = fmt::format(
        fmt::runtime(number.command.empty() ? std::string_view("residue eval {0}") : number.command), report.dataset);
    if (!attack || !attack->value) {
      const std::string none = attack ? "" : impossible(run, of.synthetic, number);
      const bool outside = number.criterion == kInference && number.command.ends_with("--control-of {0}");
      std::string how = attack || !none.empty() || (outside && of.is_control) ? "" : command;
      if (outside && of.has_control && !how.empty()) how = fmt::format("residue eval {} --membership", report.dataset);
      all.not_tested.push_back({std::string(number.attack), none.empty() ? why_not(run, number.attack) : none, how});
      continue;
    }
    CriterionRow row = row_of(number, run);
    row.stale = query::is_stale(run, *query::find_metric(number.attack));
    add_worst(db, lenses, id, *query::find_metric(number.attack), drop, row);
    if (!number.net.empty() && (!row.net || !row.net->value)) {
      const std::string none = impossible(run, of.synthetic, number);
      const bool model = none.empty() && !row.net && number.criterion == kInference && !number.control.empty();
      all.not_tested.push_back({std::string(number.net),
                                !none.empty() ? none
                                : row.net     ? why_not(run, number.net)
                                              : "not computed",
                                model ? fmt::format("residue eval {} --absent", report.dataset) : ""});
    }
    all.rows.push_back(std::move(row));
  }
  return all;
}

// Runs that some attacker whom this judge rated held together.
std::set<std::set<std::string>> held_together(storage::Db& db, DatasetId dataset, const std::string& judge) {
  std::set<std::set<std::string>> all;
  storage::Statement protocols = db.prepare(storage::sql::kEvaluationProtocolsOfJudge);
  protocols.bind(dataset, judge);
  while (protocols.step()) {
    const std::vector<std::string> runs = query::parse_protocol(protocols.text(0)).runs();
    if (runs.size() > 1) all.emplace(runs.begin(), runs.end());
  }
  return all;
}

// What of several releases nobody tested; nothing where an attacker held all runs together.
std::optional<NotTested> several_releases(const query::Report& report, const std::set<std::set<std::string>>& held) {
  std::set<std::string> runs;
  for (const query::ReportRun& run : report.runs) {
    if (!run.control) runs.insert(run.run);
  }
  NotTested none{"several releases of the same persons together", "the attacker holds one run",
                 "residue eval " + report.dataset + " --combine RUN,RUN"};
  if (held.empty()) return none;
  std::string tested;
  for (const std::set<std::string>& together : held) {
    if (std::ranges::includes(together, runs)) return std::nullopt;
    tested += fmt::format("{}{}", tested.empty() ? "" : "; ", fmt::join(together, " with "));
  }
  none.what = "other releases of the same persons together";
  none.why = "only these were held together: " + tested;
  return none;
}

std::vector<NotTested> never_tested(const query::Report& report, const std::set<std::set<std::string>>& held) {
  std::vector<NotTested> all;
  all.push_back({"attackers who know more, or other things", fmt::format("the numbers are of {}", report.protocol),
                 "residue eval " + report.dataset + " --protocol X"});
  if (auto several = several_releases(report, held)) all.push_back(std::move(*several));
  all.push_back({"what attackers find elsewhere", "nobody searched the web or other data about these persons"});
  all.push_back({"models trained on the release", "what they would repeat is another question"});
  all.push_back({"what is no text", "file names, order, dates of files, formats"});
  return all;
}

}  // namespace

std::optional<CriterionRow> criterion_row(const query::ReportRun& run, std::string_view metric) {
  for (const Number& number : kNumbers) {
    if (number.attack == metric) return row_of(number, run);
  }
  return std::nullopt;
}

Criteria criteria_of(storage::Store& store, const query::Report& report) {
  storage::Db& db = store.db();
  const query::Lens lens = query::find_lens(db, report.dataset, report.spec.name(), report.judge);
  const std::vector<query::Lens> lenses = query::seed_lenses(db, lens, report.seeds);
  Criteria all;
  Of of;
  of.has_control = db.prepare(storage::sql::kDatasetControlOf).bind(lens.dataset).step();
  of.is_control = db.prepare(storage::sql::kDatasetControlledBy).bind(lens.dataset).step();
  for (const query::ReportRun& run : report.runs) {
    storage::Statement find = db.prepare(storage::sql::kRunByNameWithKind);
    if (!find.bind(lens.dataset, run.run).step()) continue;
    of.synthetic = find.text(1) == "synthetic";
    all.runs.push_back(criteria_of(db, report, lenses, run, find.id<RunId>(0), of));
  }
  all.never = never_tested(report, held_together(db, lens.dataset, report.judge));
  return all;
}

}  // namespace residue::verbs
