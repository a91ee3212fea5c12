#include "query/gates.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"
#include "storage/lookup.h"

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 3> kSlices = {"right", "wrong", "not_linked"};
constexpr std::array<std::string_view, 8> kFields = {"value",      "low", "high",   "if_leaked",
                                                     "if_private", "n",   "failed", "missing"};
constexpr std::array<std::string_view, 6> kOperators = {"<=", ">=", "==", "!=", "<", ">"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

[[noreturn]] void fail(std::string_view gate, const std::string& what) {
  throw Error(Code::kUsage, fmt::format("--fail-if \"{}\": {}", gate, what),
              "for example: --fail-if 'semantic_distance < 0.5' or --fail-if 'exposed_rate.high > 0.01'");
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Column of table metric for a field under a reading of missing values.
std::string_view column(std::string_view field, bool drop) {
  if (field == "value") return drop ? "drop_value" : "value";
  if (field == "low") return drop ? "drop_low" : "low";
  if (field == "high") return drop ? "drop_high" : "high";
  return field;
}

int column_index(std::string_view name) {
  constexpr std::array<std::string_view, 11> kColumns = {"value",    "low",       "high",      "drop_value",
                                                         "drop_low", "drop_high", "if_leaked", "if_private",
                                                         "n",        "failed",    "missing"};
  return static_cast<int>(std::find(kColumns.begin(), kColumns.end(), name) - kColumns.begin());
}

constexpr std::string_view kFind =
    "SELECT m.value, m.low, m.high, m.drop_value, m.drop_low, m.drop_high, m.if_leaked, m.if_private, "
    "CAST(m.n AS REAL), CAST(m.failed AS REAL), CAST(m.missing AS REAL) "
    "FROM metric m JOIN evaluation e ON e.id = m.evaluation_id "
    "WHERE e.run_id = ?1 AND e.tier = ?2 AND e.protocol_id = ?3 AND e.judge_id = ?4 AND m.metric = ?5 AND m.slice = ?6";

bool holds(double value, const std::string& op, double limit) {
  if (op == "<") return value < limit;
  if (op == "<=") return value <= limit;
  if (op == ">") return value > limit;
  if (op == ">=") return value >= limit;
  if (op == "==") return value == limit;
  return value != limit;
}

std::int64_t scalar(storage::Statement& find) {
  const std::int64_t id = find.step() ? find.integer(0) : -1;
  find.reset();
  return id;
}

}  // namespace

Gate parse_gate(std::string_view text) {
  Gate gate;
  gate.text = std::string(text);
  std::size_t at = std::string_view::npos;
  for (const std::string_view op : kOperators) {
    at = text.find(op);
    if (at == std::string_view::npos) continue;
    gate.op = std::string(op);
    break;
  }
  if (gate.op.empty()) fail(text, "there is no comparison (< <= > >= == !=)");
  const std::string_view number = trim(text.substr(at + gate.op.size()));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), gate.limit);
  if (error != std::errc() || end != number.data() + number.size() || number.empty() || !std::isfinite(gate.limit)) {
    fail(text, "the right side is not a number");
  }
  std::string_view left = trim(text.substr(0, at));
  const std::string_view name = left.substr(0, left.find('.'));
  const auto metric = find_metric(name);
  if (!metric) {
    std::vector<std::string> known;
    for (const MetricDefinition& row : metric_definitions()) known.emplace_back(row.name);
    fail(text, fmt::format("there is no metric \"{}\"{}", name, did_you_mean(name, known)));
  }
  if (definition(*metric).kind == Kind::kHistogram) fail(text, "a histogram cannot be compared with a number");
  gate.metric = *metric;
  gate.field = "value";
  while (true) {
    const std::size_t dot = left.find('.');
    if (dot == std::string_view::npos) break;
    left = left.substr(dot + 1);
    const std::string_view part = left.substr(0, left.find('.'));
    if (contains(kSlices, part) && definition(*metric).split) {
      gate.slice = std::string(part);
    } else if (contains(kFields, part)) {
      gate.field = std::string(part);
    } else {
      fail(text, fmt::format("this metric has no part \"{}\"", part));
    }
  }
  return gate;
}

std::vector<GateResult> check_gates(storage::Store& store, const std::vector<Gate>& gates, const GateInput& input) {
  storage::Db& db = store.db();
  const DatasetId dataset = storage::find_dataset(db, input.dataset);
  storage::Statement find_judge = db.prepare("SELECT id FROM judge WHERE name = ?1");
  find_judge.bind(input.judge);
  const std::int64_t judge = scalar(find_judge);
  storage::Statement find_protocol =
      db.prepare("SELECT id FROM protocol WHERE dataset_id = ?1 AND name = ?2 AND sample = ?3");
  storage::Statement find = db.prepare(kFind);
  std::vector<GateResult> results;
  for (const Gate& gate : gates) {
    const std::size_t before = results.size();
    const Tier tier = definition(gate.metric).tier;
    const int index = column_index(column(gate.field, input.drop_missing));
    for (const std::string& run : input.runs) {
      const RunId run_id = storage::find_run(db, input.dataset, run);
      for (const ProtocolSpec& protocol : input.protocols) {
        const std::vector<std::string> held = protocol.runs();  // An attacker looks at the releases that he holds.
        if (!held.empty() && std::find(held.begin(), held.end(), run) == held.end()) continue;
        GateResult result{gate.text, run, seeds_name(protocol, input.seeds), true, 0, false};
        const std::vector<ProtocolSpec> seeds = with_seeds(protocol, input.seeds);
        for (const ProtocolSpec& seed : seeds) {
          find_protocol.bind(dataset, seed.name(), static_cast<std::int64_t>(input.sample));
          const bool any_attack = tier == Tier::kText || tier == Tier::kLabel;
          const std::int64_t id = any_attack ? 0 : scalar(find_protocol);
          find_protocol.reset();
          find.bind(run_id, tier_name(tier), id, tier == Tier::kJudge ? judge : 0,
                    static_cast<std::int64_t>(gate.metric), gate.slice);
          const bool there = find.step() && !find.is_null(index);
          result.computed = result.computed && there;
          if (there) result.value += find.real(index) / static_cast<double>(seeds.size());
          find.reset();
        }
        result.failed = !result.computed || holds(result.value, gate.op, gate.limit);
        results.push_back(std::move(result));
      }
    }
    if (results.size() == before) {  // A gate that was held against nothing has not passed.
      results.push_back(
          {gate.text, input.runs.empty() ? "" : input.runs.front(), input.protocols.front().name(), false, 0, true});
    }
  }
  return results;
}

}  // namespace residue::query
