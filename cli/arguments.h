// The words of a command line, sorted out: which command, its options, the global flags.
//
//   argv ── sort_words ──> Words ── parse ──> Invocation{command, globals, run}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace residue::cli {

struct Words {
  const Command* command = nullptr;
  std::string group;              // "ingest": the first word of two-word commands, while the second is missing
  std::vector<std::string> rest;  // everything but the command's name, in order
  bool help = false;              // --help, -h
  bool version = false;           // --version
};

// Finds the command. Throws Error{usage} with the nearest name for an unknown one.
Words sort_words(const std::vector<std::string>& arguments);

struct Invocation {
  Globals globals;
  Run run;
  std::string configured;  // flags that config.toml stood for, "--judge rouge --seeds 3"; empty: none
};

// Reads the options of `words.command` (required) and the global flags, from the words, the environment and, for
// options that are not given, the store's config.toml. Throws Error{usage}: unknown flag with the nearest one, missing
// or unreadable value, argument too many; Error{bad input} for a config.toml with a mistake.
Invocation parse(const Words& words);

// An option, flag or positional as help, manual pages and completions show it.
struct OptionHelp {
  std::string names;                      // as help writes it: "--jobs N", "FILE"
  std::string description;                // "threads to use"
  std::vector<std::string> flags = {};    // "-o", "--output"; empty: a positional
  bool takes_value = false;               // the next word is its value
  bool repeatable = false;                // may be given, or stand, several times
  std::vector<std::string> choices = {};  // the only values; empty: any
};

// The options and positionals that a command has of its own, and the global flags.
std::vector<OptionHelp> options_of(const Command& command);
std::vector<OptionHelp> global_options();

}  // namespace residue::cli
