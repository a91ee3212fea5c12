#include "page/release/page_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "page/release/facts_json.h"
#include "page/release/parts.h"
#include "page/release/people_facts.h"
#include "query/compare/frontier.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

using query::MetricId;
using query::MetricValue;

constexpr std::int64_t kDay_ms = 86'400'000;
// What other attackers are shown by.
constexpr MetricId kOfAttackers[] = {MetricId::kLinkageRate, MetricId::kSemanticDistance, MetricId::kLeakRate};

// ---- values

Json to_json(const MetricValue& of) {
  return Json::array({of.value, of.low, of.high, of.n, of.failed, of.missing, of.not_applicable, of.coverage,
                      of.if_leaked, of.if_private, of.units, of.hits});
}

MetricValue value_from(const Json& json) {
  MetricValue of;
  std::size_t at = 0;
  for (auto* const one : {&of.value, &of.low, &of.high}) *one = real_or_none(json.at(at++));
  for (auto* const one : {&of.n, &of.failed, &of.missing, &of.not_applicable}) *one = json.at(at++).real();
  for (auto* const one : {&of.coverage, &of.if_leaked, &of.if_private, &of.units, &of.hits}) {
    *one = real_or_none(json.at(at++));
  }
  return of;
}

MetricId metric_from(const std::string& name) {
  const auto id = query::find_metric(name);
  if (!id) throw JsonError("no metric");
  return *id;
}

Json to_json(const std::vector<verbs::NotTested>& all) {
  Json list = Json::array();
  for (const verbs::NotTested& one : all) list.push_back(Json::array({one.what, one.why, one.command}));
  return list;
}

std::vector<verbs::NotTested> not_tested_from(const Json& list) {
  std::vector<verbs::NotTested> all;
  for (const Json& one : list.elements()) {
    all.push_back({one.at(0).string(), one.at(1).string(), one.at(2).string()});
  }
  return all;
}

// ---- what was measured

std::set<MetricId> shown_of(const verbs::RunCriteria* criteria) {
  std::set<MetricId> all(verbs::proven_metrics().begin(), verbs::proven_metrics().end());
  if (criteria == nullptr) return all;
  for (const verbs::CriterionRow& row : criteria->rows) {
    for (const std::string_view name : {std::string_view(row.metric), row.control_metric, row.net_metric}) {
      if (const auto id = query::find_metric(name)) all.insert(*id);
    }
  }
  return all;
}

bool is_proven(const verbs::Proof& proof, const std::string& run, MetricId metric) {
  for (const verbs::RunProof& of : proof.runs) {
    if (of.run != run) continue;
    for (const verbs::ProvenTier& tier : of.tiers) {
      if (std::ranges::find(tier.metrics, metric, &verbs::ProvenMetric::metric) != tier.metrics.end()) return true;
    }
  }
  return false;
}

Json measured(const query::ReportRun& run, const std::set<MetricId>& shown, const verbs::Proof* proof) {
  Json values = Json::object(), old = Json::array();
  for (const MetricId id : shown) {
    const query::ReportMetric* const metric = query::metric_of(run, id);
    if (metric == nullptr) continue;
    const std::string_view name = query::definition(id).name;
    if (metric->stale) old.push_back(name);
    if (proof == nullptr || !is_proven(*proof, run.run, id)) values[name] = to_json(metric->all);
  }
  Json json = {
      {"run", run.run},     {"control", run.control},      {"records", run.records}, {"evaluated", run.evaluated},
      {"stale", run.stale}, {"values", std::move(values)}, {"old", std::move(old)}};
  if (proof == nullptr) return json;
  if (const auto* const metric = query::metric_of(run, MetricId::kDistanceHistogram)) {
    json["distances"] = query::bin_counts(*metric);
  }
  if (const auto* const metric = query::metric_of(run, MetricId::kLeakByCategory)) {
    Json cuts = Json::array();
    for (const auto& [name, value] : metric->cuts) cuts.push_back(Json::array({name, to_json(value)}));
    json["categories"] = std::move(cuts);
  }
  return json;
}

