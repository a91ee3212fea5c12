// Evaluations of tier outside: a run beside a dataset of people who were never in it. They are computed as a whole, and
// again whenever the run, the dataset, the control, its claims, the attack or the definitions have changed.
//
//   contents equal? ─no─> membership.h, outside_attack.h ─> metric rows, reasons
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/link/linking.h"
#include "query/outside/outside_store.h"
#include "storage/store.h"

namespace residue::query {

// Of one dataset and one judge. Where the dataset has no control nothing is stale and nothing is computed.
class OutsideEvaluation {
 public:
  // What is given by reference must outlive it.
  OutsideEvaluation(storage::Store& store, DatasetId dataset, const Judge& judge, JudgeId judge_id);

  [[nodiscard]] bool active() const { return control_.has_value(); }
  [[nodiscard]] const std::string& control() const { return control_->name; }

  // Texts of synthetic runs are compared always, others once that was asked for (want_membership()).
  [[nodiscard]] bool membership_stale(const RunHead& run, const std::string& dataset_content);
  void evaluate_membership(const DatasetView& dataset, const RunView& run, const ProgressFunction& checkpoint);

  // `protocol` is 0 until it is registered. Control linkers have none of these numbers.
  [[nodiscard]] bool attack_stale(const RunHead& run, const std::string& dataset_content, const ProtocolSpec& spec,
                                  ProtocolId protocol);

  // The attack on the members, as it was just brought up to date.
  struct Members {
    const DatasetView& dataset;
    const RunView& run;
    const AuxiliaryView& auxiliary;
    const std::vector<LinkView>& links;
    const std::vector<bool>& sampled;
    const std::vector<bool>& unreadable;
  };
  struct Counts {
    std::uint64_t links = 0, known = 0, rated = 0;
  };
  // The caller holds Store::lock_run() and hold_texts().
  Counts evaluate_attack(const Members& members, const ProtocolSpec& spec, ProtocolId protocol,
                         const ProgressFunction& checkpoint);

  // At most as much would be asked for the attack on the controls: pairs, requests, passages; 0 where they have no
  // such claims.
  struct Asked {
    std::uint64_t links = 0, pairs = 0, requests = 0;
  };
  [[nodiscard]] Asked most_asked(const ProtocolSpec& spec);

 private:
  // The control's records with the claims of this name; null: it has no such claims.
  const DatasetView* claims_of(const std::string& set);
  // Why the attack cannot be made on the controls; empty: it can.
  std::string why_not(const ProtocolSpec& spec, const DatasetView* control) const;

  storage::Store& store_;
  const Judge& judge_;
  JudgeId judge_id_;
  std::optional<OutsideControl> control_;
  std::map<std::string, std::unique_ptr<DatasetView>> views_;  // of the control, by claim set; "": without claims
};

}  // namespace residue::query
