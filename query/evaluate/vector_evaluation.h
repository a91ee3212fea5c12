// Evaluations of tier vector: what an attacker finds, compared claim by claim through an embedder's vectors. They are
// computed where somebody asks for them, after the attack itself, and then only for records whose inputs changed.
//
//   links, judged claims, claims of the run ── vectors ──> claim_distance.h ──> contributions ─> sums ─> metric rows
//
// The metric embedding_distance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/prepare/eval_options.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/sqlite.h"
#include "storage/store.h"

namespace residue::query {

struct VectorCounts {
  std::uint64_t computed = 0, current = 0;  // pairs of a run and an attacker
  std::vector<std::string> notes;           // one line each: what cannot be computed, and why
};

// Brings embedding_distance of the attacks that `attacks` names (but for control linkers) up to date, as evaluate()
// with the same options left their links. `embedder`: whose vectors; empty: the only one that has any of the judged
// claims. A run has one such number under an attack, of the embedder asked for last; the history keeps the others. What
// cannot be computed (a run without claims, or with claims older than its texts) is noted and has no number. Throws
// Error{not found} for an unknown embedder, Error{usage} where several have vectors and none is named,
// Error{interrupted}.
VectorCounts evaluate_vectors(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& attacks,
                              const std::string& embedder);

// The run's evaluation of this tier under the attack, whose vectors, and what has changed since.
struct VectorEvaluation : CurrentEvaluation {
  std::string embedder;
};
// For many runs: what it asks is prepared once, as in CorpusEvaluations.
class VectorEvaluations {
 public:
  explicit VectorEvaluations(storage::Db& db);
  std::optional<VectorEvaluation> current(RunId run, ProtocolId protocol);

 private:
  storage::Db& db_;
  storage::Statement find_;
};
std::optional<VectorEvaluation> current_vectors(storage::Db& db, RunId run, ProtocolId protocol);

// The command that makes the claims of the run anew, without which they cannot be compared: they are gone, or those of
// older texts. Empty where they are neither.
std::string claims_remedy(storage::Db& db, RunId run, ProtocolId protocol);

// Everything of this tier that is up to date: to be computed again elsewhere.
struct EvaluatedVectors {
  Target target;
  std::string protocol, embedder;
  std::uint64_t sample = 0;
};
std::vector<EvaluatedVectors> evaluated_vectors(storage::Db& db);

}  // namespace residue::query
