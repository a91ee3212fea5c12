// What releases cost whoever's data they are of: each alone, and all together, added up in three ways.
//
//   Spending of each release ──> basic:  the sums of epsilon and delta
//                            ├─> zcdp:   the sum of rho, as an epsilon at the same delta
//                            └─> tight:  their loss distributions convolved (loss_distribution.h), at the same delta
//
// All three are true: what holds is the least. They are of one unit, a record or a person, and of releases whose noise
// is independent. What is printed is rounded up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "numbers/stats/dp_accounting.h"

namespace residue::numbers {

// `times` numbers that each get discrete Gaussian noise and move by `shift` at most with the unit.
struct NoisyNumbers {
  Variance variance;
  std::uint64_t shift = 1;
  std::uint64_t times = 1;
};

struct Spending {
  double epsilon = 0, delta = 0;    // as promised; epsilon may be infinite: nothing is
  double tail = 0;                  // of delta: what the noise does not pay for (an item above its threshold)
  std::vector<NoisyNumbers> noise;  // all of it; empty: no more is known than epsilon and delta
};

// Of tables accounted for by account(). A table of `items` counts is no worse than one whose unit moves the counts in
// the order of their moves by the most that its bounds allow: a larger move of one count is never better hidden (the
// best test is a threshold), and more counts show more.
Spending spending_of(const PrivacyBudget& budget, std::span<const Contribution> contributions,
                     const Accounting& accounting);

Json json_of(const Spending& spending);
std::optional<Spending> spending_from(const Json& json);  // nothing where it is none

// As json_of() was stored in a ledger. Throws Error{corrupt}.
Spending stored_spending(std::string_view json);

struct Composition {
  double delta = 0;    // that all epsilons are at: the sum of deltas, or another one that was asked for
  double epsilon = 0;  // basic: the sum, at the sum of deltas
  double basic_delta = 0;
  double rho = 0;
  std::optional<double> zcdp, tight;  // epsilons at `delta`; nothing: no epsilon is promised there
};

// Of releases with a finite epsilon; of none everything is 0. `delta`: instead of the sum. Cost: some ten milliseconds
// a release.
Composition compose(std::span<const Spending> releases, std::optional<double> delta = std::nullopt);

// To four digits, never down: the same on every machine.
double rounded_up(double value);

}  // namespace residue::numbers
