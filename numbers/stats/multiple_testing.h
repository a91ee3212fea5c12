// Many tests at once: p-values that stay honest however many there are.
#pragma once

#include <span>
#include <vector>

namespace residue::numbers {

// Adjusted p-values in the order given. Holm (1979) bounds the chance of any false alarm, whatever the tests depend on.
std::vector<double> holm(std::span<const double> p);

// Benjamini and Hochberg (1995) bound the expected share of false alarms among the alarms; for tests that are
// independent or positively dependent.
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace residue::numbers
