// rename: another name for a dataset or a run.
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/output.h"
#include "ingest/remove.h"
#include "storage/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string from;
  std::string to;
};

int rename(Context& context, const Options& options) {
  const storage::Target from = storage::parse_target(options.from);
  storage::Target to = storage::parse_target(options.to);
  const auto store = open_store(context);
  if (!from.run) {
    ingest::rename_dataset(*store, from.dataset, options.to);
    context.out.note(fmt::format("{} is now {}", from.dataset, options.to));
    return 0;
  }
  if (to.run && to.dataset != from.dataset) {
    throw Error(Code::kUsage, "a run stays in its dataset", fmt::format("residue rename {} NEW", options.from));
  }
  const std::string name = to.run.value_or(to.dataset);
  ingest::rename_run(*store, from.dataset, *from.run, name);
  context.out.note(fmt::format("{} is now {}/{}", options.from, from.dataset, name));
  return 0;
}

}  // namespace

Command rename_command() {
  return {.name = "rename",
          .group = Group::kKeep,
          .summary = "another name for a dataset or a run",
          .usage = "OLD NEW",
          .details = "Results stay valid.",
          .examples = {{"residue rename clinic ward", "a dataset"}, {"residue rename clinic/r1 azure", "a run"}},
          .setup = [](CLI::App& app) -> Run {
            auto options = std::make_shared<Options>();
            app.add_option("OLD", options->from, "DATASET or DATASET/RUN")->required();
            app.add_option("NEW", options->to, "the new name")->required();
            return [options](Context& context) { return rename(context, *options); };
          }};
}

}  // namespace residue::cli
