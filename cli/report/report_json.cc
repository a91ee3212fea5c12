// A report as one JSON object (DESIGN section 4: a contract).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/report/report_cells.h"
#include "cli/report/report_tables.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

nlohmann::ordered_json json_of(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json count_json(double count) {
  const double whole = std::round(count);
  return whole == count ? nlohmann::ordered_json(static_cast<std::int64_t>(whole)) : nlohmann::ordered_json(count);
}

// What stands in a metric's object beside its parts.
constexpr std::array<std::string_view, 21> kFields = {
    "value", "low",       "high",       "n",      "failed",     "missing", "not_applicable",
    "std",   "if_leaked", "if_private", "units",  "seeds",      "median",  "reason",
    "right", "wrong",     "model",      "others", "not_linked", "parts",   "stale"};

// A part is a field with its name; one that is called like another field stands under "parts".
void put_part(nlohmann::ordered_json& json, const std::string& name, nlohmann::ordered_json part) {
  const bool taken = std::find(kFields.begin(), kFields.end(), name) != kFields.end();
  (taken ? json["parts"] : json)[name] = std::move(part);
}

nlohmann::ordered_json json_of(const MetricValue& value) {
  nlohmann::ordered_json json = {{"value", json_of(value.value)},
                                 {"low", json_of(value.low)},
                                 {"high", json_of(value.high)},
                                 {"n", count_json(value.n)},
                                 {"failed", count_json(value.failed)},
                                 {"missing", count_json(value.missing)},
                                 {"not_applicable", count_json(value.not_applicable)},
                                 {"std", json_of(value.deviation)},
                                 {"if_leaked", json_of(value.if_leaked)},
                                 {"if_private", json_of(value.if_private)}};
  if (value.units) json["units"] = count_json(*value.units);
  if (value.seeds) json["seeds"] = *value.seeds;
  return json;
}

nlohmann::ordered_json json_of(const ReportMetric& metric, query::Cuts cuts) {
  if (cuts == query::Cuts::kOnly) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : metric.cuts) put_part(json, name, json_of(value));
    return json;
  }
  if (!metric.bins.empty()) {
    nlohmann::ordered_json counts = nlohmann::ordered_json::array();
    for (const double count : bin_counts(metric)) counts.push_back(count_json(count));
    return {{"value", std::move(counts)},
            {"n", count_json(metric.all.n)},
            {"failed", count_json(metric.all.failed)},
            {"missing", count_json(metric.all.missing)},
            {"not_applicable", count_json(metric.all.not_applicable)}};
  }
  nlohmann::ordered_json json = json_of(metric.all);
  if (metric.stale) json["stale"] = true;
  if (metric.median) json["median"] = *metric.median;
  if (!metric.reason.empty()) json["reason"] = metric.reason;
  if (metric.right) json["right"] = json_of(*metric.right);
  if (metric.wrong) json["wrong"] = json_of(*metric.wrong);
  if (metric.not_linked) json["not_linked"] = json_of(*metric.not_linked);
  for (const auto& [name, value] : metric.cuts) put_part(json, name, json_of(value));
  if (!metric.model.empty()) {
    json["model"] = metric.model;
    if (!metric.others.empty()) json["others"] = metric.others;
  }
  return json;
}

nlohmann::ordered_json definitions_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const auto& metric : query::metric_definitions()) {
    all[std::string(metric.name)] = {
        {"direction", metric.direction}, {"range", {metric.low, metric.high}}, {"source", metric.source}};
  }
  return all;
}

}  // namespace

nlohmann::ordered_json report_json(const Report& report) {
  nlohmann::ordered_json json = {{"dataset", report.dataset}, {"protocol", report.protocol}, {"judge", report.judge}};
  json["judge_version"] = report.judge_version;
  json["validation"] = report.validation;
  json["categorizer"] = report.categorizer;
  if (report.sample != 0) json["sample"] = report.sample;
  json["seeds"] = report.seeds;
  json["missing_policy"] = report.missing == query::MissingPolicy::kDrop ? "drop" : "leaked";
  if (report.less_precise_half) json["less_precise"] = 0.5;
  json["runs"] = nlohmann::ordered_json::array();
  for (const ReportRun& run : report.runs) {
    nlohmann::ordered_json one = {
        {"run", run.run},         {"group", run.group ? nlohmann::ordered_json(*run.group) : nullptr},
        {"records", run.records}, {"control", run.control},
        {"stale", run.stale},     {"metrics", nullptr}};
    if (run.evaluated) {
      one["metrics"] = nlohmann::ordered_json::object();
      for (const auto& metric : query::metric_definitions()) {
        const auto found = run.metrics.find(metric.id);
        if (found != run.metrics.end()) one["metrics"][std::string(metric.name)] = json_of(found->second, metric.cuts);
      }
    }
    json["runs"].push_back(std::move(one));
  }
  json["definitions"] = definitions_json();
  return json;
}

}  // namespace residue::cli
