// What `residue help` says, as JSON: for tools that call the program.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/command.h"

namespace residue::cli {

// {name, group, summary, usage, details, examples: [{line, does}], options: [{names, flags, description, takes_value,
// repeatable, choices}]}; a positional has no flags.
Json json_of(const Command& command);

// {version, commands, global_options}; `first_word` not empty: only commands that begin with it.
Json commands_as_json(const std::string& first_word);

// {term, text}.
Json term_as_json(const std::string& term, const std::string& words);

// {views_version, views: [{name, about, question, columns: [{name, type, unit, about}]}]}.
Json views_as_json();

// {questions: [{words, statement, level}]}.
Json questions_as_json();

}  // namespace residue::cli
