// Pieces that several parts of the page are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "page/html/html.h"

namespace residue::page {

// <section id="..."><h2>...</h2>; close("section") ends it.
void open_section(Html& html, std::string_view id, std::string_view title);

// A table up to its first row; `numbers`: the columns behind the first so many are numbers.
void open_table(Html& html, std::string_view caption, const std::vector<std::string>& columns, std::size_t words);
void close_table(Html& html);

// An empty place that a script draws into: a browser without it shows the table below alone.
void chart_place(Html& html, std::string_view id, std::string_view label);

}  // namespace residue::page
