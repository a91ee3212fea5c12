#include "cli/runs/run_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "query/sql/advice/sql_words.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::string_view kDescending = ":desc";

std::optional<std::size_t> column_of(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name || (!table.columns[i].title.empty() && table.columns[i].title == name)) return i;
  }
  return std::nullopt;
}

std::string text_in(const std::vector<Cell>& row, std::optional<std::size_t> column) {
  if (!column) return {};
  const auto* text = std::get_if<std::string>(&row[*column]);
  return text == nullptr ? std::string() : *text;
}

// Tables for people mark controls and stale runs behind the name.
std::string without_marks(std::string name) {
  for (const std::string_view mark : {" *", " (c)"}) {
    if (name.ends_with(mark)) name.resize(name.size() - mark.size());
  }
  return name;
}

Cell cell_of(const verbs::RunValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* time = std::get_if<verbs::RunTime>(&value)) return utc(time->ms);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return {};
}

bool whole(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  return real != nullptr && std::floor(*real) == *real && std::abs(*real) < 1e15;
}

// A column of whole numbers alone has no decimals.
Type settle(std::vector<Cell>& cells, bool metric) {
  bool text = false, all_whole = true;
  for (const Cell& cell : cells) {
    if (std::holds_alternative<std::monostate>(cell)) continue;
    text = text || std::holds_alternative<std::string>(cell);
    all_whole = all_whole && whole(cell);
  }
  if (text) return Type::kText;
  if (!all_whole || metric) return Type::kReal;
  for (Cell& cell : cells) {
    if (const auto* real = std::get_if<double>(&cell)) cell = static_cast<std::int64_t>(*real);
  }
  return Type::kInteger;
}

std::vector<std::pair<const char*, std::string>> named(const Arrangement& how) {
  std::vector<std::pair<const char*, std::string>> names;
  for (const std::string& column : how.columns) names.emplace_back("--columns", column);
  if (!how.group.empty()) names.emplace_back("--group", how.group);
  if (!how.sort.empty()) {
    const bool descending = how.sort.ends_with(kDescending);
    names.emplace_back("--sort", how.sort.substr(0, how.sort.size() - (descending ? kDescending.size() : 0)));
  }
  return names;
}

[[noreturn]] void no_column(const char* flag, const std::string& name, const Table& table,
                            const verbs::RunFields& fields) {
  std::vector<std::string> columns;
  for (const Column& column : table.columns) columns.push_back(column.name);
  std::string close = did_you_mean(name, columns);
  if (close.empty()) close = fields.suggestion(name);
  throw Error(Code::kUsage,
              fmt::format("{}: neither a column nor a field of runs is called \"{}\"{}", flag,
                          text::escape_controls(name), close),
              fmt::format("columns: {}; fields: {}, and metrics", fmt::join(columns, ", "), fields.list()));
}

}  // namespace

void RunFlags::add_to(Syntax& syntax) {
  syntax.add("--where", where, "only runs that meet this condition: 'param.rate > 0.3 and tag = nightly'")
      .type("CONDITION")
      // A shell variable that is not set would choose every run.
      .check([](const std::string& word) {
        return std::string(word.empty() ? "an empty word is no condition; leave --where out for all runs" : "");
      });
  syntax
      .add("--sort", arrangement.sort,
           "sort the rows by this column or field of runs, smallest first; NAME:desc: largest first")
      .type("NAME");
  syntax.add("--group", arrangement.group, "runs with the same value of this column or field stand together")
      .type("NAME");
  syntax.add("--columns", arrangement.columns, "only these columns or fields of runs, in this order: A,B")
      .comma_separated();
}

int with_condition(const Context& context, const std::function<int()>& work) {
  try {
    return work();
  } catch (const verbs::ConditionError& error) {
    const std::string shown = query::shown_place(error.text(), error.at(), terminal_width(STDERR_FILENO) - 4);
    const std::size_t end = shown.find('\n');
    context.out.insist("  " + shown.substr(0, end));
    context.out.insist("  " + shown.substr(end + 1, shown.size() - end - 2));
    throw;
  }
}

Table with_run_fields(Table table, const Arrangement& how, const std::vector<verbs::RunFacts>& runs,
                      const std::function<const query::ReportRun*(const verbs::RunFacts&)>& numbers,
                      const Table* asked) {
  const verbs::RunFields fields(runs);
  const auto run_column = column_of(table, "run");
  std::size_t place = run_column ? *run_column + 1 : 0;
  for (const auto& [flag, name] : named(how)) {
    if (column_of(table, name)) continue;
    const auto field = run_column ? fields.find(name) : std::nullopt;
    if (!field && asked != nullptr && column_of(*asked, name)) {
      throw Error(Code::kUsage,
                  fmt::format("{}: \"{}\" is of a row per number, and other columns that are asked for are of a row "
                              "per run",
                              flag, text::escape_controls(name)),
                  "ask for columns of one kind");
    }
    if (!field) no_column(flag, name, asked != nullptr ? *asked : table, fields);
    const bool setting = field->of == verbs::RunField::Of::kParam;
    const auto dataset_column = column_of(table, "dataset");
    std::vector<Cell> cells, given;  // of a setting, as it was given
    for (const auto& row : table.rows) {
      const std::string run = without_marks(text_in(row, run_column)), dataset = text_in(row, dataset_column);
      const auto found = std::ranges::find_if(runs, [&](const verbs::RunFacts& one) {
        return one.run == run && (dataset.empty() || one.dataset == dataset);
      });
      const auto value = found == runs.end() ? verbs::RunValue() : verbs::value_of(*field, *found, numbers(*found));
      cells.push_back(cell_of(value));
      const bool set = setting && !std::holds_alternative<std::monostate>(value);
      given.push_back(set ? Cell(found->params.at(field->param)) : Cell());
    }
    const Type type = settle(cells, field->of_metric() && field->number == "value");
    if (setting) cells = std::move(given);
    table.columns.insert(table.columns.begin() + static_cast<std::ptrdiff_t>(place), {name, type, ""});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      table.rows[i].insert(table.rows[i].begin() + static_cast<std::ptrdiff_t>(place), std::move(cells[i]));
    }
    ++place;
  }
  return table;
}

bool has_columns(const Table& table, const Arrangement& how) {
  const auto names = named(how);
  return std::ranges::all_of(names, [&](const auto& name) { return column_of(table, name.second).has_value(); });
}

void note_chosen(const Context& context, const verbs::Chosen& chosen) {
  for (const std::string& line : verbs::words_of(chosen)) context.out.note(line);
}

Json chosen_json(const verbs::Chosen& chosen) {
  Json json = {{"condition", chosen.where}, {"met", chosen.runs.size()}, {"of", chosen.of}};
  json["lacking"] = Json::object();
  for (const auto& [name, runs] : chosen.lacking) json["lacking"][name] = runs;
  return json;
}

}  // namespace residue::cli
