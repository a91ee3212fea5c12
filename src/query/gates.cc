#include "query/gates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"
#include "query/metric_values.h"

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 3> kOutcomeNames = {"right", "wrong", "not_linked"};
constexpr std::array<std::string_view, 7> kFields = {"low", "high",   "if_leaked", "if_private",
                                                     "n",   "failed", "missing"};
constexpr std::array<std::string_view, 4> kDeltaFields = {"low", "high", "p", "n"};
constexpr std::array<std::string_view, 6> kOperators = {"<=", ">=", "==", "!=", "<", ">"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

[[noreturn]] void fail(std::string_view gate, const std::string& what) {
  throw Error(
      Code::kUsage, fmt::format("--fail-if \"{}\": {}", gate, what),
      "for example: --fail-if 'semantic_distance < 0.5', 'exposed_rate.high > 0.01', 'delta(leak_rate, RUN) > 0'");
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view operator_at(std::string_view text, std::size_t at) {
  for (const std::string_view op : kOperators) {
    if (text.substr(at, op.size()) == op) return op;
  }
  return {};
}

double number(std::string_view gate, std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.empty() || !std::isfinite(value)) {
    fail(gate, "the right side is not a number");
  }
  return value;
}

// ".low" at the end, taken off `words`.
template <class List>
std::string take_field(std::string_view& words, const List& fields) {
  const std::size_t dot = words.rfind('.');
  if (dot == std::string_view::npos || !contains(fields, words.substr(dot + 1))) return "value";
  const std::string field(words.substr(dot + 1));
  words = words.substr(0, dot);
  return field;
}

// METRIC[.SLICE]
void read_metric(std::string_view words, Gate& gate) {
  const std::size_t dot = words.find('.');
  const std::string_view name = trim(words.substr(0, dot));
  const auto metric = find_metric(name);
  if (!metric) {
    std::vector<std::string> known;
    for (const MetricDefinition& row : metric_definitions()) known.emplace_back(row.name);
    fail(gate.text, fmt::format("there is no metric \"{}\"{}", name, did_you_mean(name, known)));
  }
  const MetricDefinition& about = definition(*metric);
  if (about.kind == Kind::kHistogram) fail(gate.text, "a histogram cannot be compared with a number");
  gate.metric = *metric;
  if (dot == std::string_view::npos) {
    if (about.cuts == Cuts::kOnly) fail(gate.text, "this metric has parts only: name one, as in leak_by_category.Age");
    return;
  }
  gate.slice = std::string(trim(words.substr(dot + 1)));
  const bool outcome = contains(kOutcomeNames, gate.slice) && about.split;
  const bool part = about.cuts != Cuts::kNone && !gate.slice.empty();
  if (!outcome && !part) fail(gate.text, fmt::format("this metric has no part \"{}\"", gate.slice));
}

}  // namespace

Gate parse_gate(std::string_view text) {
  Gate gate;
  gate.text = std::string(text);
  const std::string_view start = trim(text);
  const bool delta = start.starts_with("delta(");
  const std::size_t close = delta ? text.find(')') : 0;
  if (close == std::string_view::npos) fail(text, "delta( is not closed");
  const std::size_t at = text.find_first_of("<>=!", close);
  const std::string_view op = at == std::string_view::npos ? std::string_view() : operator_at(text, at);
  if (op.empty()) fail(text, "there is no comparison (< <= > >= == !=)");
  gate.op = std::string(op);
  gate.limit = number(text, trim(text.substr(at + op.size())));
  std::string_view left = trim(text.substr(0, at));
  if (!delta) {
    gate.field = take_field(left, kFields);
    read_metric(left, gate);
    return gate;
  }
  gate.field = take_field(left, kDeltaFields);
  if (left.back() != ')') fail(text, "behind delta(...) only .low, .high, .p or .n may stand");
  left = left.substr(6, left.size() - 7);
  const std::size_t comma = left.rfind(',');
  if (comma == std::string_view::npos) fail(text, "a delta is that of a metric and a run: delta(METRIC, RUN)");
  gate.baseline = std::string(trim(left.substr(comma + 1)));
  if (gate.baseline->empty()) fail(text, "a delta is that of a metric and a run: delta(METRIC, RUN)");
  read_metric(trim(left.substr(0, comma)), gate);
  if (contains(kOutcomeNames, gate.slice)) {
    fail(text, "records of one outcome are not those of the other run: there is no delta of them");
  }
  if (definition(gate.metric).kind == Kind::kDistribution) {
    fail(text, "this metric is made of no numbers of records: runs cannot be paired by it");
  }
  if (definition(gate.metric).kind == Kind::kWorst && gate.field == "p") {
    fail(text, "exchanging runs says nothing about who is worst: there is no test, but .low and .high");
  }
  if (definition(gate.metric).tier == Tier::kCorpus && gate.field != "value") {
    fail(text, "the delta of this metric has no interval and no test");
  }
  return gate;
}

bool holds(const Gate& gate, double value) {
  const bool exact = gate.field == "p" || gate.field == "n" || gate.field == "failed" || gate.field == "missing";
  const bool same = exact ? value == gate.limit : same_value(value, gate.limit);
  if (gate.op == "==" || gate.op == "!=") return same == (gate.op == "==");
  if (same) return gate.op == "<=" || gate.op == ">=";
  return gate.op.front() == '<' ? value < gate.limit : value > gate.limit;
}

}  // namespace residue::query
