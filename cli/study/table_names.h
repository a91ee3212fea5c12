// The tables that `report --table NAME` knows: one list for help, for messages and for finding them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace residue::cli {

enum class TableKind {
  kRuns,     // a report's runs, one report per attacker (paper_tables.cc)
  kAttacks,  // attackers side by side (attack_tables.cc)
  kLone,     // of no report: has no metrics of runs that a gate could be held against
  kLong,     // everything, a row per number
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

// A line for each: its name, what it shows, its source.
std::string table_help();

}  // namespace residue::cli
