// rename: another name for a dataset or a run.
#include "verbs/keep/rename.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string from;
  std::string to;
};

int rename(Context& context, const Options& options) {
  const storage::Target from = storage::parse_target(options.from);
  const storage::Target to = storage::parse_target(options.to);
  const auto store = open_store(context);
  const verbs::RenameResult result = verbs::rename(*store, {from, to});
  if (!from.run) {
    context.out.note(fmt::format("{} is now {}", from.dataset, options.to));
    return 0;
  }
  context.out.note(fmt::format("{} is now {}/{}", options.from, from.dataset, *result.name.run));
  for (const std::string& protocol : result.stale) {
    context.out.note(
        fmt::format("stale: the results under {}, which looks at this run; residue eval {}", protocol, from.dataset));
  }
  return 0;
}

}  // namespace

Command rename_command() {
  return {.name = "rename",
          .group = Group::kKeep,
          .summary = "another name for a dataset or a run",
          .usage = "OLD NEW",
          .details =
              "All results stay valid. Protocols of attackers who have several releases (--combine) name the run by "
              "its new name. If the new name changes the order of three or more releases, the results of that protocol "
              "become stale.",
          .examples = {{"residue rename clinic ward", "a dataset"}, {"residue rename clinic/r1 azure", "a run"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("OLD", options->from, "DATASET or DATASET/RUN").required();
            syntax.add("NEW", options->to, "the new name").required();
            return [options](Context& context) { return rename(context, *options); };
          }};
}

}  // namespace residue::cli
