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
#include "storage/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target;
  std::string with = "sentences";
  std::string set{ingest::kSentenceSet};
};

int atomize(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  if (target.run) {
    throw Error(Code::kUsage, "atomize takes a dataset; claims of sanitized records come with the linking work",
                fmt::format("residue atomize {}", target.dataset));
  }
  const auto store = open_store(context);
  Progress progress(context.globals, "atomizing");
  ingest::IngestOptions how;
  how.interrupted = interrupted;
  how.progress = [&progress](std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.update(done, total.value_or(0));
  };
  tell(context, ingest::atomize_dataset(*store, target.dataset, options.set, threads(context.globals), how));
  context.out.note(next_step(*store, target.dataset));
  return 0;
}

}  // namespace

Command atomize_command() {
  return {.name = "atomize",
          .group = Group::kBringIn,
          .summary = "claims out of records",
          .usage = "DATASET [--with sentences] [--set NAME]",
          .details = "Counts are records. What is there and did not change stays untouched.",
          .examples = {{"residue atomize clinic", "the claim set \"sentences\", by the embedded atomizer"}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("DATASET", options->target, "whose records")->required();
            app.add_option("--with", options->with, "the atomizer")->check(CLI::IsMember({"sentences"}));
            app.add_option("--set", options->set, "the claim set (default: sentences)");
            return [options](Context& context) { return atomize(context, *options); };
          }};
}

}  // namespace residue::cli
