// The command line as data, for whatever prints it: manual pages, completions, the reference.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"

namespace residue::cli {

// A command with the options that its setup declares.
struct Page {
  const Command* command = nullptr;
  std::vector<OptionHelp> options;
};

// Every command, in the order of help.
std::vector<Page> pages();

// Words that may follow "residue": the first words of all commands, each once, with a line about each. A word that is
// no command itself has the words that follow it for that: "dataset, claims, run".
struct FirstWord {
  std::string word = {};
  std::string about = {};
  bool is_command = false;                                       // stands alone, too
  std::vector<std::pair<std::string, std::string>> second = {};  // second words and their summaries
};
std::vector<FirstWord> first_words();

// The flags whose next word is their value: in front of a command it is no command.
std::vector<std::string> flags_with_value(const std::vector<OptionHelp>& options);

// "ingest dataset": the commands whose names are two words.
std::vector<std::string> commands_of_two_words();

// "Bring in", as help calls the group.
std::string_view title_of(Group group);
inline constexpr Group kGroups[] = {Group::kBringIn, Group::kEvaluate, Group::kLook, Group::kKeep};

// `text` with `to` in the place of each `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace residue::cli
