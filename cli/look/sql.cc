// sql: the user's own questions, read-only, over documented views.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/table_stream.h"
#include "cli/syntax.h"
#include "query/sql/sql_shell.h"
#include "storage/store.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostScriptBytes = 16U << 20U;
constexpr int kPollMs = 100;
constexpr std::uint64_t kMostRows = 1'000'000'000'000;

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

struct Options {
  std::string query;
  double timeout_s = 10;
  std::uint64_t limit = query::SqlOptions().most_rows;
  bool no_text = false;
  bool claims = false;
  bool originals = false;
};

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
  result.most_rows = options.limit;
  result.texts = !options.no_text;
  if (options.claims) result.level = query::ReadLevel::kClaims;
  if (options.originals) result.level = query::ReadLevel::kOriginals;
  result.interrupted = interrupted;
  return result;
}

// All statements, within the time of one command: the reader's is counted.
void run_script(Context& context, query::SqlOptions options, std::string_view script) {
  const Clock::time_point until = Clock::now() + Millis(options.timeout_ms);
  context.out.take_until(until);
  bool first = true;
  while (!script.empty()) {
    std::optional<TableStream> rows;
    query::SqlSink sink;
    sink.columns = [&](const std::vector<std::string>& names) {
      if (!first) context.out.write("\n");
      first = false;
      std::vector<Column> columns;
      for (const std::string& name : names) columns.push_back({name, Type::kText, ""});
      rows.emplace(context.out, context.globals, std::move(columns));
    };
    sink.row = [&](std::vector<query::SqlValue> values) {
      std::vector<Cell> cells;
      for (auto& value : values) cells.push_back(cell_of(std::move(value)));
      rows->row(std::move(cells));
    };
    options.timeout_ms =
        static_cast<int>(std::max<std::int64_t>(0, std::chrono::duration_cast<Millis>(until - Clock::now()).count()));
    const query::SqlEnd end = query::run_statement(options, script, sink);
    if (rows) rows->finish();
    if (end.more) {
      context.out.note(fmt::format("{} {} shown, more exist: --limit N shows more", grouped(options.most_rows),
                                   options.most_rows == 1 ? "row" : "rows"));
    }
    script.remove_prefix(end.next);
    const std::size_t next = script.find_first_not_of(" \t\r\n;");
    script = next == std::string_view::npos ? std::string_view() : script.substr(next);
  }
}

// Standard input to its end; a pipe that gives nothing is waited for as long as nobody asks to stop.
std::string read_script() {
  std::string script;
  std::array<char, 1U << 16U> chunk{};
  while (true) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, kPollMs) <= 0) {
      if (interrupted()) throw Error(Code::kInterrupted, "stopped");
      continue;
    }
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(Code::kIo, "cannot read standard input", "check where it comes from");
    if (got == 0) return script;
    const std::string_view more(chunk.data(), static_cast<std::size_t>(got));
    // Looked at as it comes: an endless input need not end to be refused.
    if (const std::size_t nul = more.find('\0'); nul != std::string_view::npos) {
      throw Error(Code::kBadInput, fmt::format("standard input: a NUL character, byte {}", script.size() + nul + 1),
                  "remove it; in a statement, write char(0) for a NUL");
    }
    if (script.size() + more.size() > kMostScriptBytes) {
      throw Error(Code::kBadInput, "standard input: the statements are longer than 16 MiB", "give fewer at a time");
    }
    script += more;
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
    run_script(context, how, read_script());
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("QUERY", options->query, "the statement; without one, statements from standard input");
  syntax.add("--timeout", options->timeout_s, "seconds for everything, printing included (10)").range(0.1, 86400.0);
  syntax.add("--limit", options->limit, "rows shown of one statement (100000)").range(std::uint64_t{1}, kMostRows);
  syntax.flag("--claims", options->claims, "text(id) reads claims, labels and answers, too");
  syntax.flag("--originals", options->originals, "text(id) reads everything, the originals too");
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
              "Views: records, claims, runs, variants, run_claims, vectors, links, judgments, leaks, scores, metrics. "
              "PRAGMA table_info(leaks) lists the columns of one. text(id) reads a text of a run: "
              "text(variant_text). With --claims it reads claims, labels and answers, too; with --originals "
              "everything.\n"
              "Two tables use the index that eval builds. bm25('DATASET/RUN', 'TEXT' [, k]) ranks the texts of a run "
              "as link does. link_terms('DATASET/RUN', 'RECORD' [, 'PROTOCOL']) has the terms of explain. The name of "
              "the run must stand in the statement as it is.\n"
              "A statement runs in a process of its own, which can read the store and nothing else. Rows are written "
              "as they come. The command ends after ten seconds, the time to read the rows included, and after 100,000 "
              "rows of a statement; a note says that there are more. --timeout and --limit change both. At a terminal, "
              "the time begins with the last statement that was typed.",
          .examples = {{"residue sql \"SELECT run, value FROM metrics WHERE metric = 'leak_rate' AND slice = ''\"",
                        "one metric over all runs"},
                       {"residue sql --claims --csv \"SELECT record, text(claim_text) FROM leaks WHERE run = 'scrub'\"",
                        "what leaked, as a file"},
                       {"residue sql \"SELECT record, score FROM bm25('clinic/scrub', 'ferry captain')\"",
                        "which sanitized texts match"},
                       {"residue sql < questions.sql", "statements from a file"}},
          .paged = true,
          .setup = setup};
}

}  // namespace residue::cli
