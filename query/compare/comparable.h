// May these runs be compared? One attacker, one judge, one claim set, up to date; else it is said what differs.
//
//   runs named ── evaluations of each ──> one lens for all ── evaluations to compare, by tier and seed
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

// One side of a comparison.
struct ComparedRun {
  RunId id;
  std::string name;
  std::optional<EvaluationId> text;  // nothing where it was never evaluated so
  std::optional<EvaluationId> label;
  std::vector<EvaluationId> link, judge;  // by seed
  ProtocolId protocol;                    // of the first seed
};

struct Comparable {
  Lens lens;  // of the first seed
  std::uint32_t seeds = 1;
  bool samples_differ = false;    // only where what is common was asked for
  std::vector<ComparedRun> runs;  // the baseline first
};

struct ComparableOptions {
  std::string dataset;
  std::vector<std::string> runs;       // the baseline first
  std::string protocol;                // empty: the last evaluated
  std::optional<std::string> judge;    // nothing: the last evaluated
  std::optional<std::uint32_t> seeds;  // nothing: as evaluated last, where all runs have these seeds
  bool common = false;                 // look for the last attacker and judge that all runs share; samples may differ
  std::optional<std::uint64_t> sample = {};  // as query::find_lens has it; not with `common`
};

// Throws Error{not found} where a run was not evaluated at all, Error{usage} where runs were evaluated differently, are
// named twice, or changed since; Error{bad input} where an input is incomplete. Each says of which run and what to do.
Comparable find_comparable(storage::Db& db, const ComparableOptions& options);

}  // namespace residue::query
