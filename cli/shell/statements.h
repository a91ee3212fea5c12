// Statements of SQL, one after the other, with their rows as they come and a caret under an error.
#pragma once

#include <string_view>

#include "cli/command.h"
#include "query/sql/sql_shell.h"

namespace residue::cli {

// All statements of `script`, within the time of one command: the reader's is counted. An error is thrown as
// query::run_statement() throws it; before that, the place in the statement is on standard error.
void run_script(Context& context, query::SqlOptions options, std::string_view script);

}  // namespace residue::cli
