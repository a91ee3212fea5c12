// gc: gives back the space of what was removed.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

int gc(Context& context) {
  const auto store = open_store(context);
  const storage::Store::GcResult gone = store->collect_garbage();
  Table table;
  table.columns = {{"texts", Type::kInteger, ""},
                   {"vectors", Type::kInteger, ""},
                   {"index_files", Type::kInteger, ""},
                   {"bytes", Type::kBytes, ""}};
  table.rows.push_back({cell(gone.texts), cell(gone.vectors), cell(gone.index_files), cell(gone.bytes)});
  context.out.fields(table);
  if (gone.lacking_bytes == 0) return 0;
  context.out.flush();
  throw Error(Code::kTryAgain, "the garbage is removed, but the disk has no room for giving its space back",
              fmt::format("new texts use that space; to give it to the disk, free {} MiB and repeat residue gc",
                          (gone.lacking_bytes >> 20U) + 1));
}

}  // namespace

Command gc_command() {
  return {
      .name = "gc",
      .group = Group::kKeep,
      .summary = "free the space of what was removed",
      .usage = "",
      .details =
          "Deletes texts, vectors and index files that nothing refers to. What was paid for is kept. On a full disk\n"
          "it does what needs no room; exit code 75 says that something is left to do.",
      .examples = {{"residue gc", "after residue rm"}},
      .guarded = true,
      .setup = [](Syntax& /*syntax*/) -> Run { return gc; }};
}

}  // namespace residue::cli
