#include "cli/shell/dot_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/shell/statements.h"
#include "query/sql/advice/contract.h"
#include "query/sql/advice/questions.h"
#include "query/sql/functions/text_functions.h"
#include "query/sql/sql_functions.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::array<DotCommand, 5> kCommands = {{
    {".help", "this list, and the functions"},
    {".mode [MODE]", "how rows are shown from here on: table, json, jsonl, csv, tsv, md or latex"},
    {".questions [N]", "questions that many ask; with a number, its statement and the answer"},
    {".quit", "ends the shell, as Ctrl-D does"},
    {".schema [VIEW]", "the views; of one view, its columns and what they mean"},
}};

struct Mode {
  const char* name;
  Format format;
};
constexpr std::array<Mode, 7> kModes = {{{"table", Format::kTable},
                                         {"json", Format::kJson},
                                         {"jsonl", Format::kJsonl},
                                         {"csv", Format::kCsv},
                                         {"tsv", Format::kTsv},
                                         {"md", Format::kMarkdown},
                                         {"latex", Format::kLatex}}};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const DotCommand& command : kCommands) names.emplace_back(command.usage.substr(0, command.usage.find(' ')));
  return names;
}

bool help(Shell& shell, const std::string& /*argument*/) {
  std::string out;
  for (const DotCommand& command : kCommands) out += fmt::format("{:<16}{}\n", command.usage, command.does);
  out += "\nA statement may have several lines and ends with ; - Tab completes names, Ctrl-C stops what is running.\n";
  out += "Functions: text(ID)";
  for (const query::TextFunction& function : query::text_functions()) out += fmt::format(", {}", function.usage);
  out += "\nTables behind FROM:";
  for (const query::SqlFunction& function : query::sql_table_functions()) out += fmt::format("\n  {}", function.usage);
  shell.context.out.write(out + "\n");
  return true;
}

bool mode(Shell& shell, const std::string& name) {
  for (const Mode& known : kModes) {
    if (name.empty() && known.format == shell.globals.format) shell.context.out.write(std::string(known.name) + "\n");
    if (name != known.name) continue;
    if (shell.globals.output) {
      throw Error(Code::kUsage, "the mode of a file given with -o stays as it is", "--format MODE sets it");
    }
    shell.globals.format = known.format;
    return true;
  }
  if (name.empty()) return true;
  throw Error(Code::kUsage, "there is no such mode" + did_you_mean(name, mode_names()),
              "the modes are table, json, jsonl, csv, tsv, md and latex");
}

bool schema(Shell& shell, const std::string& view) {
  const std::string lower = text::lower(view);
  std::vector<std::string> names;
  Table table;
  for (const query::ViewPromise& promise : query::view_promises()) {
    names.emplace_back(promise.name);
    if (view.empty()) {
      table.columns = {{"view", Type::kText, ""}, {"a row is", Type::kText, ""}};
      table.rows.push_back({std::string(promise.name), std::string(promise.about)});
    }
    if (promise.name != lower) continue;
    table.columns = {
        {"column", Type::kText, ""}, {"type", Type::kText, ""}, {"unit", Type::kText, ""}, {"about", Type::kText, ""}};
    for (const query::ViewColumn& column : promise.columns) {
      table.rows.push_back(
          {std::string(column.name), std::string(column.type), std::string(column.unit), std::string(column.about)});
    }
  }
  if (table.rows.empty()) {
    throw Error(Code::kUsage, "there is no such view" + did_you_mean(view, names), ".schema lists the views");
  }
  shell.context.out.table(table);
  return true;
}

// The questions are about the demo: here, about what this store has. The newest run that keeps its records is asked of.
std::string about_this_store(const Shell& shell, const std::string& statement) {
  std::vector<std::string> names;
  query::SqlSink sink;
  sink.row = [&](const std::vector<query::SqlValue>& row) {
    for (const query::SqlValue& value : row) names.push_back(std::get<std::string>(value));
  };
  query::run_statement(shell.options,
                       "SELECT r.dataset, r.run, coalesce((SELECT min(record) FROM records WHERE dataset = r.dataset), '')"
                       " FROM runs r WHERE r.kind = 'aligned' ORDER BY r.created_at DESC, r.run LIMIT 1",
                       sink);
  if (names.empty()) return statement;
  return query::statement_about(statement, {names.at(0), names.at(1), names.at(2), std::nullopt});
}

bool questions(Shell& shell, const std::string& number) {
  const std::vector<query::Question> all = query::questions();
  if (number.empty()) {
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) out += fmt::format("{:>2}  {}\n", i + 1, all[i].words);
    shell.context.out.write(out);
    return true;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (number != std::to_string(i + 1)) continue;
    const std::string statement = about_this_store(shell, std::string(all[i].statement)) + ";";
    shell.context.out.write(fmt::format("-- {}\n{}\n\n", all[i].words, statement));
    run_script(shell.context, shell.options, statement);
    return true;
  }
  throw Error(Code::kUsage, "there is no question of this number",
              fmt::format(".questions lists them: 1 to {}", all.size()));
}

bool quit(Shell& /*shell*/, const std::string& /*argument*/) { return false; }

constexpr std::array kActions = {help, mode, questions, quit, schema};
static_assert(kActions.size() == kCommands.size());

}  // namespace

std::span<const DotCommand> dot_command_list() { return kCommands; }

std::vector<std::string> mode_names() {
  std::vector<std::string> names;
  for (const Mode& mode : kModes) names.emplace_back(mode.name);
  return names;
}

bool dot_command(Shell& shell, std::string_view line) {
  const auto word = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t;"), line.size()));
    const std::string_view found = line.substr(0, line.find_first_of(" \t;"));
    line.remove_prefix(found.size());
    return std::string(found);
  };
  const std::string name = word();
  const std::string argument = word();
  if (!word().empty()) throw Error(Code::kUsage, "a dot command has one argument at most", ".help lists them");
  const std::vector<std::string> names = command_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return kActions[i](shell, argument);
  }
  throw Error(Code::kUsage, "there is no such command" + did_you_mean(name, names), ".help lists them");
}

}  // namespace residue::cli
