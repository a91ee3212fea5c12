#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/nearest.h"
#include "query/compare.h"
#include "query/corpus_evaluation.h"
#include "query/current_evaluation.h"
#include "query/gates.h"
#include "storage/lookup.h"

namespace residue::query {
namespace {

// Columns of table metric; those that depend on how failures are read have two.
constexpr std::array<std::string_view, 11> kColumns = {
    "value", "low", "high", "drop_value", "drop_low", "drop_high", "if_leaked", "if_private", "n", "failed", "missing"};
constexpr std::string_view kFind =
    "SELECT value, low, high, drop_value, drop_low, drop_high, if_leaked, if_private, CAST(n AS REAL),"
    " CAST(failed AS REAL), CAST(missing AS REAL) FROM metric WHERE evaluation_id = ?1 AND metric = ?2 AND slice = ?3";

int column_index(std::string_view field, bool drop) {
  const bool read_twice = field == "value" || field == "low" || field == "high";
  const std::string name = (drop && read_twice ? "drop_" : "") + std::string(field);
  return static_cast<int>(std::find(kColumns.begin(), kColumns.end(), name) - kColumns.begin());
}

bool holds(double value, const std::string& op, double limit) {
  if (op == "<") return value < limit;
  if (op == "<=") return value <= limit;
  if (op == ">") return value > limit;
  if (op == ">=") return value >= limit;
  if (op == "==") return value == limit;
  return value != limit;
}

// A number, or why there is none.
struct Looked {
  std::optional<double> value;
  std::string reason;
};

Looked nothing(std::string reason) { return {std::nullopt, std::move(reason)}; }

class Checker {
 public:
  Checker(storage::Db& db, const GateInput& input)
      : db_(db), input_(input), dataset_(storage::find_dataset(db, input.dataset)) {
    storage::Statement find = db.prepare("SELECT id FROM judge WHERE name = ?1");
    if (find.bind(input.judge).step()) judge_ = find.id<JudgeId>(0);
  }

  // The mean over the protocol's seeds.
  Looked look(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    const RunId id = storage::find_run(db_, input_.dataset, run);
    const std::vector<ProtocolSpec> seeds = with_seeds(protocol, input_.seeds);
    double sum = 0;
    for (const ProtocolSpec& seed : seeds) {
      const Looked one = look_at(gate, id, seed);
      if (!one.value) return one;
      sum += *one.value / static_cast<double>(seeds.size());
    }
    return {sum, {}};
  }

  // Of the answers of every model: its name, and what it has.
  std::vector<std::pair<std::string, Looked>> look_at_answers(const Gate& gate, const std::string& run) {
    const RunId id = storage::find_run(db_, input_.dataset, run);
    storage::Statement models = db_.prepare(
        "SELECT s.id, s.model FROM answer_set s WHERE s.run_id = ?1 AND EXISTS (SELECT 1 FROM evaluation e JOIN metric "
        "m "
        "ON m.evaluation_id = e.id WHERE e.run_id = s.run_id AND e.tier = 'task' AND e.judge_id = s.id AND m.metric = "
        "?2)"
        " ORDER BY s.model");
    models.bind(id, static_cast<std::int64_t>(gate.metric));
    std::vector<std::pair<std::string, Looked>> found;
    while (models.step()) {
      found.emplace_back(models.text(1), gate.baseline ? nothing("has no delta: it is of answers")
                                                       : look_in(gate, id, ProtocolId{}, models.id<JudgeId>(0)));
    }
    return found;
  }

  Looked delta(const Gate& gate, const std::string& run, const ProtocolSpec& protocol) {
    if (const Kind kind = definition(gate.metric).kind; kind == Kind::kWorst || kind == Kind::kWhole) {
      const Looked here = look(gate, run, protocol);
      if (!here.value) return here;
      const Looked there = look(gate, *gate.baseline, protocol);
      if (!there.value) return nothing(fmt::format("of {}: {}", *gate.baseline, there.reason));
      return {*here.value - *there.value, {}};
    }
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
      return part_of(found, gate.field);
    } catch (const Error& error) {
      if (error.code() == Code::kUsage || error.code() == Code::kNotFound || error.code() == Code::kBadInput) {
        return nothing(error.what());
      }
      throw;
    }
  }

