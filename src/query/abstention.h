// An attacker who keeps silent where he is in doubt: how often the names that he gives are right, if he gives them only
// for the records that he is surest of.
//
//   hits of each record ── best score less the second ──> margins ── the greatest first ──> precision by coverage
//
// Ours. Aligned runs only: nothing else has a right answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/report.h"
#include "storage/store.h"

namespace residue::query {

struct Certainty {
  double margin = 0;   // of the best score over the second, 0 where it is tied; below 0: nothing was found
  bool right = false;  // the record's own text was found
};

inline constexpr std::size_t kCoverages = 10;  // tenths of the records

// Precision among the ceil(n * tenth / 10) records of greatest margin. Of those with one margin that are cut in two as
// many are right as their share of right ones says. `lost` further records count as found right, with greater margins
// than all. Nothing where there are no records. At the last coverage it is the linkage rate.
std::vector<std::optional<double>> abstention_curve(std::span<const Certainty> records, std::uint64_t lost);

struct AbstentionLine {
  std::string run;
  std::uint64_t records = 0, failed = 0;         // attacked; of these, whose own text failed
  std::vector<std::optional<double>> precision;  // by coverage; empty where `reason` says why
  std::string reason;
};

struct Abstention {
  Lens lens;
  std::vector<AbstentionLine> runs;  // aligned ones by name, controls last
};

// Under the attacker of find_lens(), its first seed: searches anew, because links keep no scores. Failed records count
// as found, with `missing` kDrop they are left out. Throws as find_lens(), Error{usage} for control linkers.
Abstention load_abstention(storage::Store& store, const std::string& dataset, const std::string& protocol,
                           const std::optional<std::string>& judge, MissingPolicy missing);

}  // namespace residue::query
