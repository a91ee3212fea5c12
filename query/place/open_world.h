// An attacker who need not claim anything, and whose target may not be in the release at all (Lermen et al. 2026): how
// many targets does he find at the precision he wants?
//
//   sure of each target, present and absent ── claims at or above a threshold ──> precision, recall
//
// METRICS.md section 9. Every target plays both roles; a claim about one that is absent is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/place/rank_rows.h"

namespace residue::query {

// A target whose attack has a value.
struct OpenTarget {
  std::uint64_t unit = 0;
  std::optional<std::int64_t> sure, rest_sure;  // in units of 2^-32; nothing: no claim
  std::int64_t right = 0;                       // of a claim where it is present: LinkPlace::risk()
};

OpenTarget open_target(std::uint64_t unit, const LinkPlace& place);

inline constexpr std::int64_t kShareOne = 1000;  // the share of absent targets is in thousandths
inline constexpr std::int64_t kHalfAbsent = 500;

// What comes of a threshold. Claims count by their roles' weights in the precision, and one each in `claims`.
struct OpenPoint {
  double threshold = 0;
  std::optional<double> precision;  // nothing: nobody is claimed
  std::optional<double> recall;     // of the targets that are present, `lost` ones found; nothing: there are none
  std::uint64_t claims = 0;
};

// At thresholds 0, 1 / 20 ... 1. `lost`: targets of whom nothing is known: they count as found.
std::vector<OpenPoint> open_curve(std::span<const OpenTarget> targets, std::uint64_t lost, std::int64_t absent);

// What an attacker learns from targets whose answers he has.
struct Learned {
  bool too_few = false;  // they make fewer claims, at all or of such a precision, than it takes to see it
  std::optional<std::int64_t> threshold = {};  // the lowest of at least that precision; nothing: there is none
};
// `percent`: 90, 95 or 99. It takes 100 / (100 - percent) claims.
Learned learn_threshold(std::span<const OpenTarget> targets, std::int64_t percent, std::int64_t absent);

// Which half of the persons one is in.
bool second_half(std::uint64_t unit);

// open_recall_90, _95 and _99, each with its part "precision": that which was realised. `absent_made`: whether there is
// an absent attack at all. Cost: 8 us a record.
std::vector<MetricRow> open_rows(std::span<const PlacedRecord> targets, bool absent_made, bool independent);

}  // namespace residue::query
