#include "verbs/tables/references.h"

#include <fmt/format.h>

#include <set>

namespace residue::verbs {

std::vector<std::string> reference_names(const query::ReportRun& run) {
  if (const auto named = run.params.find("reference"); named != run.params.end()) return {named->second};
  std::vector<std::string> names{run.run};
  if (!run.sanitizer) return names;
  names.push_back(*run.sanitizer);
  if (const auto threshold = run.params.find("p"); threshold != run.params.end()) {
    names.push_back(fmt::format("{} p={}", *run.sanitizer, threshold->second));
  }
  return names;
}

std::vector<const query::PublishedRow*> references_of(std::string_view table, const query::Report& report,
                                                      const query::ReportRun& run) {
  const std::vector<std::string> names = reference_names(run);
  return query::find_published(table, report.dataset, names);
}

std::vector<std::string_view> tables_with_figures() {
  std::set<std::string_view> tables;
  for (const query::PublishedRow& row : query::published_rows()) tables.insert(row.table);
  return {tables.begin(), tables.end()};
}

}  // namespace residue::verbs
