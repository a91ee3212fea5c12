// The evaluation of one dataset: what changed is computed run by run, attacker by attacker; or planned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/run_scores.h"
#include "query/evaluate/what_changed.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/link/linking.h"
#include "query/outside/outside_evaluation.h"
#include "query/place/sight.h"
#include "query/prepare/attackers.h"
#include "query/prepare/eval_options.h"
#include "query/prepare/loaded_views.h"
#include "query/prepare/who_is_who.h"
#include "query/stored/score_store.h"
#include "storage/store.h"

namespace residue::query {

class DatasetEvaluation {
 public:
  // Throws as evaluate(). What is given by reference must outlive it.
  DatasetEvaluation(storage::Store& store, const std::string& name, const std::vector<Target>& targets,
                    const EvalOptions& options, const Judge& judge, JudgeId judge_id);

  // Add what was done, or would be.
  void evaluate(EvalCounts& counts);
  void plan(EvalPlan& plan);

 private:
  // Where all protocols of the store are asked for, one that cannot be evaluated does not stop the others.
  void require_inputs_of(const RunHead& run, Attacker& attacker);

  // Stages to come: texts, labels, answers of a run, links and judgments of an attacker.
  std::uint64_t count_stages();
  // Of the stage that is beginning; end_stage() ends it.
  [[nodiscard]] ProgressFunction checkpoint(const char* doing, const char* stage, const RunHead& run) const;
  void tell(EvalStep step, double part) const;
  [[nodiscard]] storage::Lock lock_run(const RunHead& head) const;  // tells that it waits, where it does
  // In records: of all stages, where `part` of the present one is done.
  [[nodiscard]] std::uint64_t whole_done(double part) const;
  [[nodiscard]] std::uint64_t whole_total() const { return std::max(stages_, stage_ + 1) * records_; }
  void end_stage() { ++stage_; }

  void evaluate_texts(const RunHead& head);
  void evaluate_labels(const RunHead& head);
  void evaluate_answers(const RunHead& head);
  void evaluate_attack(const RunHead& head, Attacker& attacker, EvalCounts& counts);
  // Beside people who were never in the run (query/outside).
  void compare_outside(const RunHead& head);
  void attack_outside(const RunHead& head, Attacker& attacker, EvalCounts& counts);
  // Those that are stored, or computed and stored; also what is asked beside.
  AllLinks links_of(const RunHead& head, const Attacker& attacker, const DatasetView& dataset, const Releases& releases,
                    const AuxiliaryView& known, const std::vector<bool>& sampled, const Beside& beside,
                    EvalCounts& counts);
  void score(const RunHead& head, const Attacker& attacker, const ScoringInput& input, EvalCounts& counts);

  // Adds the pairs that would be looked up or rated; what is not linked yet to `unlinked`.
  void plan_attack(const RunHead& head, const Attacker& attacker, EvalPlan& plan, std::vector<Pair>& pairs,
                   MostAsked& unlinked);

  // What `report` shows when nothing else is asked for.
  void remember_last();
  // Once for each protocol: the queries are the same for all runs. Nothing is found in remove-all, so it would be slow.
  void note_blind_spots(EvalCounts& counts);

  storage::Store& store_;
  std::string name_;
  std::vector<std::string> notes_;                                           // on what is left out
  std::map<std::pair<std::string, std::string>, std::uint64_t> unreadable_;  // by run and protocol: records
  const EvalOptions& options_;
  const Judge& judge_;
  JudgeId judge_id_;
  std::uint64_t sample_ = 0;
  DatasetId dataset_;
  std::vector<RunHead> runs_;
  std::vector<Attacker> attackers_;
  OutsideEvaluation outside_;
  WhatChanged changed_;
  LoadedViews views_;
  WhoIsWho who_is_who_;
  std::set<ClaimSetId> requests_stored_;
  OverlapMemory overlaps_;
  std::uint64_t records_ = 0, stages_ = 0, stage_ = 0;  // each stage counts as many records as the dataset has
  std::string attacking_;                               // the protocol of the stage; empty: it needs none
};

}  // namespace residue::query
