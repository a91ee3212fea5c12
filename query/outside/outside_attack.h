// The attack on people who were never in the release, beside that on its members: the control's claims are what the
// attacker asks with, the run's texts are what he finds.
//
//   control's claims ── A(x) ──> queries ── the run's candidates ──> links ── judge ──> units ── two_samples.h,
//   members' links and ratings, as they are stored ────────────────────────────────────┘      anonymeter.h ──> rows
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "query/judge/judge.h"
#include "query/judge/judging.h"
#include "query/link/linking.h"
#include "query/metric/aggregate.h"
#include "query/score/scores.h"
#include "storage/store.h"

namespace residue::query {

// What the attack on one record came to: pure.
struct AttackedRecord {
  std::string_view key;
  std::uint64_t unit = 0;  // person
  RecordCase facts;
  std::vector<std::uint32_t> claims;                 // n of the claims that the attacker did not know
  std::vector<std::optional<std::uint8_t>> ratings;  // of these; unused where nothing was linked
};

// The rows of anonymeter_risk, leak_rate_net_outside and full_leak_rate_net_outside. A member that failed counts as
// leaked, a control that failed as not leaked; the bounds take both extremes.
//
// anonymeter_risk has one unit a person: one claim that the attacker did not know, of all the person's records the one
// whose hash is the smallest. The attack succeeds where that claim is rated 1, so it is one guess at a secret drawn by
// lot, as in anonymeter's attack on inference. n counts persons of both datasets, of the nets records of both.
std::vector<MetricRow> outside_rows(const std::vector<AttackedRecord>& members,
                                    const std::vector<AttackedRecord>& controls);

// Of one run under one attacker; all outlive the calls. The caller holds Store::lock_run() and hold_texts().
struct OutsideAttack {
  storage::Store& store;
  const DatasetView& released;
  const RunView& run;
  const AuxiliaryView& auxiliary;       // of the members
  const std::vector<LinkView>& links;   // likewise
  const std::vector<bool>& sampled;     // which members were attacked; empty: all
  const std::vector<bool>& unreadable;  // which failed (link/blind_spots.h); empty: none
  const ProtocolSpec& protocol;
  const DatasetView& control;  // with the claims of the same name, requests cut
  const AuxiliaryView& control_auxiliary;
};

struct OutsideRated {
  std::vector<MetricRow> rows;
  std::uint64_t known = 0, rated = 0;  // pairs of the control's attack
};

// Throws as the linker does.
OutsideRated attack_outside(const OutsideAttack& attack, const Judge& judge, JudgeId judge_id,
                            const ProgressFunction& checkpoint);

}  // namespace residue::query
