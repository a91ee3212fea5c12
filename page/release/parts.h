// Pieces that several parts of the page are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "page/html/html.h"
#include "query/report/report.h"
#include "query/report/show.h"

namespace residue::page {

// Of a run whose evaluation has something to do; kOldMark stands behind its name. elsewhere.js knows the mark.
inline constexpr std::string_view kOld = "changed since it was evaluated, or its evaluation was interrupted";
inline constexpr std::string_view kOldMark = " (old)";

// <section id="..."><h2>...</h2>; close("section") ends it.
void open_section(Html& html, std::string_view id, std::string_view title);

// A table up to its first row; `words`: the columns behind the first so many are numbers. The keyboard can scroll it.
void open_table(Html& html, std::string_view caption, const std::vector<std::string>& columns, std::size_t words);
void close_table(Html& html);

// A table of names and words.
void open_facts(Html& html, std::string_view caption);
void fact(Html& html, std::string_view name, std::string_view words);
void close_facts(Html& html);

// How a report's attacker is called: his protocol, and of how many records he was evaluated.
std::string attacker_words(const query::Report& report);

// What was set, by name, in words of one line; of `sanitize` without what the program notes for itself.
Json shown_params(const query::RunCard& card);

// Where only a sample of the records was attacked, a paragraph that says so.
void sample_note(Html& html, const query::Report& report);

// An empty place that a script draws into: a browser without it shows the table below alone.
void chart_place(Html& html, std::string_view id, std::string_view label);

}  // namespace residue::page