query::ReportRun measured_from(const Json& json) {
  query::ReportRun run;
  run.run = json.at("run").string();
  run.control = json.at("control").boolean();
  run.records = whole(json.at("records"));
  run.evaluated = json.at("evaluated").boolean();
  run.stale = json.at("stale").boolean();
  for (const auto& [name, value] : json.at("values").items()) run.metrics[metric_from(name)].all = value_from(value);
  if (const Json* const bins = json.find("distances")) {
    auto& metric = run.metrics[MetricId::kDistanceHistogram];
    for (const Json& bin : bins->elements()) metric.bins.emplace_back().value = bin.real();
  }
  if (const Json* const cuts = json.find("categories")) {
    auto& metric = run.metrics[MetricId::kLeakByCategory];
    for (const Json& cut : cuts->elements()) metric.cuts[cut.at(0).string()] = value_from(cut.at(1));
  }
  return run;
}

using Values = std::map<std::pair<std::string, std::string>, MetricValue>;

// What the contributions of the run say counts, whatever the facts say.
void put_values(query::ReportRun& run, const Json& json, const std::set<MetricId>& which, const Values& values) {
  for (const MetricId id : which) {
    const auto found = values.find({run.run, std::string(query::definition(id).name)});
    if (found != values.end()) run.metrics[id].all = found->second;
  }
  for (const Json& name : json.at("old").elements()) {
    const auto found = run.metrics.find(metric_from(name.string()));
    if (found != run.metrics.end()) found->second.stale = true;
  }
}

// ---- what the runs are

bool of_sanitizer(const query::RunCard& card) { return card.kind == "aligned" || card.kind == "synthetic"; }

Json card_json(const verbs::ReleasedRun& run, std::int64_t made_ms) {
  const query::RunCard& card = run.card;
  const std::int64_t created = std::min(run.created_ms, made_ms);
  Json worst = Json::array();
  for (const verbs::ExposedRecord& one : run.worst) worst.push_back(Json::array({one.leaks, one.in_full, one.right}));
  return {{"kind", card.kind},
          {"sanitizer", of_sanitizer(card) ? Json(card.sanitizer) : Json()},
          {"params", shown_params(card)},
          {"seed", card.seed},
          {"texts", card.variants},
          {"failed", card.failed},
          {"day", (created - (created % kDay_ms)) / kDay_ms},
          {"worst", std::move(worst)},
          {"leaks", run.leaks},
          {"exposed", run.exposed},
          {"lost", run.failed}};
}

verbs::ReleasedRun card_from(const Json& json, const std::string& run, const std::string& content) {
  verbs::ReleasedRun of;
  of.content = content;
  of.card.run = run;
  of.card.kind = json.at("kind").string();
  if (const Json& sanitizer = json.at("sanitizer"); !sanitizer.is_null()) of.card.sanitizer = sanitizer.string();
  of.card.params = json.at("params").dump();
  if (const Json& seed = json.at("seed"); !seed.is_null()) of.card.seed = whole(seed);
  of.card.variants = whole(json.at("texts"));
  of.card.failed = whole(json.at("failed"));
  const std::int64_t day = whole(json.at("day"));
  if (std::abs(day) > 100'000'000) throw JsonError("no day");
  of.created_ms = day * kDay_ms;
  for (const Json& one : json.at("worst").elements()) {
    verbs::ExposedRecord& record = of.worst.emplace_back();
    record.leaks = static_cast<std::uint64_t>(whole(one.at(0)));
    record.in_full = one.at(1).boolean();
    record.right = one.at(2).boolean();
  }
  of.leaks = static_cast<std::uint64_t>(whole(json.at("leaks")));
  of.exposed = static_cast<std::uint64_t>(whole(json.at("exposed")));
  of.failed = static_cast<std::uint64_t>(whole(json.at("lost")));
  return of;
}

Json criteria_json(const verbs::RunCriteria& of) {
  Json rows = Json::array();
  for (const verbs::CriterionRow& row : of.rows) {
    rows.push_back(Json::array({row.metric, row.worst, row.worst_persons, row.persons, row.stale}));
  }
  return {{"run", of.run}, {"rows", std::move(rows)}, {"not_tested", to_json(of.not_tested)}};
}

