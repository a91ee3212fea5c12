#include "python/core/looking.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "python/core/keywords.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "query/compare/compare.h"
#include "query/compare/frontier.h"
#include "query/metric/metrics.h"
#include "query/report/report.h"
#include "verbs/compare.h"
#include "verbs/leaks.h"
#include "verbs/report.h"

namespace residue::python {
namespace {

namespace py = pybind11;

py::object value_of(const std::optional<double>& value) { return value ? py::object(py::float_(*value)) : py::none(); }

// --- report ---

struct Place {
  const query::ReportRun& run;
  std::string linker;
};

py::dict row_of(const Place& place, query::MetricId metric, const std::string& slice, const query::MetricValue& value) {
  const query::MetricDefinition& definition = query::definition(metric);
  py::dict row;
  row["run"] = place.run.run;
  row["control"] = place.run.control;
  row["linker"] = place.linker;
  row["metric"] = std::string(definition.name);
  row["slice"] = slice;
  row["value"] = value_of(value.value);
  row["low"] = value_of(value.low);
  row["high"] = value_of(value.high);
  row["n"] = value.n;
  row["failed"] = value.failed;
  row["missing"] = value.missing;
  row["coverage"] = value_of(value.coverage);
  row["direction"] = std::string(definition.direction);
  return row;
}

void add_rows(py::list& rows, const Place& place) {
  for (const auto& [metric, value] : place.run.metrics) {
    rows.append(row_of(place, metric, "", value.all));
    if (value.right) rows.append(row_of(place, metric, "right", *value.right));
    if (value.wrong) rows.append(row_of(place, metric, "wrong", *value.wrong));
    if (value.not_linked) rows.append(row_of(place, metric, "not_linked", *value.not_linked));
    for (const auto& [name, part] : value.cuts) rows.append(row_of(place, metric, name, part));
  }
}

query::MissingPolicy missing_of(Keywords& words) {
  const std::string word = words.take<std::string>("missing").value_or("leaked");
  if (word == "leaked") return query::MissingPolicy::kLeaked;
  if (word == "drop") return query::MissingPolicy::kDrop;
  throw Error(Code::kUsage, "missing: leaked or drop", "missing='leaked'");
}

py::list report(const std::string& path, const std::string& dataset, const py::dict& keywords) {
  Keywords words(keywords);
  verbs::ReportOptions options;
  options.what.dataset = dataset;
  options.what.protocols = words.take<std::string>("protocol").value_or("");
  options.what.judge = words.take<std::string>("judge");
  options.what.seeds = words.take<std::uint32_t>("seeds");
  options.what.missing = missing_of(words);
  options.what.model = words.take<std::string>("model");
  words.check_all_taken();
  const verbs::ReportResult result = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    return verbs::report(*store, options);
  });
  py::list all;
  for (const query::Report& one : result.reports) all.append(report_dict(one));
  return all;
}

// --- compare ---

py::dict row_of(const std::string& run, const query::MetricDelta& delta) {
  const auto& interval = delta.delta.interval;
  py::dict row;
  row["run"] = run;
  row["metric"] = std::string(query::definition(delta.metric).name);
  row["slice"] = delta.cut;
  row["records"] = delta.records;
  row["baseline_value"] = value_of(delta.delta.a);
  row["value"] = value_of(delta.delta.b);
  row["difference"] = value_of(delta.delta.difference);
  row["low"] = value_of(interval ? std::optional(interval->low) : std::nullopt);
  row["high"] = value_of(interval ? std::optional(interval->high) : std::nullopt);
  row["p"] = value_of(delta.test ? std::optional(delta.test->p) : std::nullopt);
  row["corrected_p"] = value_of(delta.corrected_p);
  row["effect"] = value_of(delta.effect);
  return row;
}

py::list rows_of(const query::Frontier& frontier) {
  const auto number = [](const std::optional<query::MetricValue>& value) {
    return value_of(value ? value->value : std::nullopt);
  };
  py::list rows;
  for (const query::FrontierRun& run : frontier.runs) {
    py::dict row;
    row["run"] = run.run;
    row["control"] = run.control;
    row[py::str(std::string(query::definition(frontier.privacy).name))] = number(run.privacy);
    row[py::str(std::string(query::definition(frontier.utility).name))] = number(run.utility);
    row["on_frontier"] = run.on_frontier();
    row["dominated_by"] = run.dominated_by;
    rows.append(row);
  }
  return rows;
}

