// A Table as a file for other programs: full values, same column order, no colour.
#pragma once

#include <string>
#include <string_view>

#include "cli/print/globals.h"
#include "cli/print/table.h"

namespace residue::cli {

// RFC 4180 with "\n" ends: quoted where a cell holds the separator, a quote, line break or outer space; null is the
// empty cell. With `spreadsheet`, a text that a spreadsheet would run as a formula (= + - @ TAB CR first) gets a
// leading apostrophe.
std::string to_csv(const Table& table, bool spreadsheet = false, char separator = ',');

// Tab, line break, carriage return and backslash are written \t \n \r \\.
std::string to_tsv(const Table& table);

// An array of objects, one a line; reals in the shortest form that reads back the same.
std::string to_json(const Table& table);

// One object a line.
std::string to_jsonl(const Table& table);

// GitHub's tables; numbers as in render_table.
std::string to_markdown(const Table& table);

// A tabular for booktabs (\usepackage{booktabs}); numbers as in render_table.
std::string to_latex(const Table& table);
inline constexpr std::string_view kLatexEnd = "\\bottomrule\n\\end{tabular}\n";

// In the chosen format; empty for the table form, which table.h lays out.
std::string in_format(const Table& table, const Globals& globals);

// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace residue::cli
