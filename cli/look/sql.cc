// sql: the user's own questions, read-only, over documented views.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/command.h"
#include "cli/flags/vader_files.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/shell/shell.h"
#include "cli/shell/statements.h"
#include "cli/syntax.h"
#include "query/sql/advice/contract.h"
#include "query/sql/sql_shell.h"
#include "text/measures/vader.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostScriptBytes = 16U << 20U;
constexpr int kPollMs = 100;
constexpr std::uint64_t kMostRows = 1'000'000'000'000;

struct Options {
  std::string query;
  double timeout_s = 10;
  std::uint64_t limit = query::SqlOptions().most_rows;
  bool no_text = false;
  bool claims = false;
  bool originals = false;
  bool no_history = false;
};

query::SqlOptions sql_options(const Context& context, const Options& options) {
  query::SqlOptions result;
  result.store = store_folder(context);
  result.timeout_ms = static_cast<int>(options.timeout_s * 1000);
  result.most_rows = options.limit;
  result.texts = !options.no_text;
  if (options.claims) result.level = query::ReadLevel::kClaims;
  if (options.originals) result.level = query::ReadLevel::kOriginals;
  result.interrupted = interrupted;
  result.vader = [] {
    if (!query::names_lexicon({})) {
      throw Error(Code::kUsage, "no sentiment lexicon is named, and the program has none of its own",
                  "set RESIDUE_VADER_LEXICON to vader_lexicon.txt of the Python package vaderSentiment");
    }
    const VaderContents contents = read_vader({});
    return std::make_shared<const text::Vader>(contents.lexicon, contents.emoji);
  };
  return result;
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

int sql(Context& context, const Options& options) {
  const query::SqlOptions how = sql_options(context, options);
  if (!options.query.empty()) {
    run_script(context, how, options.query);
  } else if (::isatty(0) == 1) {
    converse(context, how, !options.no_history);
  } else {
    run_script(context, how, read_script());
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("QUERY", options->query, "the statement; without one, a shell, or statements from standard input");
  syntax.add("--timeout", options->timeout_s, "seconds for everything, printing included (10)").range(0.1, 86400.0);
  syntax.add("--limit", options->limit, "rows shown of one statement (100000)").range(std::uint64_t{1}, kMostRows);
  syntax.flag("--claims", options->claims, "text(id) reads claims, labels and answers, too");
  syntax.flag("--originals", options->originals, "text(id) reads everything, the originals too");
  syntax.flag("--no-history", options->no_history, "the shell keeps nothing of what is typed");
  syntax.flag("--no-text", options->no_text, "text(id) is NULL: no text is read");
  return [options](Context& context) { return until_closed(context.out, [&] { return sql(context, *options); }); };
}

}  // namespace

Command sql_command() {
  return {
      .name = "sql",
      .group = Group::kLook,
      .summary = "ask the store in SQL, read-only",
      .usage = "[QUERY]",
      .details =
          "Views: " + query::view_names() +
          ". residue help schema has their columns. residue help questions has thirty statements to begin with. "
          "text(id) reads a text of a run: "
          "text(variant_text). With --claims it reads claims, labels and answers, too; with --originals "
          "everything.\n"
          "Functions of texts: rouge_l(a, b), rouge_n(a, b, n), bleu(a, b), jaro_winkler(a, b), diff(a, b), "
          "snippet(text, query), as_read(text), vader(text). Tables of a text: tokens(text), ngrams(text, n).\n"
          "Two tables use the index that eval builds. bm25('DATASET/RUN', 'TEXT' [, k]) ranks the texts of a run "
          "as link does. link_terms('DATASET/RUN', 'RECORD' [, 'PROTOCOL']) has the terms of explain. The name of "
          "the run must stand in the statement as it is.\n"
          "A statement runs in a process of its own, which can read the store and nothing else. Rows are written "
          "as they come. The command ends after ten seconds, the time to read the rows included, and after 100,000 "
          "rows of a statement; a note says that there are more. --timeout and --limit change both. With --format json "
          "each of several statements gives an array of its own, one behind the other, as jq reads them.\n"
          "At a terminal and without a statement it is a shell. A statement ends with a semicolon and may have several "
          "lines. Tab completes names. Ctrl-C stops the statement or drops the line, Ctrl-D ends. .help, .mode, "
          ".schema, .questions and .quit are commands. The time counts for each statement. What is typed is kept in "
          "~/.local/state/residue/sql_history, for you alone, and may hold texts. --no-history keeps nothing, and a "
          "line that begins with a space is never kept.",
      .examples = {{"residue sql \"SELECT run, judge, value FROM metrics WHERE metric = 'leak_rate' AND slice = '' AND "
                    "protocol "
                    "LIKE 'bm25/random:3@42/%'\"",
                    "one metric over all runs, of one attacker"},
                   {"residue sql --claims --csv \"SELECT record, text(claim_text) FROM leaks WHERE run = 'scrub'\"",
                    "what leaked, as a file"},
                   {"residue sql \"SELECT record, score FROM bm25('clinic/scrub', 'ferry captain')\"",
                    "which sanitized texts match"},
                   {"residue sql < questions.sql", "statements from a file"}},
      .paged = true,
      .setup = setup};
}

}  // namespace residue::cli
