#include "cli/people/intruder_json.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "query/people/intruder_strata.h"

namespace residue::cli {
namespace {

using query::IntruderRate;
using query::IntruderReport;

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

Json rate_json(const IntruderRate& rate) {
  return {{"value", json_of(rate.value)},
          {"low", json_of(rate.low)},
          {"high", json_of(rate.high)},
          {"hits", rate.hits},
          {"n", rate.n}};
}

namespace {

// Of a whole run: where it has no value, nobody counted its hits.
Json whole_json(const IntruderRate& rate) {
  Json json = rate_json(rate);
  if (!rate.value) json["hits"] = nullptr;
  return json;
}

Json json_of(const std::vector<query::SureStep>& steps) {
  Json rows = Json::array();
  for (const query::SureStep& step : steps) {
    rows.push_back({{"sure", step.sure},
                    {"claims", step.claims},
                    {"precision", rate_json(step.precision)},
                    {"recall", rate_json(step.recall)}});
  }
  return rows;
}

Json json_of(const IntruderReport::Annotator& one, bool held) {
  const auto outcome = [&](std::uint64_t count) { return held ? Json(nullptr) : Json(count); };
  return {{"annotator", one.name},
          {"attempts", one.attempts},
          {"right", outcome(one.right)},
          {"wrong", outcome(one.wrong)},
          {"none", outcome(one.none)},
          {"rightly_none", outcome(one.rightly_none)},
          {"open", one.open},
          {"told", one.told},
          {"blind", one.blind},
          {"after_look", one.after_look},
          {"median_seconds", json_of(one.median_seconds)},
          {"median_searches", json_of(one.median_searches)}};
}

Json json_of(const IntruderReport::Stratum& one, bool held) {
  const auto outcome = [&](const Json& value) { return held ? Json(nullptr) : value; };
  return {{"stratum", one.name},
          {"targets", one.targets},
          {"attempts", outcome(one.attempts)},
          {"present", outcome(one.present)},
          {"person", outcome(one.person)},
          {"machine_person", outcome(one.machine_person)}};
}

template <class Row>
Json rows_json(const std::vector<Row>& rows, bool held) {
  Json all = Json::array();
  for (const Row& one : rows) all.push_back(json_of(one, held));
  return all;
}

// What says how attempts came out; null where it is held back.
Json outcomes_json(const IntruderReport& report) {
  return {
      {"present",
       {{"n", report.present},
        {"right", report.right},
        {"shared", report.shared},
        {"wrong", report.wrong},
        {"none", report.none},
        {"failed", report.failed}}},
      {"absent", {{"n", report.absent}, {"false_claims", report.false_claims}, {"rightly_none", report.rightly_none}}},
      {"people",
       {{"person", rate_json(report.person)},
        {"person_blind", rate_json(report.person_blind)},
        {"person_after_look", rate_json(report.person_after_look)},
        {"own", rate_json(report.own)},
        {"false_claim", rate_json(report.false_claim)},
        {"person_of_all",
         {{"value", json_of(report.person_of_all)},
          {"low", json_of(report.person_of_all_low)},
          {"high", json_of(report.person_of_all_high)}}},
        {"sure", json_of(report.sure)}}},
      {"difference",
       {{"value", json_of(report.difference)},
        {"low", json_of(report.difference_low)},
        {"high", json_of(report.difference_high)}}}};
}

Json machine_json(const IntruderReport& report) {
  const auto outcome = [&](const Json& value) { return report.held ? Json(nullptr) : value; };
  return {{"person", outcome(rate_json(report.machine_person))},
          {"own", outcome(rate_json(report.machine_own))},
          {"false_claim", outcome(rate_json(report.machine_false_claim))},
          {"linkage_rate_person", whole_json(report.machine_all_person)},
          {"linkage_rate", whole_json(report.machine_all_own)},
          {"sure", outcome(json_of(report.machine_sure))}};
}

}  // namespace

Json intruder_json(const IntruderReport& report) {
  Json json = {{"dataset", report.dataset},
               {"run", report.run},
               {"protocol", report.protocol},
               {"sample", report.sample},
               {"stale", report.stale},
               {"targets", report.targets},
               {"failed_targets", report.failed_targets},
               {"attempts", report.attempts},
               {"attempted_targets", report.attempted},
               {"open", report.open},
               {"outdated", report.outdated},
               {"named_changed", report.held ? Json(nullptr) : Json(report.named_changed)},
               {"told", report.told},
               {"blind", report.blind},
               {"after_look", report.after_look},
               {"readers", report.readers},
               {"persons", report.persons},
               {"fewest", query::kFewestAttempts},
               {"held_back", report.held}};
  for (auto& [name, value] : outcomes_json(report).items()) json[name] = report.held ? Json(nullptr) : value;
  json["machine"] = machine_json(report);
  json["chance"] = {{"person", report.chance.person}, {"own", report.chance.own}, {"texts", report.chance.texts}};
  json["strata"] = {{"by", query::name_of(report.by)},
                    {"unweighted", report.unweighted.empty() ? Json(nullptr) : Json(report.unweighted)},
                    {"rows", rows_json(report.strata, report.held)}};
  json["annotators"] = rows_json(report.annotators, report.held);
  json["median_seconds"] = json_of(report.median_seconds);
  return json;
}

}  // namespace residue::cli
