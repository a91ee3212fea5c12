// A command: what help says about it and how its words become a call. One file verb_NAME.cc each, one line in
// commands.cc.
//
//   words ── find_command ──> Command ── setup(Syntax) ──> options ── Run(Context) ──> exit code
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/print/globals.h"

namespace residue::cli {

class Output;
class Syntax;

// What a running command gets. Results go to `out`, messages to out.note().
struct Context {
  const Globals& globals;
  Output& out;
};

// Returns the exit code; throws residue::Error.
using Run = std::function<int(Context&)>;

enum class Group { kBringIn, kEvaluate, kLook, kKeep };

struct Example {
  std::string line;  // a whole command line, "residue ingest dataset clinic notes.jsonl"
  std::string does;  // what it does, one line
};

struct Command {
  std::string name;  // "eval", or two words: "ingest dataset"
  Group group = Group::kLook;
  std::string summary;            // one line, no full stop
  std::string usage;              // what follows the name: "NAME FILE... [--id F]"
  std::string details;            // paragraphs below the usage; may be empty
  std::vector<Example> examples;  // at least one
  bool guarded = false;           // runs in a child process: reads files that may be damaged (guarded.h)
  bool paged = false;             // prints all at once, for reading: a long result goes through a pager
  // Adds options and positionals to `syntax` and returns what to do with them. Their values live in a shared_ptr that
  // the returned function holds. The global flags are there already.
  Run (*setup)(Syntax& syntax) = nullptr;
};

// All commands, in the order of help. The table is in commands.cc.
const std::vector<Command>& commands();

}  // namespace residue::cli
