// What each person's data was spent on: the private releases of a dataset, and what they cost together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numbers/stats/privacy_spending.h"
#include "storage/store.h"

namespace residue::query {

struct ReleaseCard {
  std::vector<std::string> runs;  // names of the same noise on the same data: one release
  std::string unit, noise;
  std::string mechanism;  // as whoever declared it calls it; empty: nobody said
  std::int64_t units = 0;
  bool struck = false;  // out of the sum: never released, somebody said
  numbers::Spending spending;
  std::optional<double> rho, tight;  // of it alone, at its own delta; nothing: no bound
};

// All that count of one unit.
struct SpentCard {
  std::string unit;
  std::int64_t units = 0;              // the most that there were
  std::int64_t counted = 0;            // with a bound
  std::vector<std::string> unbounded;  // the first name of each without
  numbers::Composition sum;            // of those with a bound
};

struct PrivacyCard {
  std::vector<ReleaseCard> releases;  // as they were made
  std::vector<SpentCard> spent;       // person first; no unit without a release that counts
  std::vector<std::string> unknown;   // private runs that were made before there was a ledger
  std::vector<std::string> outside;   // runs from files that say an epsilon: made elsewhere, in no sum
};

// `delta`: where the sums are to be taken, instead of the sum of deltas. Throws Error{not found}, Error{corrupt}.
PrivacyCard load_privacy(storage::Store& store, const std::string& dataset, std::optional<double> delta);

}  // namespace residue::query
