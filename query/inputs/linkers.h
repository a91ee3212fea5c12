// The closed table of linkers: what each is called, takes, needs and measures, what it is for, and what makes it. Other
// code asks a row; nobody compares names. A new linker is one row (query/link/linkers.cc) and its class.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace residue::query {

class Attack;  // query/link/attack.h
struct AttackOn;

// In what the scores of its hits are measured.
enum class Measure { kTerms, kRougeF, kRougeRecall, kCosine, kNothing };

// What it is beside an attacker. Controls run beside every protocol for embedded judges; gates ignore them. The oracle
// is told which text is the record's own.
enum class LinkerRole { kAttacker, kLexicalBaseline, kOracle, kRandom };

struct LinkerOption {
  std::string_view name;
  std::string_view values;         // alternatives separated by |, the first is the default and is not named; empty: any
  std::string_view fallback = {};  // name, and this is the default
};

struct Linker {
  std::string_view name;
  Measure measure;
  std::vector<LinkerOption> options;
  std::unique_ptr<Attack> (*attack)(const AttackOn& on);
  LinkerRole role = LinkerRole::kAttacker;
  bool votes = false;  // each claim that the attacker knows asks; claims of the run are found, and vote
  bool keeps_basis =
      false;  // after a change of the run only what may have changed is searched (query/link/relinking.h)

  [[nodiscard]] bool control() const { return role == LinkerRole::kOracle || role == LinkerRole::kRandom; }
  [[nodiscard]] bool needs_vectors() const { return measure == Measure::kCosine; }  // of the model that an option names
  [[nodiscard]] bool measures_words() const { return measure == Measure::kRougeF || measure == Measure::kRougeRecall; }
};

// In the order in which messages list them; the first is the default.
std::span<const Linker> linkers();

const Linker* find_linker(std::string_view name);  // nullptr: there is none
const Linker& linker_of(LinkerRole role);          // the first

}  // namespace residue::query
