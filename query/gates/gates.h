// --fail-if: a condition over one metric, or over what changed against a run, that a release must not meet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "query/gates/min_coverage.h"
#include "query/inputs/protocol.h"
#include "query/metric/metrics.h"
#include "storage/store.h"

namespace residue::query {

// VALUE OP NUMBER, OP one of < <= > >= == !=, VALUE one of
//   METRIC[.right|.wrong|.not_linked|.median|.std|.CUT][.low|.high|.if_leaked|.if_private|.n|.failed|.missing|.coverage]
//   delta(METRIC[.CUT], RUN)[.low|.high|.p|.n]      value - that of RUN, on common records (query/compare.h)
// CUT is a named part, such as a category of leak_by_category; one that is called like a field, or holds signs that
// mean something here, stands in double quotes: privacy_error."low" > 0. A quote within them is doubled.
struct Gate {
  std::string text;  // as given
  MetricId metric{};
  std::string slice;  // "", "right", "wrong", "not_linked", "median" or "std" over records, or a cut
  std::string field;  // "value", "low", ...
  std::string op;
  double limit = 0;
  std::optional<std::string> baseline;  // of a delta; controls are allowed
};

// Throws Error{usage} that says which part is wrong and names the nearest metric.
Gate parse_gate(std::string_view text);

// The name of a part as a gate has it, in quotes where it needs them.
std::string gate_part(std::string_view name);

// Whether the condition holds for this number. Values and differences of values are compared as far as they are known
// (metric_values.h): those that may be equal are, for every operator. Counts and p are what they are.
bool holds(const Gate& gate, double value);

// Counts and coverage are: a gate on how many records there are does not need many.
bool exempt_from_coverage(const Gate& gate);

// Why a number fails the gate by itself.
struct GateFailure {
  std::string reason;      // empty: it does not
  bool uncovered = false;  // fewer than `least` of the records stand behind it
};
GateFailure failure_of(const Gate& gate, double value, const std::optional<double>& coverage, double least);

// One gate held against one run under one protocol (values averaged over its seeds).
struct GateResult {
  std::string gate, dataset, run, protocol, judge;
  double limit = 0;
  std::optional<double> value;     // nothing: not computed; the gate then fails
  std::optional<double> coverage;  // the least share of records behind the number, of either run and any seed
  std::optional<double> labelled;  // of labels and answers: the share of all records that have what it counts
  bool failed = false;
  bool uncovered = false;  // it failed because too few records stand behind it
  std::string reason;      // why it failed; empty: it did not
};

struct GateInput {
  std::string dataset;
  std::vector<std::string> runs;        // controls are left out by the caller
  std::vector<ProtocolSpec> protocols;  // claim sets filled in, without seeds spread
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;
  std::string judge;
  bool drop_missing = false;  // --missing drop
  MinCoverage min_coverage;
};

// Every gate against every run and protocol. Numbers that are not there, or stale, fail their gate, as do those of too
// few of the records and a gate that could be held against nothing. Counts and coverage are exempt
// from the least coverage. Throws Error{not found} for a baseline that is no run, Error{usage} for a named part that
// the metric cannot have in the dataset.
std::vector<GateResult> check_gates(storage::Store& store, const std::vector<Gate>& gates, const GateInput& input);

}  // namespace residue::query
