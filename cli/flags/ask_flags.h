// What commands have in common that ask a model: budgets, Ctrl-C, progress, and what is said about it afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "cli/command.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "model/asking/asker.h"
#include "verbs/bring_in/asking.h"

namespace residue::cli {

// Why an option's value is no amount of money from 0 to 1e9; empty if it is. NaN passes the ranges of the library.
std::string not_an_amount(const std::string& word);

// The UTF-8 text of a file that a flag names; Error{not found}, Error{usage} for a folder,
// and Error{bad input} naming a line that is no UTF-8, or for more than 16 MiB.
std::string text_of_file(const std::string& path);

// Of --template; nothing where no file is named.
std::optional<std::string> template_of(const std::string& path);

// The same into the options of a verb, where that verb does not refuse instructions. Throws as its check().
template <class Options>
void read_template(const std::string& path, Options& wanted) {
  if (!path.empty()) wanted.instructions.emplace();
  check(wanted);
  wanted.instructions = template_of(path);
}

struct AskFlags {
  std::optional<std::uint64_t> max_calls;
  std::optional<double> max_cost;
  bool no_repeat = false;

  // --max-calls, --max-cost, --no-repeat
  void add_to(Syntax& syntax);
};

// What verbs may spend, and that they end on Ctrl-C.
verbs::AskingOptions limits_of(const AskFlags& flags);

// The same, told to `progress`, which outlives them.
verbs::AskingOptions asking(const AskFlags& flags, Progress& progress);

// "cannot reach localhost (connection refused): model m is asked again until ..."; empty for nothing.
std::string silence_words(const std::optional<model::Silence>& silence);

// "asked 12 times: 12 answers usable, 0 not"
std::string asked_words(const model::AskCounts& asked);
Json asked_json(const model::AskCounts& asked);

}  // namespace residue::cli
