#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "query/compare/compare.h"
#include "query/compare/corpus_delta.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/gates/gate_parts.h"
#include "query/gates/gates.h"
#include "query/inputs/outdated.h"
#include "query/metric/aggregate.h"
#include "query/metric/outside_metrics.h"
#include "query/metric/slice.h"
#include "query/outside/outside_store.h"
#include "query/report/report_seeds.h"
#include "query/stored/answered.h"
#include "query/stored/current_evaluation.h"
#include "query/stored/doubts.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/protocol.h"

namespace residue::query {
namespace {

// Columns of table metric; those that depend on how failures are read have two.
constexpr std::array<std::string_view, 12> kColumns = {"value",    "low",       "high",      "drop_value",
                                                       "drop_low", "drop_high", "if_leaked", "if_private",
                                                       "n",        "failed",    "missing",   "not_applicable"};
constexpr std::string_view kFind = storage::sql::kMetricFieldsForGates;

int column_index(std::string_view field, bool drop) {
  const bool read_twice = field == "value" || field == "low" || field == "high";
  const std::string name = (drop && read_twice ? "drop_" : "") + std::string(field);
  return static_cast<int>(std::find(kColumns.begin(), kColumns.end(), name) - kColumns.begin());
}

// A number, or why there is none.
struct Looked {
  std::optional<double> value;
  std::string reason;
  std::optional<double> coverage = std::nullopt;
  std::optional<double> labelled = std::nullopt;
  bool none = false;  // its evaluation is there and up to date, but knows no such part, or no value of it
};

Looked nothing(std::string reason) { return {std::nullopt, std::move(reason)}; }

std::optional<double> lesser(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

class Checker {
 public:
  Checker(storage::Db& db, const GateInput& input)
      : db_(db), input_(input), dataset_(storage::find_dataset(db, input.dataset)) {
    storage::Statement find = db.prepare(storage::sql::kJudgeIdByName);
    if (find.bind(input.judge).step()) judge_ = find.id<JudgeId>(0);
  }

  // The mean over the protocol's seeds: of values over those that have one, of counts over all (report_seeds.h).
  Looked look(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    const RunId id = storage::find_run(db_, input_.dataset, run);
    const std::vector<ProtocolSpec> seeds = with_seeds(protocol, input_.seeds);
    std::vector<std::optional<double>> values;
    std::optional<double> coverage, labelled;
    std::optional<Looked> first;  // of those without a value
    std::vector<SeedValue> ends;
    const bool end = gate.field == "low" || gate.field == "high";
    for (const ProtocolSpec& seed : seeds) {
      Looked one = look_at(gate, id, gate.metric == MetricId::kLexicalDistance ? lexical_baseline(seed) : seed);
      if (!one.value && !one.none) return one;
      values.push_back(one.value);
      coverage = lesser(coverage, one.coverage);
      labelled = lesser(labelled, one.labelled);
      if (end && one.value) ends.push_back(look_at_ends(gate, id, seed));
      if (!one.value && !first) first = std::move(one);
    }
    const auto lacks = [](const std::optional<double>& value) { return !value; };
    if (first && std::all_of(values.begin(), values.end(), lacks)) return *first;
    if (exempt_from_coverage(gate)) std::replace_if(values.begin(), values.end(), lacks, 0.0);
    if (end) {
      const MetricDefinition& about = definition(gate.metric);
      const auto interval = interval_over_seeds(ends, least_number(about), about.high);
      if (!interval) return nothing("has no interval");
      return {gate.field == "low" ? interval->low : interval->high, {}, coverage, labelled};
    }
    return {mean_over_seeds(values), {}, coverage, labelled};
  }

  // Why no number of this attack on this run may pass; empty: nothing speaks against them.
  std::string doubts(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    const double least = input_.min_coverage.of(gate.metric);
    const bool attack = needs_attack(definition(gate.metric));
    if (std::string words = outdated_note(db_, input_.dataset, run, attack ? protocol.claim_set : ""); !words.empty()) {
      return words;
    }
    if (attack) {
      const auto claims = unsupported_claims(db_, dataset_, input_.dataset, protocol, input_.sample, judge_);
      if (claims && claims->too_many(least)) return unsupported_note(claims);
    }
    if (std::string words = other_records(gate, run, protocol); !words.empty()) return words;
    storage::Statement find = db_.prepare(storage::sql::kProtocolIdByNameAndSample);
    if (!find.bind(dataset_, protocol.name(), static_cast<std::int64_t>(input_.sample)).step()) return {};
    const RunId id = storage::find_run(db_, input_.dataset, run);
    return misplaced_note(run, scattered_links(db_, id, find.id<ProtocolId>(0), protocol));
  }

  std::string outdated(const std::string& run) { return outdated_note(db_, input_.dataset, run, ""); }

  // Of answers to a task: one number for each model that answered.
  std::vector<std::pair<std::string, Looked>> look_at_answers(const Gate& gate, const std::string& run) {
    std::vector<std::pair<std::string, Looked>> all;
    const RunId id = storage::find_run(db_, input_.dataset, run);
    for (const AnsweredMetric& one : answered_metrics(db_, id, gate.metric)) {
      all.emplace_back(one.model, value_in(gate, current_evaluation(db_, id, Tier::kTask, {}, one.set)));
    }
    for (const std::string& model : unevaluated_answers(db_, id, gate.metric)) {
      all.emplace_back(model, nothing("was not computed from the answers that are there"));
    }
    return all;
  }

  Looked delta(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    if (definition(gate.metric).tier == Tier::kCorpus) return corpus(gate, run);
    ComparableOptions options;
    options.dataset = input_.dataset;
    options.runs = {*gate.baseline, run};
    options.protocol = protocol.name();
    options.judge = input_.judge;
    options.seeds = input_.seeds;
    try {
      const Comparable what = find_comparable(db_, options);
      const MetricDelta found = compare_metric(db_, what, 1, gate.metric, gate.slice,
                                               input_.drop_missing ? MissingPolicy::kDrop : MissingPolicy::kLeaked);
      Looked looked = part_of(found, gate.field);
      // What few records say of both runs is no difference of the runs.
      Gate plain = gate;
      plain.baseline.reset();
      plain.field = "value";
      looked.coverage = lesser(look(plain, run, protocol).coverage, look(plain, *gate.baseline, protocol).coverage);
      return looked;
    } catch (const Error& error) {
      if (error.code() == Code::kUsage || error.code() == Code::kNotFound || error.code() == Code::kBadInput) {
        return nothing(error.what());
      }
      throw;
    }
  }

 private:
  // linkage_rate counts a hit on a copy of the record, or on another of the person, as a miss: a gate on it does not
  // pass where the person is found too often for it.
  std::string other_records(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    if (gate.metric != MetricId::kLinkageRate || gate.baseline || !gate.slice.empty()) return {};
    Gate person = gate;
    person.metric = MetricId::kLinkageRatePerson;
    const Looked looked = look(person, run, protocol);
    if (!looked.value || !holds(person, *looked.value)) return {};
    return fmt::format(
        "linkage_rate_person is {:.4f}: hits on copies of the record, or on others of its person, are misses in "
        "linkage_rate; a gate on linkage_rate_person counts them",
        *looked.value);
  }

  Looked corpus(const Gate& gate, const std::string& run) {
    try {
      const MetricDelta found =
          corpus_delta(db_, {input_.dataset, *gate.baseline, run}, gate.metric,
                       input_.drop_missing ? MissingPolicy::kDrop : MissingPolicy::kLeaked, gate.slice);
      if (!found.delta.difference) return nothing("is not applicable to both runs");
      return {*found.delta.difference, {}};
    } catch (const Error& error) {
      if (error.code() == Code::kUsage || error.code() == Code::kNotFound) return nothing(error.what());
      throw;
    }
  }

  SeedValue look_at_ends(Gate gate, RunId run, const ProtocolSpec& seed) {
    const ProtocolSpec protocol = gate.metric == MetricId::kLexicalDistance ? lexical_baseline(seed) : seed;
    const auto field = [&](const char* name) {
      gate.field = name;
      return look_at(gate, run, protocol).value;
    };
    return {field("value"), field("low"), field("high")};
  }

  Looked look_at(const Gate& gate, RunId run, const ProtocolSpec& protocol) {
    const Tier tier = definition(gate.metric).tier;
    ProtocolId id;
    const bool attack = needs_attack(definition(gate.metric));
    if (attack) {
      storage::Statement find = db_.prepare(storage::sql::kProtocolIdByNameAndSample);
      if (!find.bind(dataset_, protocol.name(), static_cast<std::int64_t>(input_.sample)).step()) {
        return nothing("was not computed");
      }
      id = find.id<ProtocolId>(0);
    }
    if (tier == Tier::kCorpus) {
      const auto whole = current_corpus(db_, run, gate.metric);
      if (!whole)
        return nothing(fmt::format("was not computed: residue eval --metrics {}", definition(gate.metric).name));
      return value_in(gate, *whole);
    }
    if (tier == Tier::kVector) {
      const auto compared = current_vectors(db_, run, id);
      if (!compared)
        return nothing(fmt::format("was not computed: residue eval --metrics {}", definition(gate.metric).name));
      return value_in(gate, *compared);
    }
    if (tier != Tier::kOutside) return value_in(gate, current_evaluation(db_, run, tier, id, judge_));
    const auto outside = current_evaluation(db_, run, tier, id, attack ? judge_ : JudgeId{});
    if (!outside) {
      return nothing(find_outside_control(db_, dataset_)
                         ? "was not computed: residue eval --membership"
                         : fmt::format("was not computed: it needs people who were never released: residue ingest "
                                       "dataset NAME FILE --control-of {}",
                                       input_.dataset));
    }
    return value_in(gate, outside);
  }

  Looked value_in(const Gate& gate, const std::optional<CurrentEvaluation>& evaluation) {
    if (!evaluation) return nothing("was not computed");
    if (!evaluation->changed.empty()) return nothing("is stale: " + evaluation->changed);
    storage::Statement find = db_.prepare(kFind);
    find.bind(evaluation->id, static_cast<std::int64_t>(gate.metric), gate.slice);
    if (!find.step()) {
      const std::string reason = metric_reason(db_, evaluation->id, gate.metric);
      return {std::nullopt,
              reason.empty() ? "was not computed" + meant(gate, evaluation->id) : "is not applicable: " + reason,
              {},
              {},
              true};
    }
    const Counted counted = counted_in(gate, *evaluation);
    if (gate.field == "coverage")
      return counted.coverage ? Looked{counted.coverage, {}, {}} : Looked{{}, "has no records", {}, {}, true};
    const int column = column_index(gate.field, input_.drop_missing);
    if (find.is_null(column)) {
      const std::string reason = metric_reason(db_, evaluation->id, gate.metric);
      return {std::nullopt, reason.empty() ? "has no value" : "is not applicable: " + reason, {}, {}, true};
    }
    return {find.real(column), {}, counted.coverage, counted.labelled};
  }

  struct Counted {
    std::optional<double> coverage, labelled;
  };

  // Of a slice by outcome, and of statistics, that of the whole: they are of the records that were found. A metric of
  // labels or answers is of the records that have some, whoever forgot the others.
  Counted counted_in(const Gate& gate, const CurrentEvaluation& evaluation) {
    const MetricDefinition& about = definition(gate.metric);
    const bool part = Slice(gate.slice, about).as<Slice::Cut>() != nullptr;
    storage::Statement find = db_.prepare(kFind);
    find.bind(evaluation.id, static_cast<std::int64_t>(gate.metric), part ? gate.slice : std::string());
    if (!find.step()) return {};
    const auto count = [&](std::string_view field) { return find.real(column_index(field, false)); };
    const double n = count("n"), failed = count("failed"), missing = count("missing"), none = count("not_applicable");
    Counted counted{coverage_of(about, n, failed, missing, none), {}};
    const double have = n + failed + missing;
    const bool of_some = about.tier == Tier::kLabel || about.tier == Tier::kTask;
    if (of_some && gate.slice.empty() && have + none > 0) counted.labelled = have / (have + none);
    return counted;
  }

  // Which part may have been meant.
  std::string meant(const Gate& gate, EvaluationId evaluation) {
    if (gate.slice.empty()) return {};
    return did_you_mean(gate.slice, cuts_of(db_, evaluation, gate.metric));
  }

  static Looked part_of(const MetricDelta& delta, const std::string& field) {
    if (!delta.delta.difference) return nothing("has no records in common with the baseline");
    if (field == "low" || field == "high") {
      if (!delta.delta.interval) return nothing("has no interval: it is of one record, or of one person");
      return {field == "low" ? delta.delta.interval->low : delta.delta.interval->high, {}};
    }
    if (field == "p") return delta.test ? Looked{delta.test->p, {}} : nothing("has no test");
    if (field == "n") return {static_cast<double>(delta.records), {}};
    return {*delta.delta.difference, {}};
  }

  storage::Db& db_;
  const GateInput& input_;
  DatasetId dataset_;
  JudgeId judge_;
};

// Throws Error{usage} for a part that the metric cannot have in this dataset.
void require_part(storage::Store& store, const Gate& gate, const std::string& dataset) {
  if (gate.slice.empty() || definition(gate.metric).cuts == Cuts::kNone) return;
  const auto known = known_parts(store, storage::find_dataset(store.db(), dataset), gate.metric);
  if (known.empty() || known.count(gate.slice) != 0) return;
  const std::vector<std::string> names(known.begin(), known.end());
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(gate_part(name));
  throw Error(Code::kUsage,
              fmt::format("--fail-if \"{}\": {} of dataset {} has no part \"{}\"{}", gate.text,
                          definition(gate.metric).name, dataset, gate.slice, did_you_mean(gate.slice, names)),
              fmt::format("parts: {}", fmt::join(quoted, ", ")));
}

bool holds_release(const ProtocolSpec& protocol, const std::string& run) {
  const std::vector<std::string> held = protocol.runs();  // An attacker looks at the releases that he holds.
  return held.empty() || std::find(held.begin(), held.end(), run) != held.end();
}

}  // namespace

std::vector<GateResult> check_gates(storage::Store& store, const std::vector<Gate>& gates, const GateInput& input) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  for (const Gate& gate : gates) require_part(store, gate, input.dataset);
  Checker checker(db, input);
  std::vector<GateResult> results;
  for (const Gate& gate : gates) {
    if (gate.baseline) static_cast<void>(storage::find_run(db, input.dataset, *gate.baseline));
    const std::size_t before = results.size();
    const auto add = [&](const std::string& run, const std::string& protocol, const std::string& judge,
                         const Looked& looked, const std::function<std::string()>& doubts = {}) {
      GateResult result{.gate = gate.text,
                        .dataset = input.dataset,
                        .run = run,
                        .protocol = protocol,
                        .judge = judge,
                        .limit = gate.limit,
                        .value = looked.value,
                        .coverage = looked.coverage,
                        .labelled = looked.labelled,
                        .reason = {}};
      if (!looked.value) {
        result.reason = looked.reason;
      } else if (GateFailure failure =
                     failure_of(gate, *looked.value, looked.coverage, input.min_coverage.of(gate.metric));
                 !failure.reason.empty()) {
        result.reason = std::move(failure.reason);
        result.uncovered = failure.uncovered;
      } else if (!exempt_from_coverage(gate) && doubts) {  // they are looked for only where the gate would pass
        result.reason = doubts();
        result.uncovered = !result.reason.empty();
      }
      result.failed = !result.reason.empty();
      results.push_back(std::move(result));
    };
    for (const std::string& run : input.runs) {
      if (gate.baseline == run) continue;
      if (definition(gate.metric).tier == Tier::kTask && !gate.baseline) {
        const auto answers = checker.look_at_answers(gate, run);
        for (const auto& [model, looked] : answers) add(run, "", model, looked, [&] { return checker.outdated(run); });
        if (answers.empty()) add(run, "", "", nothing("was not computed: nobody's answers about the run have it"));
        continue;
      }
      for (const ProtocolSpec& protocol : input.protocols) {
        if (!holds_release(protocol, run)) continue;
        add(run, seeds_name(protocol, input.seeds), input.judge,
            gate.baseline ? checker.delta(gate, run, protocol) : checker.look(gate, run, protocol),
            [&] { return checker.doubts(gate, run, protocol); });
      }
    }
    if (results.size() == before) {  // A gate that was held against nothing has not passed.
      add(input.runs.empty() ? "" : input.runs.front(), input.protocols.front().name(), input.judge,
          nothing("was not computed"));
    }
  }
  return results;
}

}  // namespace residue::query
