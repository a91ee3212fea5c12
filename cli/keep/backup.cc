// backup: a consistent copy of the store in one file.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

int backup(Context& context, const std::string& file) {
  const auto store = open_store(context);
  store->backup(file);
  context.out.note(
      fmt::format("wrote {}; it holds the originals and the store's key: keep it as safe as the store", file));
  return 0;
}

}  // namespace

Command backup_command() {
  return {.name = "backup",
          .group = Group::kKeep,
          .summary = "a consistent copy of the store in one file",
          .usage = "FILE",
          .details =
              "FILE is a tar archive, readable by you alone; tar xf restores it as .residue/. Other commands may go on "
              "meanwhile. The parts of the archive are gathered in the store first. If the store's disk is full or "
              "read-only, they are gathered in FILE.parts.",
          .examples = {{"residue backup monday.tar", "a copy of everything"}},
          .guarded = true,
          .setup = [](Syntax& syntax) -> Run {
            auto file = std::make_shared<std::string>();
            syntax.add("FILE", *file, "must not exist yet").required();
            return [file](Context& context) { return backup(context, *file); };
          }};
}

}  // namespace residue::cli
