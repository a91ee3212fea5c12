#include "verbs/runs/choose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
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

// The report of the dataset's runs; nothing where nothing was evaluated, unless that was asked for.
std::optional<query::Report> numbers_of(storage::Store& store, const query::ReportOptions& what) {
  try {
    return query::load_report(store, what);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound || !what.protocols.empty() || what.judge || what.model) throw;
    return std::nullopt;
  }
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

bool Chosen::has(const std::string& run) const { return std::ranges::find(runs, run) != runs.end(); }

Chosen choose(const std::string& where, const std::vector<RunFacts>& facts, const NumbersOf& numbers) {
  Chosen chosen;
  chosen.where = where;
  std::optional<Condition> condition;
  if (!where.empty()) condition.emplace(where, facts);
  for (const RunFacts& run : facts) {
    if (run.control) continue;
    ++chosen.of;
    std::set<std::string> lacking;
    if (!condition || condition->met(run, numbers(run.run), lacking).value_or(false)) chosen.runs.push_back(run.run);
    for (const std::string& name : lacking) chosen.lacking[name].push_back(run.run);
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
  for (const auto& [name, runs] : chosen.lacking) lacks += fmt::format("; {} have no {}", runs.size(), name);
  throw Error(Code::kNotFound,
              fmt::format("--where: none of the {} runs of {} meets the condition{}", chosen.of, dataset, lacks),
              fmt::format("residue show {} lists the runs with their tags and settings", dataset));
}

const query::ReportRun* find_run(const query::Report& report, const std::string& run) {
  const auto found = std::ranges::find(report.runs, run, &query::ReportRun::run);
  return found == report.runs.end() ? nullptr : &*found;
}

Chosen choose_runs(query::Report& report, const std::string& where, const std::vector<RunFacts>& facts) {
  Chosen chosen = choose(where, facts, [&](const std::string& run) { return find_run(report, run); });
  if (!chosen.any_condition()) return chosen;
  require_some(chosen, report.dataset);
  for (auto* runs : {&report.runs, &report.oracle, &report.random}) {
    std::erase_if(*runs, [&](const query::ReportRun& run) { return !run.control && !chosen.has(run.run); });
  }
  return chosen;
}

std::vector<std::string> differing_params(const std::vector<RunFacts>& runs) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> have;
  std::size_t count = 0;
  for (const RunFacts& run : runs) {
    if (run.control) continue;
    ++count;
    for (const auto& [name, value] : run.params) {
      values[name].insert(value);
      ++have[name];
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, all] : values) {
    if (all.size() > 1 || have[name] < count) names.push_back(name);
  }
  return names;
}

RunList list_runs(storage::Store& store, const ListOptions& options) {
  const storage::ReadTransaction snapshot(store.db());
  const std::vector<RunFacts> facts = run_facts(store.db(), options.what.dataset);
  const std::optional<query::Report> report = numbers_of(store, options.what);
  const NumbersOf numbers = [&](const std::string& run) { return report ? find_run(*report, run) : nullptr; };
  RunList list;
  list.dataset = options.what.dataset;
  if (report) {
    list.protocol = report->protocol;
    list.judge = report->judge;
  }
  list.chosen = choose(options.where, facts, numbers);
  const RunFields fields(facts);
  for (const std::string& name : options.columns) list.columns.push_back(fields.require("--columns", name));
  if (options.columns.empty()) list.columns = default_columns(fields, facts);
  std::optional<RunField> group, sort;
  if (!options.group.empty()) group = fields.require("--group", options.group);
  const bool descending = options.sort.ends_with(kDescending);
  const std::string by = options.sort.substr(0, options.sort.size() - (descending ? kDescending.size() : 0));
  if (!by.empty()) sort = fields.require("--sort", by);
  std::vector<RunValue> sorted_by;
  for (const RunFacts& run : facts) {
    if (!run.control && !list.chosen.has(run.run)) continue;
    const query::ReportRun* of = numbers(run.run);
    ListedRun row{run, group ? value_of(*group, run, of) : RunValue(), {}, {}};
    for (const RunField& column : list.columns) {
      row.values.push_back(value_of(column, run, of));
      const query::MetricValue* value = metric_value(column, of);
      row.intervals.push_back(value == nullptr ? query::MetricValue() : *value);
    }
    sorted_by.push_back(sort ? value_of(*sort, run, of) : RunValue());
    list.runs.push_back(std::move(row));
  }
  std::vector<std::size_t> order(list.runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const RunValue &x = list.runs[a].group, &y = list.runs[b].group;
    if (comes_before(x, y) || comes_before(y, x)) return comes_before(x, y);
    const RunValue &v = sorted_by[a], &w = sorted_by[b];
    const auto nothing = [](const RunValue& value) { return std::holds_alternative<std::monostate>(value); };
    if (nothing(v) || nothing(w)) return !nothing(v) && nothing(w);
    return descending ? comes_before(w, v) : comes_before(v, w);
  });
  std::vector<ListedRun> arranged;
  for (const std::size_t i : order) arranged.push_back(std::move(list.runs[i]));
  list.runs = std::move(arranged);
  return list;
}

}  // namespace residue::verbs
