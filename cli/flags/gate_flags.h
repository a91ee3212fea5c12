// --fail-if, --junit and --less-precise, for all commands that hold numbers against gates.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/less_precise.h"
#include "cli/syntax.h"
#include "query/gates/gates.h"
#include "verbs/gating.h"

namespace residue::cli {

struct GateFlags {
  std::vector<std::string> conditions;
  std::vector<std::string> min_coverage;  // as given
  std::string junit;                      // a file; empty: none
  LessPreciseFlag less_precise;

  void add_to(Syntax& syntax);
  // As --less-precise reads them. Throws Error{usage} for the first condition that cannot be read, or --junit without
  // conditions.
  [[nodiscard]] verbs::Gates gates() const;
};

// [{"gate","dataset","run","protocol","judge","value","coverage","limit","passed","failed","reason"}]
Json gates_json(const std::vector<query::GateResult>& results);

// A JUnit test suite: a case for each gate, run and protocol.
std::string gates_junit(const std::vector<query::GateResult>& results);

// Writes --junit's file, says what failed, or how many passed. The exit code.
int report_gates(const Context& context, const GateFlags& flags, const std::vector<query::GateResult>& results);

}  // namespace residue::cli
