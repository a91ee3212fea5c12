// The evaluation of one dataset: what changed is computed run by run, attacker by attacker; or planned.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "query/evaluate/attackers.h"
#include "query/evaluate/eval_options.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/run_scores.h"
#include "query/evaluate/who_is_who.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/link/linking.h"
#include "query/outside/outside_evaluation.h"
#include "query/place/sight.h"
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
  // A synthetic run has no right record for the oracle to find: nothing it measures is applicable.
  // An attacker with several releases looks at those.
  static bool applies(const RunHead& run, const Attacker& attacker);
  // Whether an absent attack is made beside it, and whether that one is judged.
  static bool has_absent(const RunHead& run, const Attacker& attacker);
  bool judges_absent(const RunHead& run, const Attacker& attacker);
  bool absent_judged_before(const RunHead& run, const Attacker& attacker);
  // Where all protocols of the store are asked for, one that cannot be evaluated does not stop the others.
  void require_inputs_of(const RunHead& run, Attacker& attacker);
  [[nodiscard]] Contents text_contents(const RunHead& run) const;
  [[nodiscard]] std::string lexicon() const;
  [[nodiscard]] Contents attack_contents(const RunHead& run, const Attacker& attacker) const;
  [[nodiscard]] Contents judged(Contents contents, const std::string& categories) const;
  bool text_stale(const RunHead& run);
  bool links_stale(const RunHead& run, const Attacker& attacker);
  bool attack_stale(const RunHead& run, const Attacker& attacker);
  // What does not depend on an attacker: texts, labels, answers to tasks.
  struct OwnStale {
    bool texts = false, labels = false, answers = false, outside = false;
    [[nodiscard]] bool any() const { return texts || labels || answers || outside; }
  };
  OwnStale own_stale(const RunHead& run);

  const DatasetView& view(const ClaimSetHead& claims);
  const DatasetView& any_view();
  const AuxiliaryView& auxiliary(const Attacker& attacker);
  // Only the run worked on is kept. Records that another process added between two views make it load again.
  const RunView& run_view(const RunHead& run, const DatasetView& dataset);

  // Stages to come: texts, labels, answers of a run, links and judgments of an attacker.
  std::uint64_t count_stages();
  // Of the stage that is beginning; end_stage() ends it.
  [[nodiscard]] ProgressFunction checkpoint(const char* doing, const RunHead& run) const;
  void end_stage() { ++stage_; }

  void evaluate_texts(const RunHead& head);
  void evaluate_labels(const RunHead& head);
  void evaluate_answers(const RunHead& head);
  void evaluate_attack(const RunHead& head, Attacker& attacker, EvalCounts& counts);
  // Beside people who were never in the run (query/outside).
  [[nodiscard]] bool outside_stale(const RunHead& run, const Attacker& attacker);
  void compare_outside(const RunHead& head);
  void attack_outside(const RunHead& head, Attacker& attacker, EvalCounts& counts);
  // By record (query/link/blind_spots.h); until the next call.
  const std::vector<bool>& unreadable_of(const RunView& run, const AuxiliaryView& known, const Attacker& attacker);
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
  std::vector<std::string> notes_;                 // on what is left out
  std::map<std::string, std::uint64_t> repeated_;  // by run: RunView::repeated
  struct {
    std::tuple<RunId, std::string, AuxiliaryId, bool, bool> what;
    std::vector<bool> records;
  } last_unreadable_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> unreadable_;  // by run and protocol: records
  const EvalOptions& options_;
  const Judge& judge_;
  JudgeId judge_id_;
  std::int64_t revision_;  // read before the judgments are: what comes in meanwhile leaves the numbers stale
  std::uint64_t sample_ = 0;
  DatasetId dataset_;
  std::string content_, labels_;
  std::vector<RunHead> runs_;
  std::vector<Attacker> attackers_;
  OutsideEvaluation outside_;
  std::map<std::string, std::unique_ptr<DatasetView>> views_;
  std::map<std::string, std::unique_ptr<AuxiliaryView>> auxiliaries_;
  WhoIsWho who_is_who_;
  std::set<ClaimSetId> requests_stored_;
  std::unique_ptr<RunView> run_;
  OverlapMemory overlaps_;
  std::uint64_t records_ = 0, stages_ = 0, stage_ = 0;  // each stage counts as many records as the dataset has
};

}  // namespace residue::query
