// What surrogates keep of a name, by the lists of name_lists.txt.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"

namespace residue::text {

namespace {

constexpr std::string_view kCitiesOf = "cities of ", kRegionsOf = "regions of ";

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (const std::string_view name = slice(list, trim(list, {0, comma})); !name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

struct Kinds {
  std::array<std::vector<std::string>, 3> first_names;  // by gender
  std::unordered_map<std::string, Gender> genders;
  std::vector<PlacesOfCountry> rows;
  std::unordered_map<std::string, std::size_t> row_of;  // by place, in lower case
  // By country, in lower case: the first row with its regions, and with its cities.
  std::array<std::unordered_map<std::string, std::size_t>, 2> row_of_country;

  void read_section(std::string_view section, const std::vector<std::string>& names) {
    if (section == "female" || section == "male") {
      const Gender gender = section == "male" ? Gender::kMale : Gender::kFemale;
      for (const std::string& name : names) genders.emplace(lower(name), gender);
      auto& all = first_names[static_cast<std::size_t>(gender)];
      all.insert(all.end(), names.begin(), names.end());
      return;
    }
    const bool cities = section.starts_with(kCitiesOf);
    if (!cities && !section.starts_with(kRegionsOf)) return;
    section.remove_prefix(cities ? kCitiesOf.size() : kRegionsOf.size());
    std::vector<std::string> country = split(section);
    const bool goes_on = !rows.empty() && rows.back().cities == cities && rows.back().country == country;
    if (!goes_on) rows.push_back({std::move(country), cities, {}});
    PlacesOfCountry& row = rows.back();
    for (const std::string& name : row.country) row_of_country[cities ? 1U : 0U].emplace(lower(name), rows.size() - 1);
    for (const std::string& name : names) row_of.emplace(lower(name), rows.size() - 1);
    row.places.insert(row.places.end(), names.begin(), names.end());
  }

  explicit Kinds(std::string_view file) {
    std::string_view section;
    while (!file.empty()) {
      const std::size_t end = std::min(file.find('\n'), file.size());
      const std::string_view line = file.substr(0, end);
      file.remove_prefix(std::min(end + 1, file.size()));
      if (line.starts_with('[')) section = line.substr(1, line.size() - 2);
      if (!line.empty() && line[0] != '#' && line[0] != '[') read_section(section, split(line));
    }
  }
};

const Kinds& kinds() {
  static const Kinds read(own_names_file());
  return read;
}

}  // namespace

std::size_t without_legal_form(std::string_view name) {
  constexpr auto kForms = std::to_array<std::string_view>(
      {"ab",   "ag",  "as",           "asa", "bv",      "co",  "company", "corp", "corporation",
       "gmbh", "inc", "incorporated", "kg",  "limited", "llc", "llp",     "ltd",  "nv",
       "oy",   "plc", "pty",          "sa",  "sarl",    "se",  "spa",     "srl"});
  const auto end_of = [&](std::size_t end) { return name.substr(0, end).find_last_not_of(" .,&") + 1; };
  for (std::size_t stem = end_of(name.size());;) {
    const std::size_t space = name.substr(0, stem).rfind(' ');
    if (space == std::string_view::npos || end_of(space) == 0) return stem;
    if (std::ranges::find(kForms, lower(name.substr(space + 1, stem - space - 1))) == kForms.end()) return stem;
    stem = end_of(space);
  }
}

Gender gender_of(std::string_view first_name) {
  const auto at = kinds().genders.find(lower(first_name));
  return at == kinds().genders.end() ? Gender::kUnknown : at->second;
}

Gender gender_of_title(std::string_view title) {
  constexpr auto kWomen =
      std::to_array<std::string_view>({"mrs", "ms", "miss", "dame", "lady", "frau", "mme", "mlle", "madame", "sra",
                                       "srta", "señora", "signora", "doña", "dra"});
  constexpr auto kMen =
      std::to_array<std::string_view>({"mr", "sir", "lord", "herr", "monsieur", "sr", "señor", "signor"});
  const std::string small = lower(title);
  if (std::ranges::find(kWomen, small) != kWomen.end()) return Gender::kFemale;
  return std::ranges::find(kMen, small) != kMen.end() ? Gender::kMale : Gender::kUnknown;
}

const std::vector<std::string>& first_names_of(Gender gender) {
  return kinds().first_names[static_cast<std::size_t>(gender)];
}

const std::vector<PlacesOfCountry>& places_of_countries() { return kinds().rows; }

const PlacesOfCountry* row_of_place(std::string_view place) {
  const auto at = kinds().row_of.find(lower(place));
  return at == kinds().row_of.end() ? nullptr : &kinds().rows[at->second];
}

const PlacesOfCountry* row_of_country(std::string_view country, bool cities) {
  const auto& rows = kinds().row_of_country[cities ? 1U : 0U];
  const auto at = rows.find(lower(country));
  return at == rows.end() ? nullptr : &kinds().rows[at->second];
}

}  // namespace residue::text
