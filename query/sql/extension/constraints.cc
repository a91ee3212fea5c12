#include "query/sql/extension/constraints.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace residue::query {
namespace {

constexpr int kMostBits = 31;  // of idxNum
constexpr double kRows = 1'000'000;
constexpr double kSetUp = 100;  // a statement begins anew

// The operator as text; with ? where it takes a value.
std::optional<std::string_view> operator_of(unsigned char op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return "= ?";
    case SQLITE_INDEX_CONSTRAINT_IS:
      return "IS ?";
    case SQLITE_INDEX_CONSTRAINT_GT:
      return "> ?";
    case SQLITE_INDEX_CONSTRAINT_GE:
      return ">= ?";
    case SQLITE_INDEX_CONSTRAINT_LT:
      return "< ?";
    case SQLITE_INDEX_CONSTRAINT_LE:
      return "<= ?";
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
      return "IS NULL";
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL:
      return "IS NOT NULL";
    default:  // LIKE and the like: the host may have its own.
      return std::nullopt;
  }
}

// How many times fewer rows there are for it.
double selectivity(std::string_view column, std::string_view op) {
  if (!op.starts_with("=") && !op.starts_with("IS ?")) return 3;
  return column == "record" || column.ends_with("_text") ? 2000 : 10;
}

bool is_text(const StoredColumn& column) { return column.type == "TEXT"; }

// Nothing: the comparison is not the same on both sides.
sqlite3_value* as_stored(const StoredColumn& column, sqlite3_value* value) {
  const int type = is_text(column) ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
  if (type == SQLITE_NULL) return value;
  return (type == SQLITE_TEXT) == is_text(column) && type != SQLITE_BLOB ? value : nullptr;
}

std::vector<std::string_view> split(std::string_view terms) {
  static constexpr std::string_view kAnd = " AND ";
  std::vector<std::string_view> parts;
  while (!terms.empty()) {
    const std::size_t end = std::min(terms.find(kAnd), terms.size());
    parts.push_back(terms.substr(0, end));
    terms.remove_prefix(std::min(end + kAnd.size(), terms.size()));
  }
  return parts;
}

}  // namespace

bool reads(int used, std::size_t column) { return column >= kMostBits - 1 || (used & (1 << column)) != 0; }

int choose(std::span<const StoredColumn> columns, sqlite3_index_info& info) {
  std::string terms;
  double rows = kRows;
  int values = 0;
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    const auto op = operator_of(constraint.op);
    if (constraint.usable == 0 || !op || constraint.iColumn < 0) continue;
    const StoredColumn& column = columns[static_cast<std::size_t>(constraint.iColumn)];
    if (column.type.empty()) continue;
    const char* collation = sqlite3_vtab_collation(&info, i);
    if (is_text(column) && (collation == nullptr || std::strcmp(collation, "BINARY") != 0)) continue;
    if (op->ends_with('?')) info.aConstraintUsage[i].argvIndex = ++values;
    terms += fmt::format("{}{} {}", terms.empty() ? "" : " AND ", column.name, *op);
    rows = std::max(1.0, rows / selectivity(column.name, *op));
  }
  info.idxNum = static_cast<int>(info.colUsed & ((1U << kMostBits) - 1));
  info.estimatedRows = static_cast<sqlite3_int64>(rows);
  info.estimatedCost = rows + kSetUp;
  if (terms.empty()) return SQLITE_OK;
  info.idxStr = sqlite3_mprintf("%s", terms.c_str());
  info.needToFreeIdxStr = 1;
  return info.idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

Chosen statement_of(const std::string& view, std::span<const StoredColumn> columns, int used, std::string_view terms,
                    std::span<sqlite3_value*> values) {
  std::string list, where;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool wanted = !terms.empty() || reads(used, i);
    list += fmt::format("{}{}", i == 0 ? "" : ", ", wanted ? fmt::format("\"{}\"", columns[i].name) : "NULL");
  }
  Chosen chosen;
  std::size_t next = 0;
  for (const std::string_view term : split(terms)) {
    const std::size_t space = term.find(' ');
    const std::string_view name = term.substr(0, space);
    std::string op(term.substr(space + 1));
    if (op.ends_with('?')) {
      const auto column = std::ranges::find(columns, name, &StoredColumn::name);
      if (next >= values.size() || column == columns.end()) break;
      sqlite3_value* const value = as_stored(*column, values[next++]);
      if (value == nullptr) continue;  // the host looks itself
      chosen.values.push_back(value);
      op += std::to_string(chosen.values.size());
    }
    where += fmt::format("{}\"{}\" {}", where.empty() ? " WHERE " : " AND ", name, op);
  }
  chosen.sql = fmt::format("SELECT {} FROM temp.\"{}\"{}", list, view, where);
  return chosen;
}

}  // namespace residue::query