verbs::RunCriteria criteria_from(const Json& json, const query::Report& report) {
  verbs::RunCriteria of;
  of.run = json.at("run").string();
  of.not_tested = not_tested_from(json.at("not_tested"));
  const auto run = std::ranges::find(report.runs, of.run, &query::ReportRun::run);
  if (run == report.runs.end()) throw JsonError("criteria of no run");
  for (const Json& one : json.at("rows").elements()) {
    auto row = verbs::criterion_row(*run, one.at(0).string());
    if (!row || !row->attack) throw JsonError("no criterion, or one without a number");
    row->worst = real_or_none(one.at(1));
    row->worst_persons = whole(one.at(2));
    row->persons = whole(one.at(3));
    row->stale = one.at(4).boolean();
    of.rows.push_back(std::move(*row));
  }
  return of;
}

query::Report report_from(const Json& facts, const PageRequest& request, const Values& values) {
  query::Report report;
  report.dataset = request.dataset;
  report.spec = query::parse_protocol(request.protocol);
  report.protocol = query::seeds_name(report.spec, request.seeds);
  report.judge = request.judge;
  report.judge_version = request.judge_version;
  report.categorizer = request.categorizer;
  report.seeds = request.seeds;
  report.sample = request.sample;
  report.missing = request.drop ? query::MissingPolicy::kDrop : query::MissingPolicy::kLeaked;
  report.less_precise_half = request.less_precise_half;
  const Json &repeats = facts.at("repeats"), &uncovered = facts.at("uncovered");
  report.repeats.records = whole(repeats.at(0));
  report.repeats.same_text = whole(repeats.at(1));
  report.uncovered = {whole(uncovered.at(0)), whole(uncovered.at(1)), whole(uncovered.at(2)), whole(uncovered.at(3)),
                      whole(uncovered.at(4))};
  report.doubts = facts.at("doubts").get<std::vector<std::string>>();
  const std::set<MetricId> proven(verbs::proven_metrics().begin(), verbs::proven_metrics().end());
  for (const Json& one : facts.at("runs").elements()) {
    query::ReportRun run = measured_from(one);
    put_values(run, one, proven, values);
    report.runs.push_back(std::move(run));
  }
  return report;
}

query::Report attack_from(const Json& json, const query::Report& own, const Values& values) {
  query::Report report;
  report.spec = query::parse_protocol(json.at("protocol").string());
  const std::int64_t seeds = whole(json.at("seeds"));
  if (seeds < 1 || seeds > kMostSeeds) throw JsonError("no count of seeds");
  report.seeds = static_cast<std::uint32_t>(seeds);
  report.sample = static_cast<std::uint64_t>(whole(json.at("sample")));
  report.protocol = query::seeds_name(report.spec, report.seeds);
  const bool same = attacker_words(report) == attacker_words(own);
  for (const Json& one : json.at("runs").elements()) {
    query::ReportRun run = measured_from(one);
    put_values(run, one, {std::begin(kOfAttackers), std::end(kOfAttackers)}, same ? values : Values());
    report.runs.push_back(std::move(run));
  }
  return report;
}

std::vector<query::GateResult> gates_from(const Json& list, const PageRequest& request) {
  std::vector<query::GateResult> all;
  for (const Json& one : list.elements()) {
    const std::int64_t of = whole(one.at(0));
    if (of < 0 || of >= static_cast<std::int64_t>(request.gates.size())) throw JsonError("no such gate");
    query::GateResult& gate = all.emplace_back();
    gate.gate = request.gates[static_cast<std::size_t>(of)];
    gate.limit = query::parse_gate(gate.gate).limit;
    gate.dataset = request.dataset;
    gate.run = one.at(1).string();
    gate.protocol = one.at(2).string();
    gate.value = real_or_none(one.at(3));
    gate.coverage = real_or_none(one.at(4));
    gate.failed = one.at(5).boolean();
    gate.uncovered = one.at(6).boolean();
    gate.reason = one.at(7).string();
  }
  return all;
}

}  // namespace

