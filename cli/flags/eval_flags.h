// What eval and plan have in common: targets, protocols, judge, seeds, sample.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/syntax.h"
#include "query/evaluate/evaluate.h"

namespace residue::cli {

struct EvalFlags {
  std::vector<std::string> targets;
  std::string protocols;
  std::string judge = "lexical";
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;
  std::vector<std::string> combine;
  bool absent = false;
};

void add_eval_flags(Syntax& syntax, EvalFlags& flags);

// The targets named, or all datasets of the store. Throws Error{not found|usage}.
std::vector<query::Target> targets_of(storage::Store& store, const EvalFlags& flags);

// The flags that name one attacker: for verbs that look into an attack.
struct AttackerFlags {
  std::string protocol;
  std::uint32_t seeds = 1;
  std::vector<std::string> combine;
};

// --protocol, refused where it is empty.
Option& add_protocol(Syntax& syntax, std::string& protocol, const std::string& about);

void add_combine(Syntax& syntax, std::vector<std::string>& combine);
void add_attacker_flags(Syntax& syntax, AttackerFlags& flags, const std::string& about_protocol);

query::EvalOptions eval_options(const EvalFlags& flags);

}  // namespace residue::cli
