#include "verbs/runs/choose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kMostNames = 5;  // of runs that are named in a sentence
constexpr std::string_view kDescending = ":desc";

std::string few(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNames);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? ", ..." : "");
}

std::vector<RunField> default_columns(const RunFields& fields, const std::vector<RunFacts>& runs) {
  std::vector<RunField> columns;
  std::vector<std::string> names = {"tag", "sanitizer"};
  for (const std::string& param : differing_params(runs)) names.push_back("param." + param);
  names.emplace_back("made");
  for (const std::string& name : names) {
    if (auto field = fields.find(name)) columns.push_back(*std::move(field));
  }
  return columns;
}

}  // namespace

const query::Report* RunNumbers::report(const std::string& dataset) {
  const auto found = reports_.find(dataset);
  if (found != reports_.end()) return found->second ? &*found->second : nullptr;
  if (store_ == nullptr) return nullptr;
  std::optional<query::Report>& report = reports_[dataset];
  query::ReportOptions what = what_;
  what.dataset = dataset;
  try {
    report = query::load_report(*store_, what);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound || !what.protocols.empty() || what.judge || what.model) throw;
  }
  return report ? &*report : nullptr;
}

const query::ReportRun* RunNumbers::of(const RunFacts& run) {
  const query::Report* all = report(run.dataset);
  if (all == nullptr) return nullptr;
  const auto found = std::ranges::find(all->runs, run.run, &query::ReportRun::run);
  return found == all->runs.end() ? nullptr : &*found;
}

Chosen choose(const std::string& where, const std::vector<RunFacts>& facts, RunNumbers& numbers) {
  Chosen chosen;
  chosen.where = where;
  std::optional<Condition> condition;
  if (!where.empty()) condition.emplace(where, facts);
  const bool asks = condition && condition->of_metrics();
  const bool several = !facts.empty() && facts.front().dataset != facts.back().dataset;
  for (const RunFacts& run : facts) {
    if (run.control) continue;
    ++chosen.of;
    const std::string name = several ? run.dataset + "/" + run.run : run.run;
    std::set<std::string> lacking;
    if (!condition || condition->met(run, asks ? numbers.of(run) : nullptr, lacking).value_or(false)) {
      chosen.runs.push_back(name);
      chosen.met.emplace(run.dataset, run.run);
    }
    for (const std::string& lacks : lacking) chosen.lacking[lacks].push_back(name);
  }
  return chosen;
}

std::vector<std::string> words_of(const Chosen& chosen) {
  std::vector<std::string> lines;
  if (!chosen.any_condition()) return lines;
  const bool one = chosen.runs.size() == 1;
  lines.push_back(fmt::format("{} of {} runs {} the condition: {}", chosen.runs.size(), chosen.of,
                              one ? "meets" : "meet", chosen.where));
  for (const auto& [name, runs] : chosen.lacking) {
    lines.push_back(fmt::format("{} {} no {}, so {} the condition: {}", runs.size(),
                                runs.size() == 1 ? "run has" : "runs have", name,
                                runs.size() == 1 ? "it does not meet" : "they do not meet", few(runs)));
  }
  return lines;
}

void require_some(const Chosen& chosen, const std::string& dataset) {
  if (!chosen.any_condition() || !chosen.runs.empty()) return;
  std::string lacks;
  for (const auto& [name, runs] : chosen.lacking) lacks += fmt::format("; {} of them have no {}", runs.size(), name);
  const std::string of = dataset.empty() ? std::string() : " of " + dataset;
  throw Error(Code::kNotFound,
              fmt::format("--where: none of the {} runs{} meets the condition{}", chosen.of, of, lacks),
              fmt::format("residue show {} lists the runs with their tags and settings",
                          dataset.empty() ? "DATASET" : dataset));
}

Chosen choose_runs(query::Report& report, const std::string& where, const std::vector<RunFacts>& facts) {
  RunNumbers numbers(report);
  Chosen chosen = choose(where, facts, numbers);
  if (!chosen.any_condition()) return chosen;
  require_some(chosen, report.dataset);
  for (auto* runs : {&report.runs, &report.oracle, &report.random}) {
    std::erase_if(*runs,
                  [&](const query::ReportRun& run) { return !run.control && !chosen.has(report.dataset, run.run); });
  }
  return chosen;
}

std::vector<std::string> differing_params(const std::vector<RunFacts>& runs) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunFacts& run : runs) {
    for (const auto& [name, value] : run.params) values[name].insert(value);
  }
  std::vector<std::string> names;
  for (const auto& [name, all] : values) {
    if (all.size() > 1) names.push_back(name);
  }
  return names;
}

namespace {

RunList listed(storage::Store& store, const ListOptions& options, RunNumbers& numbers) {
  const std::vector<RunFacts> facts = run_facts(store.db(), options.what.dataset);
  RunList result;
  result.dataset = options.what.dataset;
  if (const query::Report* report = numbers.report(result.dataset)) {
    result.protocol = report->protocol;
    result.judge = report->judge;
  }
  result.chosen = choose(options.where, facts, numbers);
  const RunFields fields(facts);
  for (const std::string& name : options.columns) result.columns.push_back(fields.require("--columns", name));
  if (options.columns.empty()) result.columns = default_columns(fields, facts);
  std::optional<RunField> group, sort;
  if (!options.group.empty()) group = fields.require("--group", options.group);
  const bool descending = options.sort.ends_with(kDescending);
  const std::string by = options.sort.substr(0, options.sort.size() - (descending ? kDescending.size() : 0));
  if (!by.empty()) sort = fields.require("--sort", by);
  std::vector<RunValue> sorted_by;
  for (const RunFacts& run : facts) {
    if (!run.control && !result.chosen.has(run.dataset, run.run)) continue;
    const query::ReportRun* of = numbers.of(run);
    ListedRun row{run, group ? value_of(*group, run, of) : RunValue(), {}, {}};
    for (const RunField& column : result.columns) {
      row.values.push_back(value_of(column, run, of));
      const query::MetricValue* value = metric_value(column, of);
      row.intervals.push_back(value == nullptr ? query::MetricValue() : *value);
    }
    sorted_by.push_back(sort ? value_of(*sort, run, of) : RunValue());
    result.runs.push_back(std::move(row));
  }
  std::vector<std::size_t> order(result.runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const RunValue &x = result.runs[a].group, &y = result.runs[b].group;
    if (comes_before(x, y) || comes_before(y, x)) return comes_before(x, y);
    const RunValue &v = sorted_by[a], &w = sorted_by[b];
    const auto nothing = [](const RunValue& value) { return std::holds_alternative<std::monostate>(value); };
    if (nothing(v) || nothing(w)) return !nothing(v) && nothing(w);
    return descending ? comes_before(w, v) : comes_before(v, w);
  });
  std::vector<ListedRun> arranged;
  for (const std::size_t i : order) arranged.push_back(std::move(result.runs[i]));
  result.runs = std::move(arranged);
  return result;
}

}  // namespace

RunList list_runs(storage::Store& store, const ListOptions& options) {
  const storage::ReadTransaction snapshot(store.db());
  RunNumbers numbers(store, options.what);
  return listed(store, options, numbers);
}

RunList list_runs(storage::Store& store, const ListOptions& options, const query::Report& report) {
  RunNumbers numbers(report);
  return listed(store, options, numbers);
}

}  // namespace residue::verbs