Json gates_of(const verbs::Release& release, const std::vector<std::string>& asked) {
  Json list = Json::array();
  std::size_t of = 0;  // in the order in which they were asked for: the same one twice is two
  for (const query::GateResult& gate : release.result.gates) {
    while (of + 1 < asked.size() && asked[of] != gate.gate) ++of;
    list.push_back(Json::array(
        {of, gate.run, gate.protocol, gate.value, gate.coverage, gate.failed, gate.uncovered, gate.reason}));
  }
  return list;
}

Json facts_of(const verbs::Release& release, std::int64_t made_ms) {
  const query::Report& report = release.report();
  Json runs = Json::array(), cards = Json::array(), criteria = Json::array(), attacks = Json::array();
  for (const query::ReportRun& run : report.runs) {
    const auto of = std::ranges::find(release.criteria.runs, run.run, &verbs::RunCriteria::run);
    runs.push_back(measured(run, shown_of(of == release.criteria.runs.end() ? nullptr : &*of), &release.proof));
  }
  for (const verbs::ReleasedRun& run : release.runs) cards.push_back(card_json(run, made_ms));
  for (const verbs::RunCriteria& of : release.criteria.runs) criteria.push_back(criteria_json(of));
  for (const query::Report& attack : release.attacks) {
    // This attacker's own numbers, where they are those of the contributions, are taken from these.
    const bool same = attacker_words(attack) == attacker_words(report);
    Json of = Json::array();
    for (const query::ReportRun& run : attack.runs) {
      Json one = measured(run, {std::begin(kOfAttackers), std::end(kOfAttackers)}, nullptr);
      if (same) {
        for (const MetricId id : kOfAttackers) {
          if (is_proven(release.proof, run.run, id)) one["values"].erase(query::definition(id).name);
        }
      }
      of.push_back(std::move(one));
    }
    attacks.push_back({{"protocol", attack.spec.name()},
                       {"seeds", attack.seeds},
                       {"sample", attack.sample},
                       {"runs", std::move(of)}});
  }
  const query::Repeats& repeats = report.repeats;
  const query::Uncovered& uncovered = report.uncovered;
  return {{"records", release.dataset.records},
          {"persons", release.dataset.persons},
          {"repeats", Json::array({repeats.records, repeats.same_text})},
          {"uncovered", Json::array({uncovered.records, uncovered.no_text, uncovered.no_claims, uncovered.not_said,
                                     uncovered.too_few})},
          {"doubts", report.doubts},
          {"runs", std::move(runs)},
          {"cards", std::move(cards)},
          {"criteria", std::move(criteria)},
          {"never", to_json(release.criteria.never)},
          {"attacks", std::move(attacks)},
          {"judge", judge_facts(release)},
          {"intruder", intruder_facts(release)}};
}

verbs::Release release_of(const Json& data, const PageRequest& request, const verbs::Proof& proof,
                          const Values& values) {
  const Json& facts = data.at("facts");
  verbs::Release release;
  release.result.reports.push_back(report_from(facts, request, values));
  const query::Report& report = release.report();
  release.result.gates = gates_from(data.at("gates"), request);
  for (const Json& of : facts.at("criteria").elements()) {
    release.criteria.runs.push_back(criteria_from(of, report));
  }
  release.criteria.never = not_tested_from(facts.at("never"));
  release.frontier = query::frontier_of(report, {});
  for (const Json& attack : facts.at("attacks").elements()) {
    release.attacks.push_back(attack_from(attack, report, values));
  }
  release.dataset.dataset = request.dataset;
  release.dataset.records = whole(facts.at("records"));
  release.dataset.persons = whole(facts.at("persons"));
  release.content = request.content;
  const auto& cards = facts.at("cards").elements();
  // A run stands in each of the lists at the same place.
  if (cards.size() != request.runs.size() || report.runs.size() != cards.size()) throw JsonError("other runs");
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (report.runs[i].run != request.runs[i].first) throw JsonError("another run");
    release.runs.push_back(card_from(cards[i], request.runs[i].first, request.runs[i].second));
  }
  release.proof = proof;
  put_judge(release, facts.at("judge"), request);
  put_intruder(release, facts.at("intruder"));
  return release;
}

}  // namespace residue::page
