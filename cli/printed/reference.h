// The reference of all commands as Markdown: docs/commands.md is its output, and a test compares them.
#pragma once

#include <string>

namespace residue::cli {

std::string command_reference();

}  // namespace residue::cli
