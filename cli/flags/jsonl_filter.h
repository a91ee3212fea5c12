// JSON Lines in, the same lines with more fields out: the frame of the `text` filters.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/syntax.h"

namespace residue::cli {

struct JsonlFilter {
  std::vector<std::string> fields;  // text fields that every line must have
  std::vector<std::string> adds;    // names of the fields that are added; those of the input are replaced
  // The values of `adds`, as JSON, from those of `fields`. Pure; called from several threads.
  std::function<std::vector<std::string>(const std::vector<std::string>& values)> values;
};

// Filters `files` (none, or "-": standard input) to context.out, in order; all other bytes of a line stay as they are.
// Throws Error{bad input} naming file and line, after the lines before it were written.
int filter_jsonl(Context& context, const std::vector<std::string>& files, const JsonlFilter& filter);

// The set-up of a filter that has no options but its files.
Run setup_filter(Syntax& syntax, JsonlFilter filter);

}  // namespace residue::cli
