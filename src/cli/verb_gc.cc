// gc: gives back the space of what was removed.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/output.h"

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
  return 0;
}

}  // namespace

Command gc_command() {
  return {.name = "gc",
          .group = Group::kKeep,
          .summary = "free the space of what was removed",
          .usage = "",
          .details = "Deletes texts, vectors and index files that nothing refers to. What was paid for is kept.",
          .examples = {{"residue gc", "after residue rm"}},
          .guarded = true,
          .setup = [](CLI::App& /*app*/) -> Run { return gc; }};
}

}  // namespace residue::cli
