// What begins with a dot in the SQL shell: .mode, .schema, .questions ...
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "query/sql/sql_shell.h"

namespace residue::cli {

struct DotCommand {
  std::string_view usage;  // ".mode [MODE]"
  std::string_view does;
};
std::span<const DotCommand> dot_command_list();

// The names of the modes.
std::vector<std::string> mode_names();

// What a dot command works on. `globals` are those of `context`.
struct Shell {
  Context& context;
  Globals& globals;
  query::SqlOptions options;
};

// Does what `line` says, which begins with a dot; false: the shell is to end. Throws Error{usage}, and as run_script().
bool dot_command(Shell& shell, std::string_view line);

}  // namespace residue::cli
