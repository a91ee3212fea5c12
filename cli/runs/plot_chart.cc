#include "cli/runs/plot_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/print/numbers.h"

namespace residue::cli {
namespace {

using verbs::Coordinate;
using verbs::PlotPoint;
using Of = verbs::RunField::Of;

constexpr std::size_t kRows = 17;
constexpr std::size_t kNarrowest = 30, kWidest = 110, kWidth = 80;
constexpr std::string_view kMarks = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr double kDayMs = 86'400'000;

char mark_of(std::size_t point) { return point < kMarks.size() ? kMarks[point] : '*'; }

// The lines of a chart: what they are made of in Unicode and in ASCII.
struct Pen {
  const char *up, *right, *corner, *tick, *below, *bar, *flat, *top, *bottom, *left_end, *right_end, *dash;
};
constexpr Pen kUnicode = {"│", "─", "└", "┤", "┴", "╎", "╌", "┬", "┴", "├", "┤", "┄"};
constexpr Pen kAscii = {"|", "-", "+", "+", "+", ":", "~", "-", "-", "|", "|", "."};

// One axis: from which number to which, and where a number stands on it.
struct Axis {
  double low = 0, high = 1;
  bool time = false;

  void take(const Coordinate& at, bool& any) {
    for (const auto& end : {at.value, at.low, at.high}) {
      if (!end) continue;
      low = any ? std::min(low, *end) : *end;
      high = any ? std::max(high, *end) : *end;
      any = true;
    }
  }

  // Room at both ends, so that no mark stands on the frame.
  void widen() {
    const double length = high - low;
    const double more = length > 0 ? length * 0.04 : std::max(std::abs(low) * 0.1, time ? kDayMs / 2 : 0.05);
    low -= more;
    high += more;
  }

  [[nodiscard]] std::size_t cell(double value, std::size_t cells) const {
    const double share = (value - low) / (high - low);
    return static_cast<std::size_t>(
        std::clamp(std::lround(share * static_cast<double>(cells - 1)), 0L, static_cast<long>(cells) - 1));
  }

  // Round numbers within, about `wanted` of them.
  [[nodiscard]] std::vector<double> ticks(std::size_t wanted) const {
    const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(wanted, 1));
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = rough / power < 1.5   ? power
                        : rough / power < 3.5 ? 2 * power
                        : rough / power < 7.5 ? 5 * power
                                              : 10 * power;
    std::vector<double> all;
    for (double at = std::ceil(low / step) * step; at <= high; at += step)
      all.push_back(std::abs(at) < step / 2 ? 0 : at);
    return all;
  }

  [[nodiscard]] std::string label(double value) const {
    if (!time) return fmt::format("{:.4g}", value);
    const std::string whole = utc(static_cast<std::int64_t>(value));  // 2026-11-28T16:20:05Z
    if (high - low > 3 * kDayMs) return whole.substr(0, 10);
    return high - low > kDayMs / 24 ? whole.substr(5, 5) + " " + whole.substr(11, 5) : whole.substr(11, 8);
  }
};

// Cells of one column each.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height) : width_(width), cells_(height, std::vector<std::string>(width)) {}

  void line(std::size_t x, std::size_t y, const char* sign) {
    if (cells_[y][x].empty()) cells_[y][x] = sign;
  }

  // Marks go over lines.
  void mark(std::size_t x, std::size_t y, char sign) {
    std::string& cell = cells_[y][x];
    const bool marked =
        cell.size() == 1 && (kMarks.find(cell[0]) != std::string_view::npos || cell[0] == '*' || cell[0] == '#');
    cell = marked ? '#' : sign;
    crowded_ = crowded_ || marked;
  }

  [[nodiscard]] bool crowded() const { return crowded_; }

  [[nodiscard]] std::string row(std::size_t y) const {
    std::string text;
    std::size_t end = width_;
    while (end > 0 && cells_[y][end - 1].empty()) --end;
    for (std::size_t x = 0; x < end; ++x) text += cells_[y][x].empty() ? " " : cells_[y][x];
    return text;
  }

 private:
  std::size_t width_;
  std::vector<std::vector<std::string>> cells_;
  bool crowded_ = false;
};

void draw_interval(Canvas& canvas, const Coordinate& at, std::size_t other, const Axis& axis, std::size_t cells,
                   bool upright, const Pen& pen) {
  if (!at.low || !at.high) return;
  const std::size_t low = axis.cell(*at.low, cells), high = axis.cell(*at.high, cells);
  if (low == high) return;
  for (std::size_t i = low; i <= high; ++i) {
    const bool first = i == low, last = i == high;
    if (upright) {
      canvas.line(other, cells - 1 - i, first ? pen.bottom : last ? pen.top : pen.bar);
    } else {
      canvas.line(i, other, first ? pen.left_end : last ? pen.right_end : pen.flat);
    }
  }
}

std::string x_labels(const Axis& axis, std::size_t width, std::size_t margin, std::string& rule, const Pen& pen) {
  std::string labels(margin, ' ');
  std::vector<std::string> signs(width, pen.right);
  std::size_t free = 0;  // the first column of the labels that may be written to
  std::vector<double> ticks = axis.ticks(width / 14);
  if (axis.time)
    ticks = {axis.low + (axis.high - axis.low) * 0.04, (axis.low + axis.high) / 2,
             axis.high - (axis.high - axis.low) * 0.04};
  for (const double tick : ticks) {
    const std::string label = axis.label(tick);
    const std::size_t at = axis.cell(tick, width);
    signs[at] = pen.below;
    std::size_t begin = at > label.size() / 2 ? at - label.size() / 2 : 0;
    begin = std::min(begin, width > label.size() ? width - label.size() : 0);
    if (begin < free) continue;
    labels.resize(margin + begin, ' ');
    labels += label;
    free = begin + label.size() + 1;
  }
  for (const std::string& sign : signs) rule += sign;
  return labels;
}

