// sql: the user's own questions, read-only, over documented views.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/print/formats.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/sql/sql_shell.h"
#include "storage/store.h"

namespace residue::cli {
namespace {

constexpr std::size_t kRowsAtOnce = 500;

struct Options {
  std::string query;
  double timeout_s = 10;
  bool no_text = false;
};

Cell cell_of(query::SqlValue value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* blob = std::get_if<query::SqlBlob>(&value)) {
    std::string hex = "x'";
    for (const char byte : blob->bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return hex + "'";
  }
  return {};
}

// Collects the rows of one statement; formats with a row per line are written as they come.
class Rows {
 public:
  Rows(Output& out, const Globals& globals) : out_(out), globals_(globals) {}

  void columns(const std::vector<std::string>& names) {
    for (const std::string& name : names) table_.columns.push_back({name, Type::kText, ""});
  }
  void row(std::vector<query::SqlValue> values) {
    std::vector<Cell> cells;
    for (auto& value : values) cells.push_back(cell_of(std::move(value)));
    table_.rows.push_back(std::move(cells));
    if (streams() && table_.rows.size() >= kRowsAtOnce) write_lines();
    if (out_.closed()) throw Error(Code::kInterrupted, "nobody reads the result any more");
  }
  void finish() {
    if (table_.columns.empty()) return;
    if (streams()) {
      write_lines();
    } else {
      find_types();
      out_.table(table_);
    }
  }

 private:
  [[nodiscard]] bool streams() const {
    return globals_.format == Format::kCsv || globals_.format == Format::kTsv || globals_.format == Format::kJsonl;
  }
  [[nodiscard]] std::string text_of(const Table& table) const {
    if (globals_.format == Format::kCsv) return to_csv(table, globals_.spreadsheet);
    return globals_.format == Format::kTsv ? to_tsv(table) : to_jsonl(table);
  }
  void write_lines() {
    const std::string lines = text_of(table_);
    std::size_t head = 0;
    if (begun_) head = text_of(Table{table_.columns, {}}).size();
    out_.write(std::string_view(lines).substr(head));
    out_.flush();
    begun_ = true;
    table_.rows.clear();
  }
  // Columns of numbers stand to the right.
  void find_types() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      bool numbers = false;
      bool texts = false;
      for (const auto& row : table_.rows) {
        texts = texts || std::holds_alternative<std::string>(row[i]);
        numbers = numbers || !std::holds_alternative<std::monostate>(row[i]);
      }
      if (numbers && !texts) table_.columns[i].type = Type::kReal;
    }
  }

  Output& out_;
  const Globals& globals_;
  Table table_;
  bool begun_ = false;
};

query::SqlOptions sql_options(const Context& context, const Options& options) {
  const auto& named = context.globals.store;
  const auto dir = storage::Store::find(named.value_or("."), !named.has_value());
  if (!dir) {
    throw Error(Code::kNotFound, named ? "no store in " + *named : "no store in this folder or above it",
                "residue init makes one; --store DIR names another");
  }
  query::SqlOptions result;
  result.store = *dir;
  result.timeout_ms = static_cast<int>(options.timeout_s * 1000);
  result.texts = !options.no_text;
  result.interrupted = interrupted;
  return result;
}

void run_script(Context& context, const query::SqlOptions& options, std::string_view script) {
  bool first = true;
  while (!script.empty()) {
    Rows rows(context.out, context.globals);
    query::SqlSink sink;
    sink.columns = [&](const std::vector<std::string>& names) {
      if (!first) context.out.write("\n");
      first = false;
      rows.columns(names);
    };
    sink.row = [&](std::vector<query::SqlValue> row) { rows.row(std::move(row)); };
    script.remove_prefix(query::run_statement(options, script, sink));
    rows.finish();
    const std::size_t next = script.find_first_not_of(" \t\r\n;");
    script = next == std::string_view::npos ? std::string_view() : script.substr(next);
  }
}

// A statement may have several lines; an error ends the statement, not the session.
void converse(Context& context, const query::SqlOptions& options) {
  std::cerr << "SELECT over records, claims, runs, variants, run_claims, vectors, links, judgments, leaks, scores, "
               "metrics; text(id) reads a text; end with Ctrl-D\n";
  std::string statement;
  std::string line;
  while (true) {
    std::cerr << (statement.empty() ? "sql> " : "...> ") << std::flush;
    if (!std::getline(std::cin, line)) break;
    statement += line + '\n';
    if (!query::is_complete(statement)) continue;
    try {
      run_script(context, options, statement);
      context.out.flush();
    } catch (const Error& error) {
      context.out.note(error.what());
      if (!error.hint().empty()) context.out.note("  " + error.hint());
    }
    statement.clear();
  }
  std::cerr << '\n';
}

int sql(Context& context, const Options& options) {
  const query::SqlOptions how = sql_options(context, options);
  if (!options.query.empty()) {
    run_script(context, how, options.query);
  } else if (::isatty(0) == 1) {
    converse(context, how);
  } else {
    const std::string script{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    run_script(context, how, script);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("QUERY", options->query, "the statement; without one, statements from standard input");
  syntax.add("--timeout", options->timeout_s, "seconds that one statement may take (10)").range(0.1, 86400.0);
  syntax.flag("--no-text", options->no_text, "text(id) is NULL: no text is read");
  return [options](Context& context) {
    try {
      return sql(context, *options);
    } catch (const Error& error) {
      if (error.code() == Code::kInterrupted && context.out.closed()) return 0;  // `| head` has what it wanted
      throw;
    }
  };
}

}  // namespace

Command sql_command() {
  return {.name = "sql",
          .group = Group::kLook,
          .summary = "ask the store in SQL, read-only",
          .usage = "[QUERY]",
          .details =
              "Views: records, claims, runs, variants, run_claims, vectors, links, judgments, leaks, scores, metrics; "
              "PRAGMA table_info(leaks) lists the columns of one. text(id) reads a text: text(claim_text), originals "
              "included. "
              "bm25('DATASET/RUN', 'TEXT' [, k]) ranks a run's texts as link does, link_terms('DATASET/RUN', 'RECORD' "
              "[, 'PROTOCOL']) has the terms of explain: tables, over the index that eval builds, of runs whose name "
              "stands "
              "in the statement as it is. A statement runs in a process of its own that can read the store and nothing "
              "else, and ends in time.",
          .examples = {{"residue sql \"SELECT run, value FROM metrics WHERE metric = 'leak_rate' AND slice = ''\"",
                        "one metric over all runs"},
                       {"residue sql --csv \"SELECT record, text(claim_text) FROM leaks WHERE run = 'scrub'\"",
                        "what leaked, as a file"},
                       {"residue sql \"SELECT record, score FROM bm25('clinic/scrub', 'ferry captain')\"",
                        "which sanitized texts match"},
                       {"residue sql < questions.sql", "statements from a file"}},
          .setup = setup};
}

}  // namespace residue::cli
