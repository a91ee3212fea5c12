// `eval`: the numbers of datasets and runs, brought up to date.
//
//   targets ── evaluate ── corpus metrics ── vectors of claims ──> metric rows; counts ── gates ──> what fails
#pragma once

#include <string>
#include <vector>

#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/vector_evaluation.h"
#include "verbs/gating.h"

namespace residue::verbs {

struct EvalOptions {
  std::vector<query::Target> targets;  // empty: every dataset of the store that is no control
  // The attack. `progress`, `interrupted` and `silence` are of all that is linked, judged and asked; `withdraw` is
  // filled in here.
  query::EvalOptions attack;
  std::vector<std::string> metrics;  // also these, which are computed only on demand
  std::string embedder;              // whose vectors these use; empty: the only one there is
  std::size_t phrase_memory_bytes = query::kPhraseMemory;
  NamedProgressFunction progress;  // of these
  Gates gates;
  bool membership = false;    // also looks for members in aligned runs, now and later; needs a control from outside
  bool drop_missing = false;  // gates leave failed and missing records out, instead of counting them as leaked
  unsigned jobs = 1;          // threads; changes no number
};

struct EvalResult {
  std::vector<query::Target> targets;       // all that was evaluated: also the originals, where a gate needs them
  std::vector<std::string> without_claims;  // datasets where nobody was attacked, and only `metrics` were computed
  query::EvalCounts counts;                 // with all notes about runs, judges and metrics that were left behind
  query::CorpusCounts corpus;
  query::VectorCounts vectors;
  std::vector<query::GateResult> gates;
  double seconds = 0;
};

// What eval() refuses whatever the store holds. Throws Error{usage}.
void check(const EvalOptions& options);

// The targets, or all datasets of the store but those that are controls of others. Throws Error{not found} where there
// is none.
std::vector<query::Target> targets_of(storage::Store& store, const std::vector<query::Target>& named);

// Attacks need claims. A dataset that has none is refused, but for metrics of all texts together where no attacker is
// named: then these alone are computed.
// Throws as check(), query::evaluate(), evaluate_corpus(), evaluate_vectors() and check_gates(). What was computed
// before it threw is stored.
EvalResult eval(storage::Store& store, EvalOptions options);

}  // namespace residue::verbs
