#include "cli/print/arrange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

#include "base/error.h"
#include "base/natural.h"
#include "base/nearest.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

std::size_t find_column(const Table& table, const char* flag, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (column.name == name || (!column.title.empty() && column.title == name)) return i;
    names.push_back(column.name);
  }
  throw Error(
      Code::kUsage,
      fmt::format("{}: the table has no column '{}'{}", flag, text::escape_controls(name), did_you_mean(name, names)),
      fmt::format("its columns: {}", fmt::join(names, ", ")));
}

// Numbers in front of texts. A text in a column of numbers is a setting as it was given: 010, 1e-5.
bool less(const Cell& a, const Cell& b, Type type) {
  const auto number = [type](const Cell& cell) -> std::optional<double> {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&cell)) return *real;
    const auto* given = std::get_if<std::string>(&cell);
    if (given == nullptr || type == Type::kText) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), value);
    return error == std::errc() && end == given->data() + given->size() ? std::optional(value) : std::nullopt;
  };
  const auto x = number(a), y = number(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  const auto *first = std::get_if<std::string>(&a), *second = std::get_if<std::string>(&b);
  return first != nullptr && second != nullptr && natural_key(*first) < natural_key(*second);
}

}  // namespace

std::vector<std::size_t> row_order(const Table& table, const Arrangement& how) {
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto lacks = [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell); };
  const auto grouped = [&] {
    if (how.group.empty()) return order;
    const std::size_t column = find_column(table, "--group", how.group);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      const Cell &a = table.rows[x][column], &b = table.rows[y][column];
      return lacks(a) || lacks(b) ? !lacks(a) && lacks(b) : less(a, b, table.columns[column].type);
    });
    return order;
  };
  if (how.sort.empty()) return grouped();
  const bool descending = how.sort.ends_with(":desc");
  const std::string name = how.sort.substr(0, how.sort.size() - (descending ? std::string_view(":desc").size() : 0));
  const std::size_t column = find_column(table, "--sort", name);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Cell& a = table.rows[x][column];
    const Cell& b = table.rows[y][column];
    if (lacks(a) || lacks(b)) return !lacks(a) && lacks(b);
    const Type type = table.columns[column].type;
    return descending ? less(b, a, type) : less(a, b, type);
  });
  return grouped();
}

Table arranged(const Table& table, const Arrangement& how) {
  if (!how.any()) return table;
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), 0);
  if (how.columns.empty() && !how.group.empty()) {
    const std::size_t first = find_column(table, "--group", how.group);
    std::erase(columns, first);
    columns.insert(columns.begin(), first);
  }
  if (!how.columns.empty()) {
    columns.clear();
    if (!how.group.empty() && std::ranges::find(how.columns, how.group) == how.columns.end()) {
      columns.push_back(find_column(table, "--group", how.group));
    }
    for (const std::string& name : how.columns) columns.push_back(find_column(table, "--columns", name));
    if (std::set<std::size_t>(columns.begin(), columns.end()).size() != columns.size()) {
      throw Error(Code::kUsage, "--columns names a column twice", "name each once");
    }
  }
  Table result;
  for (const std::size_t i : columns) {
    result.columns.push_back(table.columns[i]);
    // The column that it was tied to may stand elsewhere now.
    if (!how.columns.empty()) result.columns.back().tied = 0;
  }
  for (const std::size_t row : row_order(table, how)) {
    auto& cells = result.rows.emplace_back();
    for (const std::size_t i : columns) cells.push_back(table.rows[row][i]);
  }
  return result;
}

}  // namespace residue::cli
