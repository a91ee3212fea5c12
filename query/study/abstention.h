// An attacker who keeps silent where he is in doubt. If he names only the records that he is surest of, how often is he
// right?
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

#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

struct Certainty {
  double margin = 0;   // of the best score over the second, 0 where it is tied; below 0: nothing was found
  bool right = false;  // the record's own text was found
};

inline constexpr std::size_t kCoverages = 10;  // tenths of the records

struct Precision {
  double value = 0;
  std::optional<double> low, high;  // 95 %, Wilson's; nothing where several records are of one person
  std::optional<double> deviation;  // over seeds, n - 1; nothing for one
};

// Precision among the ceil(n * tenth / 10) records of greatest margin. Of those with one margin that are cut in two as
// many are right as their share of right ones says. `lost` further records count as found right, with greater margins
// than all. Nothing where there are no records. At the last coverage it is the linkage rate.
std::vector<std::optional<Precision>> abstention_curve(std::span<const Certainty> records, std::uint64_t lost);

// Of several seeds: means of values and of interval ends. `curves`: at least one.
std::vector<std::optional<Precision>> mean_curve(std::span<const std::vector<std::optional<Precision>>> curves);

struct AbstentionLine {
  std::string run;
  std::uint64_t records = 0, failed = 0;            // attacked; of these, whose own text failed; of the first seed
  std::vector<std::optional<Precision>> precision;  // by coverage; empty where `reason` says why
  std::string reason;
};

struct Abstention {
  Lens lens;  // of the first seed
  std::uint32_t seeds = 1;
  bool independent = true;           // every record is another person's
  std::vector<AbstentionLine> runs;  // aligned ones by name, controls last
};

struct AbstentionOptions {
  std::string dataset;
  std::string protocol;                // empty: the last evaluated
  std::optional<std::string> judge;    // nothing: the last evaluated
  std::optional<std::uint32_t> seeds;  // nothing: as evaluated last
  MissingPolicy missing = MissingPolicy::kLeaked;
};

// Under the attacker of find_lens() and each of his seeds: searches anew, because links keep no scores. Failed records
// count as found, with kDrop they are left out. Throws as find_lens() and seed_lenses(), Error{usage} for control
// linkers.
Abstention load_abstention(storage::Store& store, const AbstentionOptions& options);

}  // namespace residue::query
