// What eval and plan have in common: targets, protocols, judge, seeds, sample.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "query/evaluate.h"

namespace CLI {
class App;
}

namespace residue::cli {

struct EvalFlags {
  std::vector<std::string> targets;
  std::string protocols;
  std::string judge = "lexical";
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;
  std::vector<std::string> combine;
};

void add_eval_flags(CLI::App& app, EvalFlags& flags);

// The targets named, or all datasets of the store. Throws Error{not found|usage}.
std::vector<query::Target> targets_of(storage::Store& store, const EvalFlags& flags);

query::EvalOptions eval_options(const EvalFlags& flags);

}  // namespace residue::cli
