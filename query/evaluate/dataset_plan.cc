// What the evaluation of a dataset would do: nothing is linked, judged or stored.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/limits/spending.h"
#include "query/evaluate/dataset_evaluation.h"
#include "query/judge/asking_judge.h"
#include "query/judge/judging.h"
#include "query/judge/open_judge.h"
#include "query/link/blind_spots.h"
#include "query/link/dense_attack.h"
#include "query/link/link_basis.h"
#include "query/link/linking.h"
#include "query/link/releases.h"

namespace residue::query {
namespace {

// What asking the model would send and to where; of what is not linked yet, at most.
void add_asking(EvalPlan& plan, const AskingJudge& judge, const NotAsked& asked, const MostAsked& unlinked) {
  plan.requests += asked.requests + unlinked.requests * judge.votes() + unlinked.passages * judge.checks();
  plan.tokens += static_cast<std::uint64_t>(static_cast<double>(asked.bytes) / model::kBytesPerToken);
  plan.cost_usd += asked.cost_usd;
  plan.amounts_known = plan.amounts_known && unlinked.pairs == 0;
  if (const auto where = judge.destination()) {
    plan.egress.push_back(
        {where->host, where->dataset, asked.texts.size(), asked.bytes, where->loopback, where->allowed});
  }
}

}  // namespace

void DatasetEvaluation::plan(EvalPlan& plan) {
  const storage::Lock texts = store_.hold_texts();
  std::vector<Pair> pairs;
  MostAsked unlinked;
  for (const RunHead& head : runs_) {
    const bool own = changed_.own(head).any();
    for (const Attacker& attacker : attackers_) {
      if (!applies(head, attacker)) continue;
      ++plan.counts.evaluations;
      const bool stale = changed_.attack(head, attacker), outside = changed_.outside(head, attacker);
      plan.counts.current += stale || own || outside ? 0 : 1;
      if (stale) plan_attack(head, attacker, plan, pairs, unlinked);
      if (!outside) continue;
      const OutsideEvaluation::Asked most = outside_.most_asked(attacker.spec);
      plan.exact = plan.exact && most.pairs == 0;
      plan.counts.links += most.links;
      plan.counts.links_searched += most.links;
      plan.searched_most += most.links;
      unlinked.pairs += most.pairs;
      unlinked.requests += most.requests;
      unlinked.passages += most.links;
    }
  }
  plan.pairs.insert(plan.pairs.end(), pairs.begin(), pairs.end());
  for (const auto& [name, view] : views_.views())
    plan.pair_requests.insert(view->requests.begin(), view->requests.end());
  const PairCounts counted = count_pairs(store_, judge_, judge_id_, std::move(pairs), plan.pair_requests);
  plan.counts.known += counted.known;
  plan.counts.rated += counted.unknown + unlinked.pairs;
  if (const auto* model = dynamic_cast<const AskingJudge*>(&judge_))
    add_asking(plan, *model, counted.not_asked, unlinked);
}

void DatasetEvaluation::plan_attack(const RunHead& head, const Attacker& attacker, EvalPlan& plan,
                                    std::vector<Pair>& pairs, MostAsked& unlinked) {
  const DatasetView& dataset = views_.view(attacker.claims);
  const RunView& run = views_.run_view(head, dataset);
  const auto sampled = sample_records(dataset, sample_);
  const OtherReleases others(store_, dataset, head, attacker.spec, OtherReleases::Hold::kNotLocked);
  const Releases releases = others.with(run);
  bool current = false;
  const AuxiliaryView known = look_at_auxiliary(store_, dataset, attacker.spec.policy, current);
  const bool linked = !changed_.links(head, attacker);
  if (!linked) require_vectors(store_, dataset, run, known, sampled, attacker.spec);
  const auto links_under = [&](ProtocolId protocol) {
    return linked ? load_links(store_, dataset, head.id, protocol) : std::vector<LinkView>(dataset.records.size());
  };
  const bool judges_rest = changed_.judges_absent(head, attacker);
  const std::vector<LinkView> links = links_under(attacker.id), rest = links_under(attacker.absent),
                              third = links_under(attacker.twice_absent);
  const ScoringInput input{.dataset = dataset,
                           .run = run,
                           .releases = releases,
                           .auxiliary = known,
                           .links = links,
                           .sampled = sampled,
                           .overlaps = overlaps_,
                           .unreadable = linked ? unreadable_records(store_, dataset, run, known, *attacker.spec.linker)
                                                : std::vector<bool>(),
                           .rest = judges_rest ? &rest : nullptr,
                           .third = judges_rest ? &third : nullptr,
                           .absence = judges_rest ? &who_is_who_.absence(dataset, {}) : nullptr};
  if (linked && current) {
    for (const Pair& pair : pairs_to_judge(input)) pairs.push_back(pair);
    return;
  }
  plan.exact = false;
  const bool searchable = !linked && !attacker.spec.linker->control();
  const bool remembered = !linked && has_basis(store_.db(), head.id, attacker.id);
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    if ((!sampled.empty() && !sampled[i]) || known.known[i].said.empty()) continue;
    plan.counts.links += linked ? 0 : 1;
    plan.counts.links_searched += searchable && !remembered ? 1 : 0;
    plan.searched_most += searchable ? 1 : 0;
    const MostAsked most = most_asked(input, i);
    unlinked.pairs += most.pairs;
    unlinked.requests += most.requests;
    unlinked.passages += most.passages;
  }
}

}  // namespace residue::query
