// Which files a command line runs: when one of them changes, the command is another one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

// The words of a command line of sh that name programs of the user's, each once, in their order: readable files that
// begin as scripts or programs do ("#!", ELF) or are called like scripts ("mine.py"). Not those of the system (/usr,
// /bin ...), and none that only the shell could tell ("$HOME/mine", "~/mine").
std::vector<std::string> program_files(std::string_view command);

}  // namespace residue::ingest
