// Files that hold pages, and what is wrong with the numbers in them: shared by the commands about pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "page/verify/page_rows.h"
#include "query/export/new_file.h"

namespace residue::cli {

// Fills the new file and gives it its name, `name`. Throws Error{io} and as NewFile::finish().
void finish_with(query::NewFile& file, const std::string& name, std::string_view bytes);

// The whole file. Throws Error{not found}, Error{io}, and Error{bad input} with `remedy` for what is no file, or larger
// than 256 MiB.
std::string read_page(const std::string& name, const std::string& remedy);

// A line for each difference, the first twenty; `other`: what the numbers are held against, "the store has".
std::string lines_of(const std::vector<page::RowDifference>& differences, std::string_view other);

// [{run, metric, field, page, OTHER}]
Json differences_json(const std::vector<page::RowDifference>& differences, std::string_view other);

}  // namespace residue::cli
