#include "query/gates/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/nearest.h"
#include "query/metric/metric_values.h"

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 3> kOutcomeNames = {"right", "wrong", "not_linked"};
constexpr std::array<std::string_view, 8> kFields = {"low", "high",   "if_leaked", "if_private",
                                                     "n",   "failed", "missing",   "coverage"};
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
  return value + 0.0;  // -0 is 0
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

// A metric's own statistic over records.
bool is_statistic(MetricId metric, std::string_view name) {
  return (metric == MetricId::kEmbeddingCosine && name == "median") ||
         (metric == MetricId::kTopicDistance && name == "std");
}

// Takes METRIC."PART" out of a condition: what is left reads METRIC. Nothing where no part is quoted.
std::optional<std::string> take_quoted(std::string_view gate, std::string& text) {
  const std::size_t dot = text.find('.');
  const std::size_t open = dot == std::string::npos ? dot : text.find_first_not_of(' ', dot + 1);
  if (open == std::string::npos || text[open] != '"') return std::nullopt;
  std::string name;
  for (std::size_t at = open + 1; at < text.size(); ++at) {
    if (text[at] != '"') {
      name += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      name += text[at++];
    } else {
      if (name.empty()) fail(gate, "the name of the part is empty");
      text.erase(dot, at + 1 - dot);
      return name;
    }
  }
  fail(gate, "the quote of the part's name is not closed");
}

// METRIC[.SLICE], where SLICE may have been taken out already.
void read_metric(std::string_view words, const std::optional<std::string>& quoted, Gate& gate) {
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
  if (quoted && dot != std::string_view::npos) fail(gate.text, "a part in quotes cannot have a further part");
  if (dot == std::string_view::npos && !quoted) {
    if (about.cuts == Cuts::kOnly) fail(gate.text, "this metric has parts only: name one, as in leak_by_category.Age");
    return;
  }
  gate.slice = quoted ? *quoted : std::string(trim(words.substr(dot + 1)));
  const bool outcome = contains(kOutcomeNames, gate.slice) && about.split;
  const bool part = about.cuts != Cuts::kNone && !gate.slice.empty();
  if (!outcome && !part && !is_statistic(*metric, gate.slice))
    fail(gate.text, fmt::format("this metric has no part \"{}\"", gate.slice));
}

// What a number of the metric can be: its range, and of a difference of two as far up and down.
void require_possible(const Gate& gate) {
  const MetricDefinition& about = definition(gate.metric);
  double low = least_number(about), high = about.high;
  if (gate.field == "coverage" || gate.field == "p") {
    low = 0;
    high = 1;
  } else if (gate.field == "n" || gate.field == "failed" || gate.field == "missing" || gate.slice == "std") {
    low = 0;
    high = std::numeric_limits<double>::infinity();
  } else if (gate.baseline) {
    high = about.high - low;
    low = -high;
  }
  if (gate.limit >= low && gate.limit <= high) return;
  const bool percent = high <= 1 && gate.limit > 1 && gate.limit <= 100;
  fail(gate.text, fmt::format("no number of this kind is {:g}: they lie between {:g} and {:g}{}", gate.limit, low, high,
                              percent ? fmt::format("; {:g} % is {:g}", gate.limit, gate.limit / 100) : ""));
}

}  // namespace

Gate parse_gate(std::string_view condition) {
  Gate gate;
  gate.text = std::string(condition);
  std::string rest = gate.text;
  const std::optional<std::string> quoted = take_quoted(gate.text, rest);
  const std::string_view text = rest;
  const std::string_view start = trim(text);
  const bool delta = start.starts_with("delta(");
  const std::size_t close = delta ? text.find(')') : 0;
  if (close == std::string_view::npos) fail(gate.text, "delta( is not closed");
  const std::size_t at = text.find_first_of("<>=!", close);
  const std::string_view op = at == std::string_view::npos ? std::string_view() : operator_at(text, at);
  if (op.empty()) fail(gate.text, "there is no comparison (< <= > >= == !=)");
  gate.op = std::string(op);
  gate.limit = number(gate.text, trim(text.substr(at + op.size())));
  std::string_view left = trim(text.substr(0, at));
  if (!delta) {
    gate.field = take_field(left, kFields);
    read_metric(left, quoted, gate);
    require_possible(gate);
    return gate;
  }
  gate.field = take_field(left, kDeltaFields);
  if (left.back() != ')') fail(gate.text, "after delta(...), only .low, .high, .p or .n may follow");
  left = left.substr(6, left.size() - 7);
  const std::size_t comma = left.rfind(',');
  if (comma == std::string_view::npos) fail(gate.text, "a delta takes a metric and a run: delta(METRIC, RUN)");
  gate.baseline = std::string(trim(left.substr(comma + 1)));
  if (gate.baseline->empty()) fail(gate.text, "a delta takes a metric and a run: delta(METRIC, RUN)");
  read_metric(trim(left.substr(0, comma)), quoted, gate);
  if (definition(gate.metric).cuts == Cuts::kNone && contains(kOutcomeNames, gate.slice)) {
    fail(gate.text,
         "two runs do not have the same records of an outcome, so there is no delta of right, wrong or not_linked");
  }
  if (definition(gate.metric).kind == Kind::kDistribution) {
    fail(gate.text, "this metric is not made of numbers of records, so runs cannot be paired by it");
  }
  if (definition(gate.metric).kind == Kind::kWorst && gate.field == "p") {
    fail(gate.text, "the delta of this metric has no test; use .low or .high");
  }
  if (definition(gate.metric).tier == Tier::kOutside) {
    fail(gate.text, "this metric is not made of numbers of records, so runs cannot be paired by it");
  }
  if (of_whole_runs(definition(gate.metric)) && gate.field != "value") {
    fail(gate.text, "the delta of this metric has no interval and no test");
  }
  require_possible(gate);
  return gate;
}

std::string gate_part(std::string_view name) {
  const bool plain = !contains(kFields, name) && !contains(kDeltaFields, name) && trim(name) == name &&
                     name.find_first_of("<>=!.,()\"") == std::string_view::npos;
  if (plain) return std::string(name);
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

bool holds(const Gate& gate, double value) {
  const bool exact = gate.field == "p" || gate.field == "n" || gate.field == "failed" || gate.field == "missing";
  const bool same = exact ? value == gate.limit : same_value(value, gate.limit);
  if (gate.op == "==" || gate.op == "!=") return same == (gate.op == "==");
  if (same) return gate.op == "<=" || gate.op == ">=";
  return gate.op.front() == '<' ? value < gate.limit : value > gate.limit;
}

bool exempt_from_coverage(const Gate& gate) {
  return gate.field == "n" || gate.field == "failed" || gate.field == "missing" || gate.field == "coverage";
}

GateFailure failure_of(const Gate& gate, double value, const std::optional<double>& coverage, double least) {
  if (holds(gate, value)) return {fmt::format("{} {} {}", value, gate.op, gate.limit)};
  if (exempt_from_coverage(gate) || coverage.value_or(1) >= least) return {};
  return {fmt::format("is of {} % of the records: a gate needs {} %, or --min-coverage {}=SHARE",
                      std::floor(*coverage * 1000) / 10, least * 100, definition(gate.metric).name),
          true};
}

}  // namespace residue::query
