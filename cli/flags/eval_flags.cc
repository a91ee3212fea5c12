#include "cli/flags/eval_flags.h"

#include "base/error.h"
#include "cli/syntax.h"
#include "verbs/eval.h"

namespace residue::cli {
namespace {

Option& add_seeds(Syntax& syntax, std::uint32_t& seeds, const std::string& doing) {
  return syntax.add("--seeds", seeds, doing + " seeds 42 ... 42+N-1 of random policies").range(1U, 1000U);
}

}  // namespace

void add_combine(Syntax& syntax, std::vector<std::string>& combine) {
  syntax.add("--combine", combine, "RUN,RUN: the attacker has these releases of the same records").comma_separated();
}

Option& add_protocol(Syntax& syntax, std::string& protocol, const std::string& about) {
  return syntax.add("--protocol", protocol, about).check([](const std::string& word) {
    return std::string(word.empty() ? "an empty word names no attacker" : "");
  });
}

void add_eval_flags(Syntax& syntax, EvalFlags& flags) {
  syntax.add("TARGET", flags.targets, "DATASET (all its runs) or DATASET/RUN; without it, every dataset");
  add_protocol(syntax, flags.protocols,
               "attackers, each LINKER/POLICY[/CLAIMSET], separated by commas; all: those evaluated before; default: "
               "bm25/random:3, also called paper")
      .configured("protocol");
  syntax
      .add("--judge", flags.judge,
           "who rates the claims: lexical, lexical-wordnet, rouge, a model of residue model add, or "
           "cascade:lexical,MODEL")
      .configured("judge");
  add_seeds(syntax, flags.seeds, "evaluate").configured("seeds");
  syntax.add("--sample", flags.sample, "attack only N records, drawn by a seed; all texts stay candidates")
      .range(std::uint64_t{1}, std::uint64_t{1'000'000'000});
  add_combine(syntax, flags.combine);
  syntax.flag("--absent", flags.absent,
              "a model also rates what is found without the target: what the release says of a person through others");
}

void add_attacker_flags(Syntax& syntax, AttackerFlags& flags, const std::string& about_protocol) {
  add_protocol(syntax, flags.protocol, about_protocol).configured("protocol");
  add_seeds(syntax, flags.seeds, "under");
  add_combine(syntax, flags.combine);
}

std::vector<query::Target> targets_of(storage::Store& store, const EvalFlags& flags) {
  std::vector<query::Target> named;
  for (const std::string& target : flags.targets) named.push_back(storage::parse_target(target));
  return verbs::targets_of(store, named);
}

query::EvalOptions eval_options(const EvalFlags& flags) {
  query::EvalOptions options;
  options.stored = flags.protocols == "all";
  if (!flags.protocols.empty() && !options.stored) options.protocols = query::parse_protocols(flags.protocols);
  if (options.stored && !flags.combine.empty()) {
    throw Error(Code::kUsage, "--protocol all and --combine exclude each other",
                "name one attacker: --protocol bm25/random:3 --combine A,B");
  }
  if (!flags.combine.empty()) {
    if (options.protocols.empty()) options.protocols.push_back(query::parse_protocol(query::kDefaultProtocol));
    for (query::ProtocolSpec& spec : options.protocols) spec = query::combined(spec, flags.combine);
  }
  options.judge = flags.judge;
  options.seeds = flags.seeds;
  options.sample = flags.sample;
  options.absent = flags.absent;
  return options;
}

}  // namespace residue::cli
