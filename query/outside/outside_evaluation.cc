#include "query/outside/outside_evaluation.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "query/inputs/requests.h"
#include "query/metric/outside_metrics.h"
#include "query/outside/membership.h"
#include "query/outside/outside_attack.h"
#include "query/stored/current_evaluation.h"
#include "query/stored/record_input.h"

namespace residue::query {
namespace {

constexpr std::array kOfAttack = {MetricId::kAnonymeterRisk, MetricId::kLeakRateNetOutside,
                                  MetricId::kFullLeakRateNetOutside};

std::vector<MetricRow> not_applicable(const std::string& reason, std::int64_t records) {
  std::vector<MetricRow> rows;
  for (const MetricId metric : kOfAttack) {
    MetricRow row;
    row.metric = metric;
    row.not_applicable = records;
    row.reason = reason;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

OutsideEvaluation::OutsideEvaluation(storage::Store& store, DatasetId dataset, const Judge& judge, JudgeId judge_id)
    : store_(store), judge_(judge), judge_id_(judge_id), control_(find_outside_control(store.db(), dataset)) {}

bool OutsideEvaluation::membership_stale(const RunHead& run, const std::string& dataset_content) {
  if (!control_) return false;
  const OutsideStore rows(run.id, {}, {}, control_->id);
  if (run.kind != RunKind::kSynthetic && !rows.id(store_.db())) return false;
  return !rows.current(store_.db(), {run.content, dataset_content, control_->content});
}

void OutsideEvaluation::evaluate_membership(const DatasetView& dataset, const RunView& run,
                                            const ProgressFunction& checkpoint) {
  auto& control = views_[""];
  if (!control) {
    control = std::make_unique<DatasetView>(load_dataset(store_, control_->id, control_->name, ClaimSetHead{}));
  }
  const std::vector<MetricRow> rows = membership_rows(store_, dataset, run, *control, checkpoint);
  const auto batch = store_.write();
  OutsideStore(run.id, {}, {}, control_->id).put(*batch, rows, {run.content, dataset.content, control->content});
  batch->commit();
}

bool OutsideEvaluation::attack_stale(const RunHead& run, const std::string& dataset_content, const ProtocolSpec& spec,
                                     ProtocolId protocol) {
  if (!control_ || spec.linker->control()) return false;
  if (protocol.value == 0) return true;
  storage::Db& db = store_.db();
  const OutsideStore rows(run.id, protocol, judge_id_, control_->id);
  return !rows.current(db, {run.content, dataset_content, rows.content(db)}) || (!judge_.embedded() && rows.failed(db));
}

const DatasetView* OutsideEvaluation::claims_of(const std::string& set) {
  auto& slot = views_[set];
  try {
    const ClaimSetHead head = find_claim_set(store_.db(), control_->id, control_->name, set);
    const bool fits = slot && slot->content == dataset_content(store_.db(), control_->id) &&
                      slot->claim_set == head.id && slot->claims_content == head.content;
    if (fits) return slot.get();
    require_complete(store_.db(), control_->name, head.name, "none");
    slot = std::make_unique<DatasetView>(load_dataset(store_, control_->id, control_->name, head));
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return nullptr;
  }
  cut_requests(*slot, judge_.claims_per_request());
  return slot.get();
}

std::string OutsideEvaluation::why_not(const ProtocolSpec& spec, const DatasetView* control) const {
  if (!spec.runs().empty()) return "the attacker reads several releases, and people from outside are in none";
  if (control != nullptr) return {};
  return fmt::format(
      "the control {0} has no claims \"{1}\": residue atomize {0} --set {1}, or residue ingest claims "
      "{0} --set {1} FILE",
      control_->name, spec.claim_set);
}

OutsideEvaluation::Counts OutsideEvaluation::evaluate_attack(const Members& members, const ProtocolSpec& spec,
                                                             ProtocolId protocol, const ProgressFunction& checkpoint) {
  const OutsideStore store(members.run.id, protocol, judge_id_, control_->id);
  // Read before its inputs are: what comes in meanwhile leaves the numbers stale. So does what came in after the
  // members were judged.
  Contents contents{members.run.content, members.dataset.content, store.content(store_.db())};
  const auto judged = current_evaluation(store_.db(), members.run.id, Tier::kJudge, protocol, judge_id_);
  if (!judged || !judged->changed.empty()) contents.claims.clear();
  const DatasetView* const control = claims_of(spec.claim_set);
  OutsideRated rated;
  Counts counts;
  std::string reason = why_not(spec, control);
  if (reason.empty()) {
    store_requests(store_, *control, judge_.claims_per_request());
    try {
      const AuxiliaryView known = sync_auxiliary(store_, *control, spec.policy);
      for (const AuxiliaryView::Known& one : known.known) counts.links += one.query.value != 0 ? 1 : 0;
      rated = attack_outside({.store = store_,
                              .released = members.dataset,
                              .run = members.run,
                              .auxiliary = members.auxiliary,
                              .links = members.links,
                              .sampled = members.sampled,
                              .unreadable = members.unreadable,
                              .protocol = spec,
                              .control = *control,
                              .control_auxiliary = known},
                             judge_, judge_id_, checkpoint);
    } catch (const Error& error) {  // vectors, or the claims that the policy names, are not there
      if (error.code() != Code::kNotFound && error.code() != Code::kBadInput) throw;
      reason = error.what();
    }
  }
  if (!reason.empty()) {
    rated.rows = not_applicable(reason, static_cast<std::int64_t>(members.dataset.records.size()));
  }
  const auto batch = store_.write();
  store.put(*batch, rated.rows, contents);
  batch->commit();
  counts.known = rated.known;
  counts.rated = rated.rated;
  return counts;
}

OutsideEvaluation::Asked OutsideEvaluation::most_asked(const ProtocolSpec& spec) {
  Asked most;
  const DatasetView* const control = claims_of(spec.claim_set);
  if (!why_not(spec, control).empty()) return most;
  bool current = false;
  const AuxiliaryView known = look_at_auxiliary(store_, *control, spec.policy, current);
  for (std::size_t i = 0; i < control->records.size(); ++i) {
    if (control->records[i].empty || known.known[i].said.empty()) continue;
    ++most.links;
    RequestId last;
    for (const ClaimView& claim : claims_outside(control->claims[i], known.known[i].claims)) {
      ++most.pairs;
      most.requests += claim.request.value == 0 || claim.request != last ? 1 : 0;
      last = claim.request;
    }
  }
  return most;
}

}  // namespace residue::query
