#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/numbers.h"
#include "text/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // text columns are not cut below this
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

struct Grid {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> widths;
};

bool is_number(Type type) { return type != Type::kText; }

// Safe to print on one line: a line break becomes a sign, a tab a space, other controls are spelled out.
std::string one_line(std::string_view words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool crlf = words[i] == '\r' && i + 1 < words.size() && words[i + 1] == '\n';
    if (crlf) continue;
    if (words[i] == '\n') {
      out += "↵";
    } else {
      out += words[i] == '\t' ? ' ' : words[i];
    }
  }
  return text::escape_controls(out, text::Breaks::kEscape);
}

std::string title_of(const Column& column) { return one_line(column.title.empty() ? column.name : column.title); }

Grid measure(const Table& table) {
  Grid grid;
  for (const Column& column : table.columns) {
    grid.titles.push_back(title_of(column));
    grid.widths.push_back(text::display_width(grid.titles.back()));
  }
  for (const auto& row : table.rows) {
    auto& line = grid.rows.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      line.push_back(shown(row[i], table.columns[i].type));
      grid.widths[i] = std::max(grid.widths[i], text::display_width(line.back()));
    }
  }
  return grid;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  std::size_t total = widths.empty() ? 0 : kGap * (widths.size() - 1);
  for (std::size_t width : widths) total += width;
  return total;
}

// Cuts the widest text columns to one common width, the largest with which the line fits; what then remains of the line
// goes to the leftmost of them.
void shrink(const Table& table, std::size_t width, std::vector<std::size_t>& widths) {
  const auto capped = [&](std::size_t cap) {
    std::vector<std::size_t> result = widths;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!is_number(table.columns[i].type)) result[i] = std::min(result[i], cap);
    }
    return result;
  };
  if (total_width(widths) <= width) return;
  std::size_t fits = kNarrowest;
  std::size_t too_wide = std::max(width, kNarrowest) + 1;
  while (too_wide - fits > 1) {
    const std::size_t middle = fits + (too_wide - fits) / 2;
    (total_width(capped(middle)) <= width ? fits : too_wide) = middle;
  }
  std::vector<std::size_t> result = capped(fits);
  for (std::size_t i = 0; i < result.size() && total_width(result) < width; ++i) {
    if (result[i] < widths[i]) ++result[i];
  }
  widths = result;
}

// Columns of each block: all in one where they fit, else as many as fit beside the first.
std::vector<std::vector<std::size_t>> blocks(const std::vector<std::size_t>& widths, std::size_t width) {
  std::vector<std::vector<std::size_t>> result(1);
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool crowded = width != 0 && result.back().size() > 1 && used + kGap + widths[i] > width;
    if (crowded) {
      result.push_back({0});
      used = widths[0];
    }
    used += (result.back().empty() ? 0 : kGap) + widths[i];
    result.back().push_back(i);
  }
  return result;
}

std::string fitted(const std::string& cell, std::size_t width, bool right) {
  const std::string cut = text::display_width(cell) > width ? text::cut_to_width(cell, width) : cell;
  const std::string pad(width - std::min(width, text::display_width(cut)), ' ');
  return right ? pad + cut : cut + pad;
}

void append_line(std::string& out, const std::vector<std::string>& cells, const std::vector<std::size_t>& block,
                 const Table& table, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i : block) {
    if (!line.empty() || i != block.front()) line.append(kGap, ' ');
    line += fitted(cells[i], widths[i], is_number(table.columns[i].type));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
}

}  // namespace

std::string shown(const Cell& cell, Type type) {
  if (const auto* words = std::get_if<std::string>(&cell)) return one_line(*words);
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    return type == Type::kBytes ? bytes_text(static_cast<std::uint64_t>(std::max<std::int64_t>(*whole, 0)))
                                : fmt::format("{}", *whole);
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    return type == Type::kPercent ? percent_text(*real) : real_text(*real);
  }
  return "-";
}

std::string render_table(const Table& table, const Look& look) {
  if (table.columns.empty()) return {};
  Grid grid = measure(table);
  if (look.width != 0) shrink(table, look.width, grid.widths);
  std::string out;
  for (const auto& block : blocks(grid.widths, look.width)) {
    if (!out.empty()) out += '\n';
    if (look.color) out += kBold;
    append_line(out, grid.titles, block, table, grid.widths);
    if (look.color) out += kPlain;
    out += '\n';
    for (std::size_t i : block) {
      if (i != block.front()) out.append(kGap, ' ');
      for (std::size_t n = 0; n < grid.widths[i]; ++n) out += "─";
    }
    out += '\n';
    for (const auto& row : grid.rows) {
      append_line(out, row, block, table, grid.widths);
      out += '\n';
    }
  }
  return out;
}

std::string render_fields(const Table& table, const Look& look) {
  std::size_t left = 0;
  for (const Column& column : table.columns) left = std::max(left, text::display_width(title_of(column)));
  std::string out;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string value = shown(row[i], table.columns[i].type);
      const std::size_t room = look.width > left + kGap + kNarrowest ? look.width - left - kGap : 0;
      out += fitted(title_of(table.columns[i]), left + kGap, false);
      out += room != 0 && text::display_width(value) > room ? text::cut_to_width(value, room) : value;
      out += '\n';
    }
  }
  return out;
}

}  // namespace residue::cli
