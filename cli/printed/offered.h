// Words that completion offers where others are allowed as well: names of methods and judges, tables, terms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace residue::cli {

// For the value of `flag` of `command`; empty: nothing is known. Names of models in a store are not among them.
std::vector<std::string> offered_values(std::string_view command, std::string_view flag);

// For the first word behind `command` that is no flag, where it is no name of a store: tables of `export`, commands and
// terms of `help`. Empty: nothing is known.
std::vector<std::string> offered_words(std::string_view command);

}  // namespace residue::cli
