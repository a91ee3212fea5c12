// What single records contribute to the numbers of a report, without any text: with it a page computes them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/metric/contribution.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::verbs {

struct ProvenMetric {
  query::MetricId metric{};
  std::vector<query::Contribution> contributions;  // by record, as the tier's units, in an order that is not theirs
};

// Metrics of one evaluation, which are of the same records.
struct ProvenTier {
  std::vector<std::uint64_t> units;  // by record, the resampling unit: of its person, or of its key
  std::vector<ProvenMetric> metrics;
};

struct RunProof {
  std::string run;
  std::vector<ProvenTier> tiers;
};

struct Proof {
  bool independent = false;  // every record is a resampling unit of its own
  std::vector<RunProof> runs;
};

// The metrics whose numbers a page can compute again: the sums of what records contribute.
const std::vector<query::MetricId>& proven_metrics();

// Of the runs of a report of one seed; of several seeds only what no attack is part of. Runs that were not evaluated
// have no tiers. A unit is a hash of an id without a secret: whoever guesses an id finds its unit. Throws as find_lens.
// Cost: a read of all scores of these runs.
Proof proof_of(storage::Store& store, const query::Report& report);

}  // namespace residue::verbs
