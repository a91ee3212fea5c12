// gc: gives back the space of what was removed, so that nothing of it is left.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "verbs/keep/collected.h"

namespace residue::cli {
namespace {

constexpr int kWaitSeconds = 10;

int gc(Context& context, int wait_s) {
  const auto store = open_store(context);
  const storage::Store::GcResult gone = [&] {
    Progress progress(context.globals, "rewriting texts");
    return store->collect_garbage({wait_s * 1000, progress.callback()});
  }();
  Table table;
  table.columns = {{"texts", Type::kInteger, ""},        {"vectors", Type::kInteger, ""},
                   {"answers", Type::kInteger, ""},      {"rewritten", Type::kInteger, ""},
                   {"dictionaries", Type::kInteger, ""}, {"index_files", Type::kInteger, ""},
                   {"bytes", Type::kBytes, ""}};
  table.rows.push_back({cell(gone.texts), cell(gone.vectors), cell(gone.answers), cell(gone.rewritten),
                        cell(gone.dictionaries), cell(gone.index_files), cell(gone.bytes)});
  context.out.fields(table);
  context.out.flush();
  if (gone.paid_texts > 0) {
    context.out.note(fmt::format("{} texts stay although nothing but ratings of them is left: those were paid for",
                                 gone.paid_texts));
  }
  if (gone.outdated > 0) {
    context.out.note(
        "what attackers are taken to know is from before claims changed: claims that were replaced stay until residue "
        "eval and another residue gc");
  }
  verbs::require_collected(gone, "residue gc");
  return 0;
}

}  // namespace

Command gc_command() {
  return {.name = "gc",
          .group = Group::kKeep,
          .summary = "free the space of what was removed",
          .usage = "[--wait SECONDS]",
          .details =
              "Deletes the texts, vectors and index files that nothing refers to. Other data can hold bytes of such a "
              "text: frames and dictionaries that were made with it are written again, and freed pages leave the disk. "
              "What was paid for is kept; residue purge removes that, too.\n"
              "Freed pages can leave only when no other process has the store open. gc waits for that. Exit code 75 "
              "means that something is left to do; the message says what.",
          .examples = {{"residue gc", "after residue rm"}},
          .guarded = true,
          .setup = [](Syntax& syntax) -> Run {
            auto wait_s = std::make_shared<int>(kWaitSeconds);
            syntax.add("--wait", *wait_s, "seconds to wait for other processes to close the store (10)");
            return [wait_s](Context& context) { return gc(context, *wait_s); };
          }};
}

}  // namespace residue::cli
