// What of an evaluation is out of date: the contents that its numbers were computed from are compared with those of
// now. Reads the catalog alone.
#pragma once

#include <cstdint>
#include <string>

#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/outside/outside_evaluation.h"
#include "query/prepare/attackers.h"
#include "query/prepare/eval_options.h"
#include "query/stored/score_store.h"
#include "storage/store.h"

namespace residue::query {

class WhatChanged {
 public:
  // All that is given must outlive this. Contents are read here, before what they are of: what changes in between
  // leaves numbers stale.
  WhatChanged(storage::Store& store, DatasetId dataset, const EvalOptions& options, const Judge& judge,
              JudgeId judge_id, OutsideEvaluation& outside);

  // Of a run, what does not depend on an attacker: texts, labels, answers to tasks, membership.
  struct Own {
    bool texts = false, labels = false, answers = false, outside = false;
    [[nodiscard]] bool any() const { return texts || labels || answers || outside; }
  };
  [[nodiscard]] Own own(const RunHead& run) const;

  // Of an attack on a run: its links; links or judgments; what it finds of people from outside.
  [[nodiscard]] bool links(const RunHead& run, const Attacker& attacker) const;
  [[nodiscard]] bool attack(const RunHead& run, const Attacker& attacker) const;
  [[nodiscard]] bool outside(const RunHead& run, const Attacker& attacker) const;

  // Whether the absent attack is judged, too: by embedded judges, where it is asked for, and where it was before.
  [[nodiscard]] bool judges_absent(const RunHead& run, const Attacker& attacker) const;

  // What numbers of the attack are computed from, with what the judge's ratings depend on.
  [[nodiscard]] Contents judged(Contents contents, const std::string& categories) const;
  [[nodiscard]] std::string lexicon() const;
  [[nodiscard]] const std::string& dataset_content() const { return content_; }

 private:
  [[nodiscard]] Contents attack_contents(const RunHead& run, const Attacker& attacker) const;
  [[nodiscard]] bool absent_judged_before(const RunHead& run, const Attacker& attacker) const;

  storage::Store& store_;
  DatasetId dataset_;
  const EvalOptions& options_;
  const Judge& judge_;
  JudgeId judge_id_;
  OutsideEvaluation& outside_;
  std::int64_t revision_;  // of the judge: what comes in meanwhile leaves the numbers stale
  std::string content_, labels_;
};

}  // namespace residue::query
