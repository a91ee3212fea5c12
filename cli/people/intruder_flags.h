// What the commands of the intruder test have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/syntax.h"
#include "verbs/people/intruder.h"

namespace residue::cli {

struct IntruderFlags {
  std::string target_run;  // DATASET/RUN
  std::string annotator, target, protocol;
  std::uint64_t seed = 42;
  unsigned absent = query::kAbsentPercent;
  std::string strata;  // empty: as the test's targets were drawn so far
};

void add_intruder_flags(Syntax& syntax, IntruderFlags& flags);  // RUN, --annotator, --protocol
void add_draw_flags(Syntax& syntax, IntruderFlags& flags);      // --seed, --absent, --strata
void add_target_flag(Syntax& syntax, IntruderFlags& flags);     // --target

// Throws as verbs::open_intruder, and Error{usage} where no run is named. Whoever has the store may read all of it.
std::unique_ptr<query::IntruderTest> open_test(storage::Store& store, const IntruderFlags& flags);

}  // namespace residue::cli
