// What a judge must not fall for: a ladder of perturbations of made-up records, with the direction that each must go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/judge/judge.h"

namespace residue::query {

// One kind of perturbation.
struct SelftestRow {
  std::string_view kind;
  std::string_view expects;  // "rating 1", "rating 3", "never 1", "as without it"
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
};

// Rates some hundred pairs made from built-in word lists; deterministic. A regression test, no calibration: a judge
// that passes may still disagree with people.
std::vector<SelftestRow> selftest(const Judge& judge);

}  // namespace residue::query
