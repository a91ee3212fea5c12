// The words of help: overview, list of commands, one command.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace residue::cli {

// What `residue` alone prints: the six commands of a first use.
std::string overview();

// All commands by group, global flags, exit codes. With `first_word`, the commands that begin with it.
std::string help_text(const std::string& first_word = {});

// Global flags and exit codes: what every command shares.
std::string shared_help();

// Usage, details, options, examples.
std::string help_for(const Command& command);

inline constexpr std::string_view kVersion = "0.1.0";

// "residue 0.1.0"
std::string version_text();

}  // namespace residue::cli
