#include "model/replies/replacements.h"

#include <fmt/format.h>

#include "base/json.h"
#include "model/replies/answer_words.h"

namespace residue::model {

text::Substitutions substitutions_in(std::string_view json) {
  text::Substitutions table;
  const auto rows = Json::parse(json).value_or(Json());
  if (!rows.is_array()) return table;
  for (const auto& row : rows) {
    if (!row.is_array() || row.size() != 2 || !row[0].is_string() || !row[1].is_string()) continue;
    table.emplace_back(row[0].get<std::string>(), row[1].get<std::string>());
  }
  return table;
}

std::string replacement_lines(const text::Substitutions& table) {
  std::string lines;
  for (const auto& [original, replacement] : table) {
    lines += fmt::format("{}{} -> {}", lines.empty() ? "" : "\n", single_spaced(replacement), single_spaced(original));
  }
  return lines;
}

}  // namespace residue::model
