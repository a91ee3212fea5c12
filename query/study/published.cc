#include "query/study/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/embedded.h"
#include "base/json.h"

namespace residue::query {

RESIDUE_EMBEDDED(published)

namespace {

struct Published {
  std::vector<PublishedRow> rows;
  std::map<std::string, std::vector<std::string>> names;  // printed -> how else it is called
  std::map<std::string, std::string> titles;
};

PublishedFigure figure_of(const Json& json) {
  if (json.is_number()) return {json.get<double>(), std::nullopt};
  return {json.at(0).get<double>(), json.at(1).get<double>()};
}

Published read() {
  const Json json = Json::parse(embedded_published()).value();
  Published all;
  for (const auto& [name, others] : json.at("names").items()) all.names[name] = others.get<std::vector<std::string>>();
  for (const auto& [paper, about] : json.at("papers").items()) all.titles[paper] = about.at("title").string();
  for (const Json& table : json.at("tables")) {
    const std::string& paper = table.at("paper").string();
    for (const auto& [name, values] : table.at("rows").items()) {
      PublishedRow row{table.at("table").string(),
                       paper,
                       json.at("papers").at(paper).at("version").string(),
                       table.at("source").string(),
                       table.at("dataset").string(),
                       name,
                       {}};
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].is_null()) row.figures[table.at("columns").at(i).string()] = figure_of(values[i]);
      }
      all.rows.push_back(std::move(row));
    }
  }
  return all;
}

const Published& published() {
  static const Published all = read();
  return all;
}

// Lower case, with one hyphen for each stretch of signs.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || byte >= 0x80) {
      out += c;
    } else if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

bool means(const std::string& name, const std::string& printed) {
  const std::string ours = plain(name);
  if (ours.empty()) return false;
  if (ours == plain(printed)) return true;
  const auto others = published().names.find(printed);
  return others != published().names.end() &&
         std::any_of(others->second.begin(), others->second.end(), [&](const auto& one) { return plain(one) == ours; });
}

}  // namespace

std::string PublishedRow::text() const {
  return fmt::format("{} ({}), {}{}{}: {}", paper, version, source, dataset.empty() ? "" : ", ", dataset, name);
}

std::span<const PublishedRow> published_rows() { return published().rows; }

const std::map<std::string, std::string>& published_titles() { return published().titles; }

std::vector<const PublishedRow*> find_published(std::string_view table, std::string_view dataset,
                                                std::span<const std::string> names) {
  const std::string ours = plain(dataset);
  const auto of_dataset = [&](const PublishedRow& row) {
    return !row.dataset.empty() && ours.find(plain(row.dataset)) != std::string::npos;
  };
  const bool named = std::any_of(published().rows.begin(), published().rows.end(),
                                 [&](const auto& row) { return row.table == table && of_dataset(row); });
  std::vector<const PublishedRow*> found;
  for (const PublishedRow& row : published().rows) {
    if (row.table != table || (named && !of_dataset(row))) continue;
    const bool meant = std::any_of(names.begin(), names.end(), [&](const auto& name) { return means(name, row.name); });
    if (meant) found.push_back(&row);
  }
  return found;
}

}  // namespace residue::query
