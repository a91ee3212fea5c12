#include "cli/people/intruder_flags.h"

#include <iterator>

#include "cli/open.h"
#include "query/people/intruder_strata.h"

namespace residue::cli {

void add_intruder_flags(Syntax& syntax, IntruderFlags& flags) {
  syntax.add("RUN", flags.target_run, "DATASET/RUN").required();
  syntax.add("--annotator", flags.annotator, "who looks").required();
  syntax.add("--protocol", flags.protocol, "whose auxiliary claims are known; default: the last evaluated")
      .configured("protocol");
}

void add_draw_flags(Syntax& syntax, IntruderFlags& flags) {
  syntax.add("--seed", flags.seed, "the seed of the draw (42)");
  syntax.add("--absent", flags.absent, "how many of a hundred targets are absent (25)")
      .range(0U, query::kMostAbsentPercent);
  syntax
      .add("--strata", flags.strata,
           "draw in turn from targets that the machine found and did not (machine), or from each category of records "
           "(label); default: as targets of this test were drawn before, at first from all alike (none)")
      .one_of({std::begin(query::kStrataNames), std::end(query::kStrataNames)});
}

void add_target_flag(Syntax& syntax, IntruderFlags& flags) {
  syntax.add("--target", flags.target, "the code of the target").required();
}

std::unique_ptr<query::IntruderTest> open_test(storage::Store& store, const IntruderFlags& flags) {
  const storage::Target run = run_target(flags.target_run, "an intruder test is on one run", "write {}/RUN");
  return verbs::open_intruder(store, {.dataset = run.dataset,
                                      .run = *run.run,
                                      .protocol = flags.protocol,
                                      .seed = flags.seed,
                                      .absent_percent = flags.absent,
                                      .level = query::ReadLevel::kOriginals,
                                      .strata = query::strata_named(flags.strata)});
}

}  // namespace residue::cli
