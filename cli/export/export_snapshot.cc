// export snapshot: the views of the store as one plain SQLite file.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/export/export_flags.h"
#include "cli/help.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/export/snapshot_file.h"

namespace residue::cli {
namespace {

int snapshot(Context& context, const std::string& file, const ExportFlags& flags) {
  query::SnapshotRequest request;
  request.how = export_options(context, flags);
  request.program = fmt::format("residue {}", kVersion);
  request.made_at = utc(now_ms());
  const query::SnapshotSize size = query::write_snapshot(request, file);
  context.out.note(
      fmt::format("wrote {}: {} rows, {} texts; {}", file, grouped(size.rows), grouped(size.texts), texts_text(flags)));
  return 0;
}

}  // namespace

Command export_snapshot_command() {
  return {.name = "export snapshot",
          .group = Group::kLook,
          .summary = "the store's tables as one plain SQLite file",
          .usage = "FILE",
          .details =
              "FILE is an SQLite database that any program can open: a table for each of residue export's, with "
              "indexes, all of one moment. A column *_text is a number: the table texts has the text of that id. "
              "texts_fts searches them (FTS5). residue_snapshot says of which store, level and time the file is.\n"
              "The levels are those of residue export: without a flag the texts of runs other than the controls. A "
              "column of a higher level is left out. FILE has mode 0600, and is there whole or not at all.",
          .examples = {{"residue export snapshot release.db", "what may be shown to whoever may see the release"},
                       {"residue export snapshot all.db --originals", "everything, as confidential as the store"}},
          .setup = [](Syntax& syntax) -> Run {
            struct Options {
              std::string file;
              ExportFlags flags;
            };
            auto options = std::make_shared<Options>();
            syntax.add("FILE", options->file, "must not exist yet").required();
            add_export_flags(syntax, options->flags);
            return [options](Context& context) { return snapshot(context, options->file, options->flags); };
          }};
}

}  // namespace residue::cli
