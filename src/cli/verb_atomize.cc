// atomize: claims out of a dataset's records.
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/ingest_options.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ingest/atomize.h"
#include "ingest/atomize_run.h"
#include "storage/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target;
  std::string with = "sentences";
  std::string set{ingest::kSentenceSet};
};

// Whose hits among these claims of a run vote.
std::string attacker(const std::string& set) {
  return set == ingest::kSentenceSet ? "bm25-vote/random:3" : fmt::format("'bm25-vote[set={}]/random:3'", set);
}

int atomize(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  const auto store = open_store(context);
  Progress progress(context.globals, "atomizing");
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  how.progress = [&progress](std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.update(done, total.value_or(0));
  };
  const unsigned jobs = threads(context.globals);
  if (target.run) {
    tell(context, ingest::atomize_run(*store, target.dataset, *target.run, options.set, jobs, how));
    context.out.note(fmt::format("next: residue eval {} --protocol {}", options.target, attacker(options.set)));
    return 0;
  }
  tell(context, ingest::atomize_dataset(*store, target.dataset, options.set, jobs, how));
  context.out.note(next_step(*store, target.dataset));
  return 0;
}

}  // namespace

Command atomize_command() {
  return {.name = "atomize",
          .group = Group::kBringIn,
          .summary = "claims out of records, original or sanitized",
          .usage = "DATASET[/RUN] [--with sentences] [--set NAME]",
          .details =
              "Counts are records. What is there and did not change stays untouched.\n"
              "The claims of a run are what attackers whose claims vote look among (bm25-vote); repeat the "
              "command when\nthe run has changed.",
          .examples = {{"residue atomize clinic", "the claim set \"sentences\", by the embedded atomizer"},
                       {"residue atomize clinic/scrub", "the claims of what that run published"}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("TARGET", options->target, "whose records: DATASET or DATASET/RUN")->required();
            app.add_option("--with", options->with, "the atomizer")->check(CLI::IsMember({"sentences"}));
            app.add_option("--set", options->set, "the claim set (default: sentences)");
            return [options](Context& context) { return atomize(context, *options); };
          }};
}

}  // namespace residue::cli
