// What the commands of `residue export` share.
#pragma once

#include "cli/command.h"
#include "cli/syntax.h"
#include "query/sql/levels/readable.h"
#include "query/sql/sql_shell.h"

namespace residue::cli {

struct ExportFlags {
  bool claims = false, originals = false, no_text = false;
  double timeout_s = 3600;

  [[nodiscard]] query::ReadLevel level() const;
};

// --claims, --originals, --no-text, --timeout.
void add_export_flags(Syntax& syntax, ExportFlags& flags);

// The store is the one that the command names. All rows.
query::SqlOptions export_options(const Context& context, const ExportFlags& flags);

// What a message says of the texts in the file: "it has no texts", "it has originals: keep it as safe as the store".
const char* texts_text(const ExportFlags& flags);

}  // namespace residue::cli
