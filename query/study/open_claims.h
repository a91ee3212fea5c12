// What an attacker finds who claims only where he is sure, of targets some of whom are not in the release: the curve
// behind open_recall_90, _95 and _99.
//
//   places of the records as they are stored ── claims at or above each threshold ──> precision, recall
//
// METRICS.md section 9. Aligned runs only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/place/open_world.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

struct OpenClaimsLine {
  std::string run;
  std::uint64_t records = 0, lost = 0;  // attacked; of these, failed and missing; of the first seed
  std::vector<OpenPoint> points;        // means over the seeds; empty where `reason` says why
  std::string reason;
};

struct OpenClaims {
  Lens lens;  // of the first seed
  std::uint32_t seeds = 1;
  std::vector<OpenClaimsLine> runs;  // aligned ones by name, controls last
};

struct OpenClaimsOptions {
  std::string dataset;
  std::string protocols;               // comma list; empty: the last evaluated
  std::optional<std::string> judge;    // nothing: the last evaluated
  std::optional<std::uint32_t> seeds;  // nothing: as evaluated last
  MissingPolicy missing = MissingPolicy::kLeaked;
  double absent_share = 0.5;  // of all targets; in thousandths
};

// One for each attacker. Failed and missing records count as found, with kDrop they are left out. Reads, searches
// nothing. Throws as find_lens() and seed_lenses(), Error{usage} for control linkers: they have no absent attack.
std::vector<OpenClaims> load_open_claims(storage::Store& store, const OpenClaimsOptions& options);

}  // namespace residue::query
