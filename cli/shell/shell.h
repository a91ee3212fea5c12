// The shell of `residue sql`: statements typed at a terminal, one after the other.
//
//   lines ── up to ; ──> statement ── run_script ──> rows        an error ends the statement, not the shell
//         └─ .word ────> dot command
#pragma once

#include "cli/command.h"
#include "query/sql/sql_shell.h"

namespace residue::cli {

// Until Ctrl-D or .quit. `history`: what is typed is kept in history_file() and found again. SIGINT ends the statement
// that runs, or the line. Throws Error{interrupted} when another signal came.
void converse(Context& context, const query::SqlOptions& options, bool history);

}  // namespace residue::cli
