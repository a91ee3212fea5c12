// A report as one JSON object: its keys are a contract with programs that read it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "cli/report/report_cells.h"
#include "cli/report/report_tables.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

Json count_json(double count) {
  const double whole = std::round(count);
  return whole == count ? Json(static_cast<std::int64_t>(whole)) : Json(count);
}

// What stands in a metric's object beside its parts.
constexpr std::array<std::string_view, 22> kFields = {
    "value",     "low",        "high",       "n",     "failed", "missing", "not_applicable", "std",
    "if_leaked", "if_private", "units",      "seeds", "median", "reason",  "right",          "wrong",
    "model",     "others",     "not_linked", "parts", "stale",  "coverage"};

// A part is a field with its name; one that is called like another field stands under "parts".
void put_part(Json& json, const std::string& name, Json part) {
  const bool taken = std::find(kFields.begin(), kFields.end(), name) != kFields.end();
  (taken ? json["parts"] : json)[name] = std::move(part);
}

Json json_of(const MetricValue& value) {
  Json json = {{"value", value.value},
               {"low", value.low},
               {"high", value.high},
               {"n", count_json(value.n)},
               {"failed", count_json(value.failed)},
               {"missing", count_json(value.missing)},
               {"not_applicable", count_json(value.not_applicable)},
               {"std", value.deviation},
               {"coverage", value.coverage},
               {"if_leaked", value.if_leaked},
               {"if_private", value.if_private}};
  if (value.units) json["units"] = count_json(*value.units);
  if (value.seeds) json["seeds"] = *value.seeds;
  return json;
}

Json json_of(const ReportMetric& metric, query::Cuts cuts) {
  if (cuts == query::Cuts::kOnly) {
    Json json = Json::object();
    for (const auto& [name, value] : metric.cuts) put_part(json, name, json_of(value));
    return json;
  }
  if (!metric.bins.empty()) {
    Json counts = Json::array();
    for (const double count : bin_counts(metric)) counts.push_back(count_json(count));
    return {{"value", std::move(counts)},
            {"n", count_json(metric.all.n)},
            {"failed", count_json(metric.all.failed)},
            {"missing", count_json(metric.all.missing)},
            {"not_applicable", count_json(metric.all.not_applicable)},
            {"coverage", metric.all.coverage}};
  }
  Json json = json_of(metric.all);
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

Json definitions_json() {
  Json all = Json::object();
  for (const auto& metric : query::metric_definitions()) {
    all[std::string(metric.name)] = {
        {"direction", metric.direction}, {"range", {metric.low, metric.high}}, {"source", metric.source}};
  }
  return all;
}

}  // namespace

Json report_json(const Report& report) {
  Json json = {{"dataset", report.dataset}, {"protocol", report.protocol}, {"judge", report.judge}};
  if (!report.answerers.empty()) json["answerers"] = report.answerers;
  json["judge_version"] = report.judge_version;
  json["validation"] = report.validation.text;
  json["categorizer"] = report.categorizer;
  if (report.sample != 0) json["sample"] = report.sample;
  json["seeds"] = report.seeds;
  const query::Uncovered& out = report.uncovered;
  json["not_attacked"] = {{"records", out.records},
                          {"no_text", out.no_text},
                          {"no_claims", out.no_claims},
                          {"too_few_claims", out.too_few},
                          {"not_said", out.not_said}};
  json["repeats"] = {{"same_text", report.repeats.same_text},
                     {"of_persons_with_several", report.repeats.of_persons},
                     {"persons_with_several", report.repeats.persons}};
  json["missing_policy"] = report.missing == query::MissingPolicy::kDrop ? "drop" : "leaked";
  if (report.less_precise_half) json["less_precise"] = 0.5;
  json["runs"] = Json::array();
  for (const ReportRun& run : report.runs) {
    Json one = {{"run", run.run},         {"group", run.group}, {"records", run.records},
                {"control", run.control}, {"stale", run.stale}, {"metrics", nullptr}};
    if (run.evaluated) {
      one["metrics"] = Json::object();
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
