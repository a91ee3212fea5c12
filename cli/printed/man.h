// Manual pages in roff's man macros: residue(1), and residue-COMMAND(1) for each command.
#pragma once

#include <string>

#include "cli/command.h"

namespace residue::cli {

// The page of one command; its name in the file system is man_name(command) + ".1".
std::string man_page(const Command& command);
std::string man_name(const Command& command);  // "residue-ingest-dataset"

// residue(1): all commands, flags of every command, exit codes, environment, files.
std::string man_page();

}  // namespace residue::cli
