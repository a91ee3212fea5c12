// eval: plan, then do only what the plan lists, then aggregate. The same command again does nothing, an interrupted one
// continues, and what arrives later costs what it changes.
//
//   contents equal? ─no─> auxiliary ─> links ─> judgments ─> scores ─> sums ─> metric rows
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/asking/asker.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judging.h"
#include "query/prepare/eval_options.h"
#include "storage/store.h"

namespace residue::query {

// What an evaluation did, or what it would do.
struct EvalCounts {
  std::uint64_t evaluations = 0;                     // (run, protocol) pairs looked at
  std::uint64_t current = 0;                         // of these, already up to date, in all that a report shows of them
  std::uint64_t texts = 0, labels = 0, answers = 0;  // runs whose texts, labels or answers were scored anew
  std::uint64_t links = 0;                           // of attacked records, computed
  std::uint64_t links_searched =
      0;                           // of these, but for control linkers, searched: nothing earlier said what the link is
  std::uint64_t links_ranked = 0;  // of these, searched for the rank of the record's own variant alone
  std::uint64_t links_changed = 0;
  std::uint64_t known = 0;             // pairs (claim, passage) whose judgment was there
  std::uint64_t rated = 0;             // pairs rated now
  std::uint64_t unanswered = 0;        // records of which a claim has no usable rating: they count as leaked
  std::uint64_t known_unanswered = 0;  // or none against what the attacker knows: aux_overlap, excess_leakage lack them
  std::uint64_t rescored = 0;          // records whose scores were computed anew, summed over evaluations
  std::uint64_t sample = 0;            // target records, where fewer than all were attacked
  model::AskCounts asked;              // of a model
  std::vector<std::string> notes;      // one line each: claims and runs that are older than the records
};

// Throws Error{not found} for unknown names, Error{bad input} for incomplete inputs, Error{interrupted} when asked to
// stop (all that was computed is stored).
EvalCounts evaluate(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& options);

// evaluate()'s work, without doing it: `links`, of these `links_searched` at least and `searched_most` at most; of the
// pairs to judge `known` and `rated` (needed). Where links are not known yet, all that any link could need counts as
// needed: `exact` is false.
struct EvalPlan {
  EvalCounts counts;
  std::uint64_t searched_most = 0;
  bool exact = true;
  // Of a model, for the pairs that are known: requests, tokens of them (an estimate), USD at most, and what they hold.
  std::uint64_t requests = 0, tokens = 0;
  bool amounts_known = true;  // false: tokens, cost and texts are of a part of the requests alone
  double cost_usd = 0;        // NaN: nobody said how long answers can be
  struct Egress {
    std::string host, dataset;
    std::uint64_t texts = 0;  // different passages and claims
    std::uint64_t bytes = 0;
    bool loopback = false;  // stays on this machine
    bool allowed = false;
  };
  std::vector<Egress> egress;
  std::vector<Pair> pairs;      // all that would be looked up or rated, where it is known
  RequestClaims pair_requests;  // that they are in
};
EvalPlan plan(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& options);

}  // namespace residue::query
