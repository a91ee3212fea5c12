// init: make an empty store.
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/open.h"

namespace residue::cli {
namespace {

int init(Context& context, const std::string& named) {
  const std::filesystem::path made = verbs::init(!named.empty() ? named : context.globals.store.value_or("."));
  context.out.note("made an empty store in " + made.string());
  context.out.next("residue ingest dataset NAME FILE");
  return 0;
}

}  // namespace

Command init_command() {
  return {.name = "init",
          .group = Group::kBringIn,
          .summary = "make an empty store",
          .usage = "[DIR]",
          .details =
              "The store is the folder DIR/.residue (default: here), readable by you alone. Commands find it from DIR\n"
              "and every folder below. On a read-only disk you can read a store, but not change it.",
          .examples = {{"residue init", "a store in this folder"},
                       {"residue init study", "a store in the folder study, which is made if needed"}},
          .setup = [](Syntax& syntax) -> Run {
            auto dir = std::make_shared<std::string>();
            syntax.add("DIR", *dir, "the folder that will hold .residue");
            return [dir](Context& context) { return init(context, *dir); };
          }};
}

}  // namespace residue::cli
