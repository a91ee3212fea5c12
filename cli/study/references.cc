#include "cli/study/references.h"

#include <fmt/format.h>

#include <map>

#include "base/json.h"
#include "verbs/tables/references.h"

namespace residue::cli {

using query::PublishedRow;

std::string tables_with_figures() { return fmt::format("{}", fmt::join(verbs::tables_with_figures(), ", ")); }

std::string short_source(const PublishedRow& row, bool several) {
  return several && !row.dataset.empty() ? fmt::format("{} {}", row.paper, row.dataset) : row.paper;
}

Json reference_json(const PublishedRow& row) {
  Json json = {{"paper", row.paper},     {"version", row.version}, {"source", row.source},
               {"dataset", row.dataset}, {"row", row.name},        {"figures", Json::object()}};
  for (const auto& [key, figure] : row.figures) {
    json["figures"][key] = {{"value", figure.value}, {"std", figure.deviation}};
  }
  return json;
}

std::vector<std::string> reference_notes(const std::set<const PublishedRow*>& rows) {
  // By place in the order of the file, so that the same rows make the same words.
  std::vector<std::string> places;
  std::map<std::string, std::vector<std::string>> names;
  for (const PublishedRow& row : query::published_rows()) {
    if (rows.count(&row) == 0) continue;
    const std::string place = fmt::format("{}: {} ({}), {}{}{}", row.paper, query::published_titles().at(row.paper),
                                          row.version, row.source, row.dataset.empty() ? "" : ", ", row.dataset);
    if (names.count(place) == 0) places.push_back(place);
    names[place].push_back(row.name);
  }
  std::vector<std::string> notes;
  notes.reserve(places.size());
  for (const std::string& place : places) {
    notes.push_back(fmt::format("{}; rows {}", place, fmt::join(names[place], ", ")));
  }
  return notes;
}

}  // namespace residue::cli