py::dict compare(const std::string& path, const std::string& dataset, const std::vector<std::string>& runs,
                 const py::dict& keywords) {
  Keywords words(keywords);
  verbs::CompareOptions options;
  options.what.runs.dataset = dataset;
  options.what.runs.runs = runs;
  options.what.runs.protocol = words.take<std::string>("protocol").value_or("");
  options.what.runs.judge = words.take<std::string>("judge");
  options.what.runs.seeds = words.take<std::uint32_t>("seeds");
  options.what.runs.common = words.take<bool>("common").value_or(false);
  options.what.metrics = words.take<std::vector<std::string>>("metrics").value_or(options.what.metrics);
  options.what.missing = missing_of(words);
  const std::string correction = words.take<std::string>("correction").value_or("holm");
  if (correction != "holm" && correction != "bh") {
    throw Error(Code::kUsage, "correction: holm or bh", "correction='holm'");
  }
  if (correction == "bh") options.what.correction = query::Correction::kBenjaminiHochberg;
  options.all_runs = words.take<bool>("all_runs").value_or(false);
  options.axes.privacy = words.take<std::string>("privacy").value_or(options.axes.privacy);
  options.axes.utility = words.take<std::string>("utility").value_or(options.axes.utility);
  words.check_all_taken();
  const verbs::CompareResult result = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    return verbs::compare(*store, options);
  });
  const query::Compared& compared = result.compared;
  py::list rows;
  py::dict flips;
  for (const query::RunDelta& run : compared.runs) {
    for (const auto* deltas : {&run.metrics, &run.parts}) {
      for (const query::MetricDelta& delta : *deltas) rows.append(row_of(run.run, delta));
    }
    if (!run.flips) continue;
    py::dict counts;
    counts["became_leaked"] = run.flips->became_leaked;
    counts["became_private"] = run.flips->became_private;
    counts["leaked_in_both"] = run.flips->leaked_in_both;
    flips[py::str(run.run)] = counts;
  }
  py::dict answer;
  answer["dataset"] = dataset;
  answer["baseline"] = compared.baseline;
  answer["protocol"] = compared.protocol;
  answer["judge"] = compared.what.lens.judge_name;
  answer["seeds"] = compared.what.seeds;
  answer["rows"] = rows;
  answer["flips"] = flips;
  answer["frontier"] = rows_of(result.frontier);
  return answer;
}

// --- leaks ---

py::dict leaks(const std::string& path, const std::string& dataset, const std::string& run_name,
               const py::dict& keywords) {
  Keywords words(keywords);
  verbs::LeaksOptions options;
  options.what.dataset = dataset;
  options.what.run = run_name;
  options.what.protocol = words.take<std::string>("protocol").value_or("");
  options.what.judge = words.take<std::string>("judge");
  options.what.category = words.take<std::string>("category").value_or("");
  options.what.limit = words.take<std::size_t>("limit").value_or(0);
  options.claims = options.linked = words.take<bool>("texts").value_or(true);
  words.check_all_taken();
  const verbs::LeaksResult read = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    return verbs::leaks(*store, options);
  });
  py::list rows;
  for (std::size_t i = 0; i < read.leaks.leaks.size(); ++i) {
    const query::Leak& leak = read.leaks.leaks[i];
    py::dict row;
    row["record"] = leak.record;
    row["n"] = leak.n;
    row["rating"] = leak.rating;
    row["categories"] = leak.categories;
    row["linked"] = leak.linked;
    row["right"] = leak.right ? py::object(py::bool_(*leak.right)) : py::none();
    row["leaks_of_record"] = leak.of_record;
    if (options.claims) {
      row["claim"] = read.claims[i];
      row["linked_text"] = read.linked[i];
    }
    rows.append(row);
  }
  py::dict answer;
  answer["run"] = dataset + "/" + run_name;
  answer["protocol"] = read.leaks.lens.spec.name();
  answer["judge"] = read.leaks.lens.judge_name;
  answer["total"] = read.leaks.total;
  answer["records"] = read.leaks.records;
  answer["failed"] = read.leaks.failed;
  answer["stale"] = read.leaks.stale;
  answer["rows"] = rows;
  return answer;
}

}  // namespace

py::dict report_dict(const query::Report& report) {
  py::list rows, stale;
  for (const query::ReportRun& run : report.runs) {
    add_rows(rows, {run, std::string(report.spec.linker->name)});
    if (run.stale) stale.append(run.run);
  }
  for (const query::ReportRun& run : report.oracle) add_rows(rows, {run, "oracle"});
  for (const query::ReportRun& run : report.random) add_rows(rows, {run, "random"});
  py::dict answer;
  answer["dataset"] = report.dataset;
  answer["protocol"] = report.protocol;
  answer["judge"] = report.judge;
  answer["seeds"] = report.seeds;
  answer["sample"] = report.sample;
  answer["doubts"] = report.doubts;
  answer["stale"] = stale;
  answer["rows"] = rows;
  return answer;
}

void bind_looking(py::module_& module) {
  module.def("report", &report);
  module.def("compare", &compare);
  module.def("leaks", &leaks);
}

}  // namespace residue::python
