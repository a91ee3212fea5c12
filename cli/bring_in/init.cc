// init: make an empty store.
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/store.h"

namespace residue::cli {
namespace {

int init(Context& context, const std::string& named) {
  std::filesystem::path dir = !named.empty() ? named : context.globals.store.value_or(".");
  if (dir.filename().empty()) dir = dir.parent_path();
  if (dir.filename() == ".residue") dir = dir.parent_path();
  if (dir.empty()) dir = ".";
  storage::Store::create(dir);
  context.out.note("made an empty store in " + (dir / ".residue").lexically_normal().string());
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
