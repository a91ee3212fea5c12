#include "python/core/looking.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "python/core/keywords.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "query/compare/compare.h"
#include "query/inputs/snapshot.h"
#include "query/inputs/texts.h"
#include "query/report/leaks.h"
#include "storage/catalog/lookup.h"

namespace residue::python {
namespace {

namespace py = pybind11;

py::object value_of(const std::optional<double>& value) { return value ? py::object(py::float_(*value)) : py::none(); }

// --- report ---

struct Place {
  const query::Report& report;
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
  query::ReportOptions options;
  options.dataset = dataset;
  options.protocols = words.take<std::string>("protocol").value_or("");
  options.judge = words.take<std::string>("judge");
  options.seeds = words.take<std::uint32_t>("seeds");
  options.missing = missing_of(words);
  options.model = words.take<std::string>("model");
  words.check_all_taken();
  const std::vector<query::Report> reports = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    return query::load_reports(*store, options);
  });
  py::list all;
  for (const query::Report& one : reports) all.append(report_dict(one));
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

void add_all_runs(storage::Store& store, query::ComparableOptions& wanted) {
  for (const query::RunHead& run : query::list_runs(store.db(), storage::find_dataset(store.db(), wanted.dataset))) {
    if (run.kind == query::RunKind::kNone || run.kind == query::RunKind::kRemoveAll) continue;
    if (std::find(wanted.runs.begin(), wanted.runs.end(), run.name) == wanted.runs.end()) {
      wanted.runs.push_back(run.name);
    }
  }
}

py::dict compare(const std::string& path, const std::string& dataset, const std::vector<std::string>& runs,
                 const py::dict& keywords) {
  Keywords words(keywords);
  query::CompareOptions options;
  options.runs.dataset = dataset;
  options.runs.runs = runs;
  options.runs.protocol = words.take<std::string>("protocol").value_or("");
  options.runs.judge = words.take<std::string>("judge");
  options.runs.seeds = words.take<std::uint32_t>("seeds");
  options.runs.common = words.take<bool>("common").value_or(false);
  options.metrics = words.take<std::vector<std::string>>("metrics").value_or(options.metrics);
  options.missing = missing_of(words);
  const std::string correction = words.take<std::string>("correction").value_or("holm");
  if (correction != "holm" && correction != "bh") {
    throw Error(Code::kUsage, "correction: holm or bh", "correction='holm'");
  }
  if (correction == "bh") options.correction = query::Correction::kBenjaminiHochberg;
  const bool all_runs = words.take<bool>("all_runs").value_or(false);
  words.check_all_taken();
  const query::Compared compared = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    if (all_runs) add_all_runs(*store, options.runs);
    return query::compare_runs(*store, options);
  });
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
  return answer;
}

// --- leaks ---

struct LeaksRead {
  query::Leaks leaks;
  std::vector<std::string> claims, linked;
};

py::dict leaks(const std::string& path, const std::string& dataset, const std::string& run_name,
               const py::dict& keywords) {
  Keywords words(keywords);
  query::LeakOptions options;
  options.dataset = dataset;
  options.run = run_name;
  options.protocol = words.take<std::string>("protocol").value_or("");
  options.judge = words.take<std::string>("judge");
  options.category = words.take<std::string>("category").value_or("");
  options.limit = words.take<std::size_t>("limit").value_or(0);
  const bool texts = words.take<bool>("texts").value_or(true);
  words.check_all_taken();
  const LeaksRead read = run_for(py::none(), [&](const Running& running) {
    OpenStore store(path, running, true);
    const storage::Lock held = store->hold_texts();
    LeaksRead found{query::load_leaks(*store, options), {}, {}};
    if (!texts) return found;
    std::vector<TextId> claims, linked;
    for (const query::Leak& leak : found.leaks.leaks) {
      claims.push_back(leak.claim_text);
      linked.push_back(leak.linked_text);
    }
    found.claims = query::load_texts(*store, claims);
    found.linked = query::load_texts(*store, linked);
    return found;
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
    if (texts) {
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
    add_rows(rows, {report, run, std::string(report.spec.linker->name)});
    if (run.stale) stale.append(run.run);
  }
  for (const query::ReportRun& run : report.oracle) add_rows(rows, {report, run, "oracle"});
  for (const query::ReportRun& run : report.random) add_rows(rows, {report, run, "random"});
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
