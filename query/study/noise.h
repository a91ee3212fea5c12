// Where the noise of `semantic_distance` comes from: records, seeds of the auxiliary claims, votes of the judge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numbers/stats/variance_components.h"
#include "query/report/report.h"

namespace residue::query {

// Standard deviations, in units of the distance.
struct NoiseLine {
  std::string run;
  bool control = false;
  double n = 0, failed = 0, missing = 0;  // as in a report: of several seeds the mean
  std::optional<double> value;            // the report's
  std::uint64_t records = 0;              // that count under every seed: what follows is of them
  std::optional<double> records_sd;
  std::optional<double> seeds_sd;             // several seeds only, as the next
  std::optional<double> rest_sd;              // what one record does under one seed and not under another
  std::optional<double> standard_error;       // of `value`, for other persons and other seeds
  std::uint64_t claims = 0;                   // with two votes or more, under the first seed
  std::optional<double> claims_sd, votes_sd;  // of the claims' true distances; of votes on one claim
};

struct Noise {
  Lens lens;
  std::uint32_t seeds = 1;
  std::vector<NoiseLine> runs;  // by name, controls last; of runs that are not evaluated so, or stale, the name alone
};

// Under the attacker and judge of find_lens(); `seeds`: nothing: as many as were evaluated last. Failed and missing
// records count as in the report: as leaked, or not at all. Throws as find_lens().
Noise load_noise(storage::Store& store, const std::string& dataset, const std::string& protocol,
                 const std::optional<std::string>& judge, const std::optional<std::uint32_t>& seeds,
                 MissingPolicy missing);

}  // namespace residue::query
