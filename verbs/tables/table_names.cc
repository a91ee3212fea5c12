#include "verbs/tables/table_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace residue::verbs {
namespace {

constexpr std::array kTables = {
    TableName{"privacy-utility", TableKind::kRuns, "distances beside what is left of usefulness", "FSP Tables 1, 2"},
    TableName{"metrics", TableKind::kRuns, "privacy as other metrics see it", "FSP Table 8"},
    TableName{"categories", TableKind::kRuns, "claims that leak, by category", "FSP Table 7, Figure 3"},
    TableName{"distribution", TableKind::kRuns, "records by distance", "FSP Figure 5"},
    TableName{"criteria", TableKind::kCriteria,
              "singled out, linked, inferred about: attack, control, net; what is untested", "WP216; ours"},
    TableName{"linkage", TableKind::kAttacks, "linkage rates, by what the attacker knows", "FSP Table 4"},
    TableName{"linkers", TableKind::kAttacks, "linkage rates, by how he searches", "FSP Table 6"},
    TableName{"aux-size", TableKind::kAttacks, "distances, by how much he knows", "FSP Figure 4"},
    TableName{"paraphrased-aux", TableKind::kAttacks, "distances, by whose words he uses", "FSP Table 9"},
    TableName{"adversarial", TableKind::kRuns, "guessed attributes and utility, by round",
              "AA Figures 3-7, 17, 18, Tables 2, 5"},
    TableName{"redaction", TableKind::kRuns, "redacted terms, sentiment, topic, answers", "ZSTS Tables 1, 2"},
    TableName{"pseudonymization", TableKind::kRuns, "restored responses, errors by type, detectability",
              "LOP Tables 3, 5, Figures 4, 5"},
    TableName{"agreement", TableKind::kLone, "people, judges, and a judge's own repeats", "FSP Table 5"},
    TableName{"task", TableKind::kLone, "right answers of every model", "FSP 3.1.1"},
    TableName{"corrected", TableKind::kLone, "leak rates less the judge's errors", "ours"},
    TableName{"noise", TableKind::kLone, "standard deviations of records, seeds, votes", "ours"},
    TableName{"abstention", TableKind::kLone, "attackers who speak only where they are sure", "ours"},
    TableName{"open-world", TableKind::kLone, "attackers whose target may be absent, by how sure they are",
              "Lermen et al. 2026; ours"},
    TableName{"copies", TableKind::kLone, "what synthetic runs repeat of the originals", "ours"},
    TableName{"spans", TableKind::kLone, "what was replaced against what people marked, by type", "ours"},
    TableName{"metrics-long", TableKind::kLong, "a row per run, metric and part", "ours"},
};

}  // namespace

std::span<const TableName> table_names() { return kTables; }

const TableName& find_table(std::string_view name) {
  const auto* found = std::find_if(kTables.begin(), kTables.end(), [&](const auto& one) { return one.name == name; });
  if (found != kTables.end()) return *found;
  std::vector<std::string> known;
  for (const TableName& one : kTables) known.emplace_back(one.name);
  throw Error(Code::kUsage, fmt::format("no table \"{}\"{}", name, did_you_mean(name, known)),
              "tables: " + table_list());
}

std::string table_list() {
  std::string list;
  for (const TableName& one : kTables) list += (list.empty() ? "" : ", ") + std::string(one.name);
  return list;
}

}  // namespace residue::verbs
