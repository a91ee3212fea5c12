#include "page/release/people_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "page/release/facts_json.h"

namespace residue::page {
namespace {

using query::IntruderRate;
using query::IntruderReport;
using query::SureStep;
using query::Worth;

Json to_json(const std::optional<numbers::Interval>& interval) {
  return interval ? Json(Json::array({interval->low, interval->high})) : Json();
}

std::optional<numbers::Interval> interval_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return numbers::Interval{json.at(0).real(), json.at(1).real()};
}

// ---- the judge

std::optional<Worth> worth_from(std::uint64_t number) {
  for (const Worth worth : {Worth::kNobody, Worth::kOtherVersion, Worth::kTooFew, Worth::kPoor, Worth::kHeld}) {
    if (static_cast<std::uint64_t>(worth) == number) return worth;
  }
  return std::nullopt;
}

// The rates that a page shows.
Json corrected_json(const query::CorrectedRates& corrected) {
  Json runs = Json::array();
  for (const query::CorrectedRate& one : corrected.runs) {
    if (one.metric != query::MetricId::kLeakRate) continue;
    runs.push_back(Json::array({one.run, one.observed, one.corrected, to_json(one.interval), one.records, one.failed,
                                one.missing}));
  }
  return {{"labels", corrected.labels}, {"runs", std::move(runs)}};
}

query::CorrectedRates corrected_from(const Json& json) {
  query::CorrectedRates corrected;
  corrected.labels = count_from(json.at("labels"));
  for (const Json& one : json.at("runs").elements()) {
    query::CorrectedRate& rate = corrected.runs.emplace_back();
    rate.run = one.at(0).string();
    rate.observed = real_or_none(one.at(1));
    rate.corrected = real_or_none(one.at(2));
    rate.interval = interval_from(one.at(3));
    rate.records = count_from(one.at(4));
    rate.failed = count_from(one.at(5));
    rate.missing = count_from(one.at(6));
  }
  return corrected;
}

// ---- the intruder test

Json to_json(const IntruderRate& rate) {
  return Json::array({rate.hits, rate.n, rate.value, rate.low, rate.high});
}

IntruderRate rate_from(const Json& json) {
  return {.hits = json.at(0).real(),
          .n = count_from(json.at(1)),
          .value = real_or_none(json.at(2)),
          .low = real_or_none(json.at(3)),
          .high = real_or_none(json.at(4))};
}

// Every other field of a report, by its name: the same list to write and to read.
template <typename Report, typename Count, typename Real, typename Rate>
void each(Report& of, Count count, Real real, Rate rate) {
  count("targets", of.targets);
  count("failed_targets", of.failed_targets);
  count("attempts", of.attempts);
  count("attempted", of.attempted);
  count("outdated", of.outdated);
  count("blind", of.blind);
  count("after_look", of.after_look);
  count("present", of.present);
  count("absent", of.absent);
  real("median_seconds", of.median_seconds);
  real("difference", of.difference);
  real("difference_low", of.difference_low);
  real("difference_high", of.difference_high);
  real("person_of_all", of.person_of_all);
  real("person_of_all_low", of.person_of_all_low);
  real("person_of_all_high", of.person_of_all_high);
  rate("person", of.person);
  rate("own", of.own);
  rate("machine_person", of.machine_person);
  rate("machine_own", of.machine_own);
  rate("machine_all_person", of.machine_all_person);
  rate("machine_all_own", of.machine_all_own);
  rate("person_blind", of.person_blind);
  rate("person_after_look", of.person_after_look);
  rate("false_claim", of.false_claim);
  rate("machine_false_claim", of.machine_false_claim);
}

// Steps that a page shows: each fiftieth per cent.
Json to_json(const std::vector<SureStep>& steps) {
  Json all = Json::array();
  for (const SureStep& step : steps) {
    if (step.sure % 50 == 0) all.push_back(Json::array({step.sure, step.claims, to_json(step.precision)}));
  }
  return all;
}

std::vector<SureStep> steps_from(const Json& json) {
  std::vector<SureStep> steps;
  for (const Json& one : json.elements()) {
    const std::uint64_t sure = count_from(one.at(0));
    if (sure > 100) throw JsonError("no per cent");
    steps.push_back({.sure = static_cast<std::uint32_t>(sure),
                     .claims = count_from(one.at(1)),
                     .precision = rate_from(one.at(2)),
                     .recall = {}});
  }
  return steps;
}

Json to_json(const IntruderReport& report) {
  Json json = {{"annotators", report.annotators.size()},
               {"held", report.held},
               {"stale", report.stale},
               {"read", !report.readers.empty()},
               {"unweighted", report.unweighted},
               {"chance", Json::array({report.chance.person, report.chance.own})}};
  const auto put = [&](const char* name, const auto& value) { json[name] = value; };
  each(report, put, put, [&](const char* name, const IntruderRate& rate) { json[name] = to_json(rate); });
  json["sure"] = to_json(report.sure);
  json["machine_sure"] = to_json(report.machine_sure);
  return json;
}

IntruderReport report_from(const Json& json) {
  constexpr std::uint64_t kMostAnnotators = 1'000'000;
  IntruderReport report;
  const std::uint64_t annotators = count_from(json.at("annotators"));
  if (annotators > kMostAnnotators) throw JsonError("too many annotators");
  report.annotators.resize(annotators);
  report.held = json.at("held").boolean();
  report.stale = json.at("stale").boolean();
  if (json.at("read").boolean()) report.readers.emplace_back();  // nobody's name is on a page
  report.unweighted = json.at("unweighted").string();
  report.chance.person = json.at("chance").at(0).real();
  report.chance.own = json.at("chance").at(1).real();
  each(
      report, [&](const char* name, std::uint64_t& value) { value = count_from(json.at(name)); },
      [&](const char* name, std::optional<double>& value) { value = real_or_none(json.at(name)); },
      [&](const char* name, IntruderRate& rate) { rate = rate_from(json.at(name)); });
  report.sure = steps_from(json.at("sure"));
  report.machine_sure = steps_from(json.at("machine_sure"));
  return report;
}

}  // namespace

