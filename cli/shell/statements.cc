#include "cli/shell/statements.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/table_stream.h"
#include "query/sql/advice/sql_words.h"
#include "verbs/sql.h"

namespace residue::cli {
namespace {

constexpr std::size_t kNarrowest = 20, kIndent = 2, kWidest = 100;

Cell cell_of(query::SqlValue value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* blob = std::get_if<query::SqlBlob>(&value)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex = "x'";
    hex.reserve(2 * blob->bytes.size() + 3);
    for (const char byte : blob->bytes) {
      const auto bits = static_cast<unsigned char>(byte);
      hex += kDigits[bits >> 4U];
      hex += kDigits[bits & 15U];
    }
    hex += '\'';
    return hex;
  }
  return {};
}

// The line of the statement and a caret under the place, each a message of its own: neither is broken.
void show_place(const Context& context, std::string_view script, std::size_t place) {
  const std::size_t width = std::clamp(terminal_width(STDERR_FILENO), kNarrowest + 2 * kIndent, kWidest);
  const std::string shown = query::shown_place(script, place, width - 2 * kIndent);
  const std::size_t end = shown.find('\n');
  context.out.note(std::string(kIndent, ' ') + shown.substr(0, end));
  context.out.note(std::string(kIndent, ' ') + shown.substr(end + 1, shown.size() - end - 2));
}

}  // namespace

void run_script(Context& context, query::SqlOptions options, std::string_view script) {
  context.out.take_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(options.timeout_ms));
  bool first = true;
  std::optional<TableStream> rows;
  std::string advice;
  verbs::SqlSinks sinks;
  sinks.columns = [&](const std::vector<std::string>& names) {
    if (!first) context.out.write("\n");
    first = false;
    std::vector<Column> columns;
    for (const std::string& name : names) columns.push_back({name, Type::kText, ""});
    rows.emplace(context.out, context.globals, std::move(columns));
  };
  sinks.row = [&](std::vector<query::SqlValue> values) {
    std::vector<Cell> cells;
    for (auto& value : values) cells.push_back(cell_of(std::move(value)));
    rows->row(std::move(cells));
  };
  sinks.advice = [&](const std::string& line) { advice = line; };
  sinks.end = [&](const query::SqlEnd& end) {
    if (rows) rows->finish();
    rows.reset();
    if (end.more) {
      context.out.note(fmt::format("{} {} shown, more exist: --limit N shows more", grouped(options.most_rows),
                                   options.most_rows == 1 ? "row" : "rows"));
    }
    if (!advice.empty()) context.out.note("slow: " + advice);
    advice.clear();
  };
  std::optional<std::pair<std::string_view, std::size_t>> place;
  sinks.place = [&](std::string_view statement, std::size_t byte) { place = {statement, byte}; };
  try {
    verbs::sql(options, script, sinks);
  } catch (const Error&) {
    if (place) show_place(context, place->first, place->second);
    throw;
  }
}

}  // namespace residue::cli
