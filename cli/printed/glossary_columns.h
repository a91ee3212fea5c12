// What the columns of tables and files mean, for `residue help TERM`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/printed/glossary.h"

namespace residue::cli {

// Columns under a name of their own.
const std::vector<Term>& column_terms();

// A column that has a name for what it is about and a field: "leak_rate_low", "bm25 coverage"; or an arrow behind it.
struct ColumnName {
  std::string of, field;  // field empty: the number itself
};
std::optional<ColumnName> split_column(std::string_view name);

// Columns with a number in their name: "from_0_3", "k=3", "precision_at_30". Nothing for others.
std::optional<std::string> column_words(std::string_view name);

}  // namespace residue::cli