Json judge_facts(const verbs::Release& release) {
  const query::Validation& validation = release.report().validation;
  const query::PeopleAgreement& people = validation.people;
  const query::Agreement& found = people.everyone;
  return {{"worth", static_cast<std::uint64_t>(validation.worth)},
          {"labels", people.labels},
          {"blind", people.blind},
          {"shown", people.shown},
          {"not_samples", people.not_samples},
          {"too_few", people.too_few},
          {"pairs", found.pairs},
          {"records", found.records},
          {"kappa", found.kappa},
          {"kappa_interval", to_json(found.kappa_interval)},
          {"spearman", found.spearman},
          {"spearman_interval", to_json(found.spearman_interval)},
          {"corrected", release.corrected ? corrected_json(*release.corrected) : Json()}};
}

void put_judge(verbs::Release& release, const Json& facts, const PageRequest& request) {
  const auto worth = worth_from(count_from(facts.at("worth")));
  if (!worth) throw JsonError("no worth");
  query::Validation& validation = release.result.reports.front().validation;
  validation.worth = *worth;
  validation.text = request.validation;
  query::PeopleAgreement& people = validation.people;
  people.labels = count_from(facts.at("labels"));
  people.blind = count_from(facts.at("blind"));
  people.shown = count_from(facts.at("shown"));
  people.not_samples = count_from(facts.at("not_samples"));
  people.too_few = facts.at("too_few").boolean();
  query::Agreement& found = people.everyone;
  found.pairs = count_from(facts.at("pairs"));
  found.records = count_from(facts.at("records"));
  found.kappa = real_or_none(facts.at("kappa"));
  found.kappa_interval = interval_from(facts.at("kappa_interval"));
  found.spearman = real_or_none(facts.at("spearman"));
  found.spearman_interval = interval_from(facts.at("spearman_interval"));
  if (const Json& corrected = facts.at("corrected"); !corrected.is_null()) {
    release.corrected = corrected_from(corrected);
  }
}

Json intruder_facts(const verbs::Release& release) {
  Json runs = Json::array();
  for (const verbs::ReleasedRun& run : release.runs) {
    Json& tests = runs.emplace_back(Json::array());
    for (const verbs::ReleasedTest& test : run.tests) {
      tests.push_back(Json::array({test.protocol, test.sample, test.report ? to_json(*test.report) : Json()}));
    }
  }
  return runs;
}

void put_intruder(verbs::Release& release, const Json& facts) {
  const auto& runs = facts.elements();
  if (runs.size() != release.runs.size()) throw JsonError("other runs");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const Json& one : runs[i].elements()) {
      verbs::ReleasedTest& test = release.runs[i].tests.emplace_back();
      test.protocol = one.at(0).string();
      test.sample = count_from(one.at(1));
      if (!one.at(2).is_null()) test.report = report_from(one.at(2));
    }
  }
}

}  // namespace residue::page
