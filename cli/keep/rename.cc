// rename: another name for a dataset or a run.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/files/remove.h"
#include "query/link/protocol_rows.h"
#include "storage/catalog/lookup.h"

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
    throw Error(Code::kUsage, "a run cannot move to another dataset",
                fmt::format("residue rename {} NEW", options.from));
  }
  const std::string name = to.run.value_or(to.dataset);
  std::vector<std::string> stale;
  ingest::rename_run(*store, from.dataset, *from.run, name, [&](storage::Db& db, DatasetId dataset) {
    stale = query::rename_in_protocols(db, dataset, *from.run, name);
  });
  context.out.note(fmt::format("{} is now {}/{}", options.from, from.dataset, name));
  for (const std::string& protocol : stale) {
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
