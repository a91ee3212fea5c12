#include "cli/print/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "cli/print/numbers.h"
#include "cli/print/terminal.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // text columns are not cut below this

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

// Cuts the widest of `columns` to one common width, the largest with which the line fits; what then remains of the line
// goes to the leftmost of them.
void shrink(const std::vector<std::size_t>& columns, std::size_t width, std::vector<std::size_t>& widths) {
  const auto capped = [&](std::size_t cap) {
    std::vector<std::size_t> result = widths;
    for (const std::size_t i : columns) result[i] = std::min(result[i], cap);
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

// `cell` without its middle: names of attackers begin and end alike.
std::string without_middle(const std::string& cell, std::size_t width) {
  const std::size_t tail = width < 3 ? 0 : (width - 1) / 2;
  std::size_t begin = cell.size();
  while (begin > 0) {
    const std::size_t next = text::before(cell, begin);
    if (text::display_width(std::string_view(cell).substr(next)) > tail) break;
    begin = next;
  }
  return text::cut_to_width(cell, width - tail) + cell.substr(begin);
}

std::string cut(const std::string& cell, std::size_t width, bool key) {
  if (text::display_width(cell) <= width) return cell;
  return key ? without_middle(cell, width) : text::cut_to_width(cell, width);
}

bool tells_apart(const Grid& grid, const std::vector<std::size_t>& keys, const std::vector<std::size_t>& widths) {
  std::set<std::vector<std::string>> whole;
  std::set<std::vector<std::string>> shortened;
  for (const auto& row : grid.rows) {
    std::vector<std::string> names;
    std::vector<std::string> cuts;
    for (const std::size_t i : keys) {
      names.push_back(row[i]);
      cuts.push_back(cut(row[i], widths[i], true));
    }
    whole.insert(std::move(names));
    shortened.insert(std::move(cuts));
  }
  return whole.size() == shortened.size();
}

std::vector<std::size_t> keys_of(const Table& table) {
  std::vector<std::size_t> keys;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].key) keys.push_back(i);
  }
  return keys;
}

std::size_t width_of(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) {
  std::vector<std::size_t> theirs;
  for (const std::size_t i : columns) theirs.push_back(widths[i]);
  return total_width(theirs);
}

void fit(const Table& table, std::size_t width, Grid& grid) {
  const std::vector<std::size_t> keys = keys_of(table);
  std::vector<std::size_t> texts;
  std::size_t widest = 0;  // beside the keys, however narrow texts are made
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].key) continue;
    const bool number = is_number(table.columns[i].type);
    if (!number) texts.push_back(i);
    widest = std::max(widest, number ? grid.widths[i] : std::min(grid.widths[i], kNarrowest));
  }
  if (keys.empty()) {
    shrink(texts, width, grid.widths);
    return;
  }
  const std::size_t beside = kGap + widest;
  if (width_of(keys, grid.widths) + beside > width) {
    std::vector<std::size_t> names;
    for (const std::size_t i : keys) names.push_back(grid.widths[i]);
    std::vector<std::size_t> all(keys.size());
    std::iota(all.begin(), all.end(), 0);
    shrink(all, width > beside ? width - beside : 0, names);
    std::vector<std::size_t> widths = grid.widths;
    for (std::size_t i = 0; i < keys.size(); ++i) widths[keys[i]] = names[i];
    if (tells_apart(grid, keys, widths)) grid.widths = std::move(widths);
  }
  std::vector<std::size_t> widths = grid.widths;
  shrink(texts, width, widths);
  if (total_width(widths) <= width) {
    grid.widths = std::move(widths);
    return;
  }
  const std::size_t used = width_of(keys, grid.widths) + kGap;
  const std::size_t room = std::max(width > used ? width - used : 0, kNarrowest);
  for (const std::size_t i : texts) grid.widths[i] = std::min(grid.widths[i], room);
}

// Columns of each block: all in one where they fit, else as many as fit beside the keys.
class Blocks {
 public:
  Blocks(const Table& table, const std::vector<std::size_t>& widths, std::size_t width)
      : columns_(table.columns), widths_(widths), width_(width), keys_(keys_of(table)) {
    if (keys_.empty()) keys_.push_back(0);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (std::find(keys_.begin(), keys_.end(), i) == keys_.end()) others.push_back(i);
    }
    blocks_.push_back(keys_);
    place(others, 0);
    for (auto& block : blocks_) std::sort(block.begin(), block.end());
  }

  std::vector<std::vector<std::size_t>> take() { return std::move(blocks_); }

 private:
  // Whole where there is room, in a further block if need be; else in the pieces that are tied more than `tie`.
  void place(std::span<const std::size_t> some, int tie) {
    if (!fits(blocks_.back(), some)) {
      if (some.size() > 1 && !fits(keys_, some)) {
        while (!some.empty()) {
          std::size_t end = 1;
          while (end < some.size() && columns_[some[end]].tied > tie) ++end;
          place(some.first(end), tie + 1);
          some = some.subspan(end);
        }
        return;
      }
      if (blocks_.back().size() > keys_.size()) blocks_.push_back(keys_);
    }
    blocks_.back().insert(blocks_.back().end(), some.begin(), some.end());
  }

  [[nodiscard]] bool fits(std::vector<std::size_t> block, std::span<const std::size_t> some) const {
    block.insert(block.end(), some.begin(), some.end());
    return width_ == 0 || width_of(block, widths_) <= width_;
  }

  const std::vector<Column>& columns_;
  const std::vector<std::size_t>& widths_;
  const std::size_t width_;
  std::vector<std::size_t> keys_;
  std::vector<std::vector<std::size_t>> blocks_;
};

std::string fitted(const std::string& cell, std::size_t width, bool right, bool key = false) {
  const std::string visible = cut(cell, width, key);
  const std::string pad(width - std::min(width, text::display_width(visible)), ' ');
  return right ? pad + visible : visible + pad;
}

void append_line(std::string& out, const std::vector<std::string>& cells, const std::vector<std::size_t>& block,
                 const Table& table, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i : block) {
    if (!line.empty() || i != block.front()) line.append(kGap, ' ');
    line += fitted(cells[i], widths[i], is_number(table.columns[i].type), table.columns[i].key);
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
  if (look.width != 0) fit(table, look.width, grid);
  std::string out;
  for (const auto& block : Blocks(table, grid.widths, look.width).take()) {
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
