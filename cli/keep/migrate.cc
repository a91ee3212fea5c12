// migrate: a store of an earlier format becomes one of today's.
#include "storage/migrate.h"

#include <fmt/format.h>

#include <string>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/store.h"

namespace residue::cli {
namespace {

int migrate(Context& context) {
  const auto dir = store_folder(context);
  const storage::Migration done =
      storage::migrate_store(dir, [&](const std::string& what) { context.out.detail(what); });
  if (done.from == storage::kFormatVersion) {
    context.out.note(fmt::format("the store has format {} already", storage::kFormatVersion));
    return 0;
  }
  context.out.note(fmt::format("the store had format {} and has format {} now", done.from, storage::kFormatVersion));
  context.out.note(fmt::format(
      "{} is a copy of it as it was: remove it when you need it no more, it holds the originals and the key",
      done.copy.string()));
  context.out.next("residue check");
  return 0;
}

}  // namespace

Command migrate_command() {
  return {.name = "migrate",
          .group = Group::kKeep,
          .summary = "bring a store of an earlier residue to this one's format",
          .usage = "",
          .details =
              "First the whole store is copied to residue-format-N.tar beside it, as residue backup does; then its\n"
              "catalog is written anew. Texts, answers, vectors and indexes stay where they are. If the command is "
              "killed, repeat it: it goes on from there. No other process may have the store open. The disk needs room "
              "for the copy and for a second catalog.",
          .examples = {{"residue migrate", "the store of this folder"}},
          .guarded = true,
          .setup = [](Syntax&) -> Run { return [](Context& context) { return migrate(context); }; }};
}

}  // namespace residue::cli