 private:
  Looked look_at(const Gate& gate, RunId run, const ProtocolSpec& protocol) {
    const Tier tier = definition(gate.metric).tier;
    ProtocolId id;
    if (tier != Tier::kText && tier != Tier::kCorpus) {
      storage::Statement find =
          db_.prepare("SELECT id FROM protocol WHERE dataset_id = ?1 AND name = ?2 AND sample = ?3");
      if (!find.bind(dataset_, protocol.name(), static_cast<std::int64_t>(input_.sample)).step()) {
        return nothing("was not computed");
      }
      id = find.id<ProtocolId>(0);
    }
    return look_in(gate, run, id, judge_);
  }

  std::optional<CurrentEvaluation> evaluation_of(const Gate& gate, RunId run, ProtocolId protocol, JudgeId judge) {
    const Tier tier = definition(gate.metric).tier;
    if (tier != Tier::kCorpus) return current_evaluation(db_, run, tier, protocol, judge);
    return current_corpus(db_, run, gate.metric);
  }

  Looked look_in(const Gate& gate, RunId run, ProtocolId protocol, JudgeId judge) {
    const auto evaluation = evaluation_of(gate, run, protocol, judge);
    if (!evaluation && definition(gate.metric).tier == Tier::kCorpus) {
      return nothing(fmt::format("was not computed: residue eval --metrics {}", definition(gate.metric).name));
    }
    if (!evaluation) return nothing("was not computed");
    if (!evaluation->changed.empty()) return nothing("is stale: " + evaluation->changed);
    storage::Statement find = db_.prepare(kFind);
    find.bind(evaluation->id, static_cast<std::int64_t>(gate.metric), gate.slice);
    const int column = column_index(gate.field, input_.drop_missing);
    if (!find.step()) return nothing("was not computed" + meant(gate, evaluation->id));
    if (find.is_null(column)) {
      const std::string reason = corpus_reason(db_, evaluation->id, gate.metric);
      return nothing(reason.empty() ? "has no value" : "is not applicable: " + reason);
    }
    return {find.real(column), {}};
  }

  // Which part may have been meant.
  std::string meant(const Gate& gate, EvaluationId evaluation) {
    if (gate.slice.empty()) return {};
    return did_you_mean(gate.slice, cuts_of(db_, evaluation, gate.metric));
  }

  static Looked part_of(const MetricDelta& delta, const std::string& field) {
    if (!delta.delta.difference) return nothing("has no records in common with the baseline");
    if (field == "low") return {delta.delta.interval->low, {}};
    if (field == "high") return {delta.delta.interval->high, {}};
    if (field == "p") return {delta.test->p, {}};
    if (field == "n") return {static_cast<double>(delta.records), {}};
    return {*delta.delta.difference, {}};
  }

  storage::Db& db_;
  const GateInput& input_;
  DatasetId dataset_;
  JudgeId judge_;
};

bool holds_release(const ProtocolSpec& protocol, const std::string& run) {
  const std::vector<std::string> held = protocol.runs();  // An attacker looks at the releases that he holds.
  return held.empty() || std::find(held.begin(), held.end(), run) != held.end();
}

}  // namespace

std::vector<GateResult> check_gates(storage::Store& store, const std::vector<Gate>& gates, const GateInput& input) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Checker checker(db, input);
  std::vector<GateResult> results;
  for (const Gate& gate : gates) {
    if (gate.baseline) static_cast<void>(storage::find_run(db, input.dataset, *gate.baseline));
    const std::size_t before = results.size();
    const auto add = [&](const std::string& run, const std::string& protocol, const std::string& by,
                         const Looked& looked) {
      GateResult result{gate.text, input.dataset, run, protocol, by, gate.limit, looked.value, false, {}};
      if (!looked.value) {
        result.reason = looked.reason;
      } else if (holds(*looked.value, gate.op, gate.limit)) {
        result.reason = fmt::format("{} {} {}", *looked.value, gate.op, gate.limit);
      }
      result.failed = !result.reason.empty();
      results.push_back(std::move(result));
    };
    for (const std::string& run : input.runs) {
      if (gate.baseline == run) continue;
      if (definition(gate.metric).tier == Tier::kTask) {
        for (const auto& [model, looked] : checker.look_at_answers(gate, run)) add(run, "", model, looked);
        continue;
      }
      for (const ProtocolSpec& protocol : input.protocols) {
        if (!holds_release(protocol, run)) continue;
        add(run, seeds_name(protocol, input.seeds), input.judge,
            gate.baseline ? checker.delta(gate, run, protocol) : checker.look(gate, run, protocol));
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
