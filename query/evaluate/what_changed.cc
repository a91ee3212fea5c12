#include "query/evaluate/what_changed.h"

#include "query/evaluate/run_label_scores.h"
#include "query/evaluate/task_evaluation.h"
#include "query/inputs/labels.h"
#include "query/judge/judging.h"
#include "storage/catalog/content.h"
#include "storage/catalog/results/metric.h"

namespace residue::query {

WhatChanged::WhatChanged(storage::Store& store, DatasetId dataset, const EvalOptions& options, const Judge& judge,
                         JudgeId judge_id, OutsideEvaluation& outside)
    : store_(store),
      dataset_(dataset),
      options_(options),
      judge_(judge),
      judge_id_(judge_id),
      outside_(outside),
      revision_(judge_revision(store.db(), judge_id)),
      content_(query::dataset_content(store.db(), dataset)),
      labels_(label_content(store.db(), dataset)) {}

WhatChanged::Own WhatChanged::own(const RunHead& run) const {
  const bool texts = !ScoreStore::current(store_.db(), run.id, Tier::kText, ProtocolId{}, JudgeId{},
                                          {run.content, content_, lexicon()});
  return {texts, !labels_current(store_.db(), run, content_, labels_), !tasks_current(store_.db(), dataset_, run),
          outside_.membership_stale(run, content_)};
}

bool WhatChanged::links(const RunHead& run, const Attacker& attacker) const {
  const bool registered = attacker.absent.value != 0 && attacker.twice_absent.value != 0;
  return attacker.id.value == 0 || (has_absent(run, attacker) && !registered) ||
         !ScoreStore::current(store_.db(), run.id, Tier::kLink, attacker.id, JudgeId{}, attack_contents(run, attacker));
}

bool WhatChanged::attack(const RunHead& run, const Attacker& attacker) const {
  return links(run, attacker) ||
         !ScoreStore::current(store_.db(), run.id, Tier::kJudge, attacker.id, judge_id_,
                              judged(attack_contents(run, attacker), attacker.claims.categories)) ||
         (judges_absent(run, attacker) && !absent_judged_before(run, attacker)) ||
         (!judge_.embedded() && ScoreStore::waits(store_.db(), run.id, attacker.id, judge_id_));
}

bool WhatChanged::outside(const RunHead& run, const Attacker& attacker) const {
  return outside_.attack_stale(run, content_, attacker.spec, attacker.id);
}

bool WhatChanged::judges_absent(const RunHead& run, const Attacker& attacker) const {
  return has_absent(run, attacker) && (judge_.embedded() || options_.absent || absent_judged_before(run, attacker));
}

bool WhatChanged::absent_judged_before(const RunHead& run, const Attacker& attacker) const {
  storage::Statement find = store_.db().prepare(storage::sql::kMetricExistsOfJudge);
  return find.bind(run.id, attacker.id, judge_id_, static_cast<std::int64_t>(MetricId::kNetLeakage)).step();
}

std::string WhatChanged::lexicon() const { return options_.sentiment ? options_.sentiment->digest : ""; }

Contents WhatChanged::attack_contents(const RunHead& run, const Attacker& attacker) const {
  return {run.content, content_, storage::content_of_attack(attacker.claims.content, attacker.extra.at(run.id))};
}

Contents WhatChanged::judged(Contents contents, const std::string& categories) const {
  contents.claims =
      storage::content_at_revision(storage::content_with_categories(contents.claims, categories), revision_);
  return contents;
}

}  // namespace residue::query
