// Completion scripts. They know the commands, flags and choices of this program, and ask it for the names in the store
// (residue help --as names).
#pragma once

#include <string>

namespace residue::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace residue::cli
