// The child process of a statement as a program of its own.
//
// A host with threads must not be copied: a lock that another thread holds at that moment stays locked in the copy for
// ever. Its statements run in a small program that is started anew.
#pragma once

#include <optional>
#include <string_view>

#include "base/child.h"
#include "query/sql/sql_shell.h"

namespace residue::query {

// Starts `options.program`, which writes to `pipe` what sql_child() writes. Nothing where no process can be made.
std::optional<Child> start_sql_program(const SqlOptions& options, std::string_view sql, int pipe);

// The program's main: what is wanted comes from standard input, the answer goes to standard output.
int sql_program();

}  // namespace residue::query