Cell number_cell(const std::optional<double>& value, bool time) {
  if (!value) return {};
  return time ? Cell(utc(static_cast<std::int64_t>(*value))) : Cell(*value);
}

Json json_of(const Coordinate& at, bool time) {
  if (!at.value) return nullptr;
  if (time) return {{"value", utc(static_cast<std::int64_t>(*at.value))}};
  return {{"value", at.value}, {"low", at.low}, {"high", at.high}};
}

}  // namespace

bool takes_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    for (char& c : locale) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

std::string plot_chart(const verbs::Plot& plot, std::size_t width, bool unicode) {
  const Pen& pen = unicode ? kUnicode : kAscii;
  Axis x, y;
  x.time = plot.x.of == Of::kMade;
  y.time = plot.y.of == Of::kMade;
  bool any_x = false, any_y = false;
  for (const PlotPoint& point : plot.points) {
    x.take(point.x, any_x);
    y.take(point.y, any_y);
  }
  if (!any_y) return "no run has both values: nothing to draw\n";
  x.widen();
  y.widen();
  const std::vector<double> y_ticks = y.ticks(kRows / 4);
  std::size_t margin = 0;
  for (const double tick : y_ticks) margin = std::max(margin, y.label(tick).size());
  margin += 2;  // a blank and the axis
  const std::size_t columns = std::clamp(width == 0 ? kWidth : width, kNarrowest, kWidest) - margin;
  Canvas canvas(columns, kRows);
  for (const PlotPoint& point : plot.points) {
    const std::size_t row = kRows - 1 - y.cell(*point.y.value, kRows);
    if (!point.x.value) {
      for (std::size_t i = 0; i < columns; i += 2) canvas.line(i, row, pen.dash);
      continue;
    }
    const std::size_t column = x.cell(*point.x.value, columns);
    draw_interval(canvas, point.y, column, y, kRows, true, pen);
    draw_interval(canvas, point.x, row, x, columns, false, pen);
  }
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    const PlotPoint& point = plot.points[i];
    const std::size_t column = point.x.value ? x.cell(*point.x.value, columns) : columns - 1;
    canvas.mark(column, kRows - 1 - y.cell(*point.y.value, kRows), mark_of(i));
  }
  std::string out = fmt::format("{}\n", plot.y.name);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::string label;
    for (const double tick : y_ticks) {
      if (kRows - 1 - y.cell(tick, kRows) == row) label = y.label(tick);
    }
    out += fmt::format("{:>{}} {}{}\n", label, margin - 2, label.empty() ? pen.up : pen.tick, canvas.row(row));
  }
  std::string rule;
  const std::string labels = x_labels(x, columns, margin, rule, pen);
  out += fmt::format("{}{}{}\n{}\n{:>{}}\n", std::string(margin - 1, ' '), pen.corner, rule, labels, plot.x.name,
                     margin + columns);
  if (canvas.crowded()) out += "#: several runs\n";
  return out;
}

Table plot_table(const verbs::Plot& plot) {
  const bool x_time = plot.x.of == Of::kMade, y_time = plot.y.of == Of::kMade;
  Table table;
  table.columns = {{"mark", Type::kText, ""}, {"run", Type::kText, "", true}};
  const auto add_columns = [&](const verbs::RunField& field, bool time) {
    table.columns.push_back({field.name, time ? Type::kText : Type::kReal, ""});
    if (!field.of_metric()) return;
    table.columns.push_back({field.name + "_low", Type::kReal, "low", false, 2});
    table.columns.push_back({field.name + "_high", Type::kReal, "high", false, 1});
  };
  add_columns(plot.x, x_time);
  if (plot.y.name != plot.x.name) add_columns(plot.y, y_time);
  table.columns.push_back({"remark", Type::kText, ""});
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    const PlotPoint& point = plot.points[i];
    std::vector<Cell> row{Cell(std::string(1, mark_of(i))), Cell(point.run)};
    const auto add = [&](const verbs::RunField& field, const Coordinate& at, bool time) {
      row.push_back(number_cell(at.value, time));
      if (!field.of_metric()) return;
      row.push_back(number_cell(at.low, false));
      row.push_back(number_cell(at.high, false));
    };
    add(plot.x, point.x, x_time);
    if (plot.y.name != plot.x.name) add(plot.y, point.y, y_time);
    std::string remark = point.control ? "control" : "";
    if (point.stale) remark += remark.empty() ? "stale" : ", stale";
    row.push_back(remark.empty() ? Cell() : Cell(remark));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json plot_json(const verbs::Plot& plot) {
  Json json = {{"dataset", plot.dataset},
               {"protocol", plot.protocol},
               {"judge", plot.judge},
               {"x", plot.x.name},
               {"y", plot.y.name}};
  json["points"] = Json::array();
  for (const PlotPoint& point : plot.points) {
    json["points"].push_back({{"run", point.run},
                              {"control", point.control},
                              {"stale", point.stale},
                              {"x", json_of(point.x, plot.x.of == Of::kMade)},
                              {"y", json_of(point.y, plot.y.of == Of::kMade)}});
  }
  json["left_out"] = Json::object();
  for (const auto& [run, why] : plot.left_out) json["left_out"][run] = why;
  return json;
}

}  // namespace residue::cli
