#include "page/release/parts.h"

#include <fmt/format.h>

#include "text/characters/unicode.h"

namespace residue::page {

void open_section(Html& html, std::string_view id, std::string_view title) {
  html.open("section", {{"id", id}});
  html.element("h2", title);
}

void open_table(Html& html, std::string_view caption, const std::vector<std::string>& columns, std::size_t words) {
  html.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", caption}});
  html.open("table");
  html.element("caption", caption);
  html.open("thead");
  html.open("tr");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    html.element("th", columns[i], {{"scope", "col"}, {"class", i < words ? "words" : "number"}});
  }
  html.close("tr");
  html.close("thead");
  html.open("tbody");
}

void close_table(Html& html) {
  html.close("tbody");
  html.close("table");
  html.close("div");
}

void open_facts(Html& html, std::string_view caption) {
  html.open("table", {{"class", "facts"}});
  html.element("caption", caption);
  html.open("tbody");
}

void fact(Html& html, std::string_view name, std::string_view words) {
  html.open("tr");
  html.element("th", name, {{"scope", "row"}});
  html.element("td", words);
  html.close("tr");
}

void close_facts(Html& html) {
  html.close("tbody");
  html.close("table");
}

std::string attacker_words(const query::Report& report) {
  return report.protocol + (report.sample != 0 ? fmt::format(", sample of {}", report.sample) : "");
}

Json shown_params(const query::RunCard& card) {
  const Json all = Json::parse(card.params).value_or(Json::object());
  const Json* const of_sanitize = all.find("params");
  const bool nested = all.contains("method") && of_sanitize != nullptr && of_sanitize->is_object();
  Json shown = Json::object();
  const Json& set = nested ? *of_sanitize : all;
  if (!set.is_object()) return shown;
  for (const auto& [name, value] : set.items()) {
    if (value == "") continue;
    shown[name] =
        text::escape_controls(value.is_string() ? value.get<std::string>() : value.dump(), text::Breaks::kEscape);
  }
  return shown;
}

void sample_note(Html& html, const query::Report& report) {
  if (report.sample == 0) return;
  html.element("p",
               fmt::format("SAMPLE: these numbers are of {} attacked records, and say nothing certain of the others. "
                           "Every text of the release could be found.",
                           report.sample),
               {{"class", "warning"}});
}

void chart_place(Html& html, std::string_view id, std::string_view label) {
  html.open("figure", {{"id", id}, {"class", "chart"}, {"aria-label", label}});
  html.close("figure");
}

}  // namespace residue::page
