// --fail-if: a condition over one metric that a release must not meet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "query/metrics.h"
#include "query/protocol.h"
#include "storage/store.h"

namespace residue::query {

// METRIC[.right|.wrong|.not_linked][.low|.high|.if_leaked|.if_private|.n|.failed|.missing] OP NUMBER,
// OP one of < <= > >= == !=.
struct Gate {
  std::string text;  // as given
  MetricId metric{};
  std::string slice;  // "", "right", "wrong", "not_linked"
  std::string field;  // "value", "low", ...
  std::string op;
  double limit = 0;
};

// Throws Error{usage} that says which part is wrong and names the nearest metric.
Gate parse_gate(std::string_view text);

// One gate held against one run under one protocol (values averaged over its seeds).
struct GateResult {
  std::string gate, run, protocol;
  bool computed = false;  // false: the metric was not computed; the gate then fails
  double value = 0;
  bool failed = false;
};

struct GateInput {
  std::string dataset;
  std::vector<std::string> runs;        // controls are left out by the caller
  std::vector<ProtocolSpec> protocols;  // claim sets filled in, without seeds spread
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;
  std::string judge;
  bool drop_missing = false;  // --missing drop
};

std::vector<GateResult> check_gates(storage::Store& store, const std::vector<Gate>& gates, const GateInput& input);

}  // namespace residue::query
