#include "page/release/parts.h"

namespace residue::page {

void open_section(Html& html, std::string_view id, std::string_view title) {
  html.open("section", {{"id", id}});
  html.element("h2", title);
}

void open_table(Html& html, std::string_view caption, const std::vector<std::string>& columns, std::size_t words) {
  html.open("div", {{"class", "wide"}});
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

void chart_place(Html& html, std::string_view id, std::string_view label) {
  html.open("figure", {{"id", id}, {"class", "chart"}, {"aria-label", label}});
  html.close("figure");
}

}  // namespace residue::page
