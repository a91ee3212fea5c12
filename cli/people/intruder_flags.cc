#include "cli/people/intruder_flags.h"

#include "cli/open.h"

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
                                      .level = query::ReadLevel::kOriginals});
}

}  // namespace residue::cli
