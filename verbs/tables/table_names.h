// The papers' tables, and those of ours that go with them: one list for help, for messages and for finding them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace residue::verbs {

enum class TableKind {
  kRuns,      // a report's runs, one report per attacker (run_figures.h)
  kCriteria,  // likewise, in a form of its own (criteria.h)
  kAttacks,   // attackers side by side (attack_figures.h)
  kLone,      // of no report: has no metrics of runs that a gate could be held against
  kLong,      // everything, a row per number
};

struct TableName {
  std::string_view name;
  TableKind kind;
  std::string_view shows;
  std::string_view source;  // in the papers; "ours"
};

std::span<const TableName> table_names();

// Throws Error{usage} that names the nearest and all others.
const TableName& find_table(std::string_view name);

// "privacy-utility, metrics, ...".
std::string table_list();

}  // namespace residue::verbs
