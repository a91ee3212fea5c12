// help: the list of commands, or one of them; also as manual pages, completions and the reference.
#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "cli/printed/completions.h"
#include "cli/printed/glossary.h"
#include "cli/printed/help_json.h"
#include "cli/printed/man.h"
#include "cli/printed/pages.h"
#include "cli/printed/reference.h"
#include "cli/syntax.h"
#include "query/sql/advice/contract.h"
#include "query/sql/advice/questions.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/run.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kHelpWidth = 80;

struct Options {
  std::vector<std::string> topic;
  std::string as;
};

std::string command_names() {
  std::string out;
  for (const Command& command : commands()) out += command.name + "\n";
  return out;
}

// Every DATASET and DATASET/RUN, one a line.
std::string names(const Context& context) {
  const auto store = open_store(context, true);
  std::string out;
  std::vector<std::pair<std::int64_t, std::string>> datasets;
  auto all = store->db().prepare(storage::sql::kDatasetsInNameOrder);
  while (all.step()) datasets.emplace_back(all.integer(0), all.text(1));
  for (const auto& [id, dataset] : datasets) {
    out += dataset + "\n";
    auto runs = store->db().prepare(storage::sql::kRunNamesInOrder);
    runs.bind(id);
    while (runs.step()) out += fmt::format("{}/{}\n", dataset, runs.text(0));
  }
  return out;
}

// The name of a term in reports, for "semantic distance" as for semantic_distance; as it was given where there is none.
std::string term_of(const std::vector<std::string>& topic) {
  const std::string given = fmt::format("{}", fmt::join(topic, " "));
  std::string written = replaced(given, " ", "_");
  return explained(given) || !explained(written) ? given : written;
}

// A word of reports that is no command, as far as the words after "help" are one.
std::string word_answer(const std::vector<std::string>& topic) {
  const std::string term = term_of(topic);
  const std::optional<std::string> words = explained(term);
  return words ? term + "\n" + wrapped(*words, 2, kHelpWidth) + "\n" : std::string();
}

std::string also(const std::vector<std::string>& topic) {
  const std::string words = word_answer(topic);
  return words.empty() ? words : "\nThe word " + words;
}

bool begins_a_command(const std::string& word) {
  return std::ranges::any_of(first_words(), [&](const FirstWord& first) { return first.word == word; });
}

// The same as data; nothing for forms that are scripts or pages.
std::optional<Json> answer_as_json(const Options& options) {
  if (!options.as.empty()) return std::nullopt;
  if (options.topic.empty()) return commands_as_json({});
  const std::string& first = options.topic.front();
  if (!begins_a_command(first)) {
    const std::string term = term_of(options.topic);
    if (term == "schema") return views_as_json();
    if (term == "questions") return questions_as_json();
    const std::optional<std::string> words = explained(term);
    return words ? std::optional(term_as_json(term, *words)) : std::nullopt;
  }
  std::vector<std::string> question = options.topic;
  question.emplace_back("--help");
  const Command* const command = sort_words(question).command;
  return command == nullptr ? commands_as_json(first) : json_of(*command);
}

[[noreturn]] void refuse_word(const std::string& word) {
  std::vector<std::string> names = term_names();
  for (const FirstWord& first : first_words()) names.push_back(first.word);
  throw Error(Code::kUsage,
              fmt::format("there is no command or term '{}'{}", text::escape_controls(word), did_you_mean(word, names)),
              "residue help lists the commands; docs/metrics.md has all metrics");
}

std::string answer(const Context& context, const Options& options) {
  if (options.as.empty() && !options.topic.empty() && !begins_a_command(options.topic.front())) {
    const std::string term = term_of(options.topic);
    if (term == "schema") return query::views_as_text();
    if (term == "questions") return std::string(query::questions_as_text());
    const std::string words = word_answer(options.topic);
    if (words.empty()) refuse_word(term);
    return words;
  }
  std::vector<std::string> question = options.topic;
  question.emplace_back("--help");
  const Command* command = options.topic.empty() ? nullptr : sort_words(question).command;
  if (options.as == "man") return command == nullptr ? man_page() : man_page(*command);
  if (!options.as.empty() && !options.topic.empty()) {
    throw Error(Code::kUsage, "--as " + options.as + " is about all commands", "leave out the command's name");
  }
  if (options.as == "markdown") return command_reference();
  if (options.as == "bash") return bash_completion();
  if (options.as == "zsh") return zsh_completion();
  if (options.as == "fish") return fish_completion();
  if (options.as == "commands") return command_names();
  if (options.as == "names") return names(context);
  if (command != nullptr) return help_for(*command) + (options.topic.size() == 1 ? also(options.topic) : "");
  if (options.topic.empty()) return help_text();
  return help_text(options.topic.front()) + also(options.topic);
}

}  // namespace

Command help_command() {
  return {
      .name = "help",
      .group = Group::kKeep,
      .summary = "list the commands, explain one, or a word of reports",
      .usage = "[COMMAND | TERM] [--as FORM]",
      .details =
          "--as man prints the manual page of a command, or of residue itself. --as markdown prints all commands as "
          "one page. --as bash, zsh or fish prints a script for the shell that completes commands, flags, values, "
          "and the names of datasets and runs. The package installs all of them. --format json gives the same as data, "
          "for tools that call the program.",
      .examples = {{"residue help", "all commands, global flags, exit codes"},
                   {"residue help ingest run", "usage, examples and options of one command"},
                   {"residue help schema", "the views of residue sql and their columns"},
                   {"residue help questions", "thirty questions as statements of residue sql"},
                   {"source <(residue help --as bash)", "completion in this shell, without the package"},
                   {"residue help report --format json", "flags, values and examples as data"},
                   {"residue help eval --as man | man -l -", "as a manual page"}},
      .paged = true,
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("COMMAND", options->topic, "a command, or a word of reports: coverage, leak_rate, bm25/random:3");
        syntax
            .add("--as", options->as,
                 "another form; commands, names: those of the program, the datasets and runs of the store, one a line")
            .type("FORM")
            .one_of({"man", "markdown", "bash", "zsh", "fish", "commands", "names"});
        return [options](Context& context) {
          if (context.out.wants_json()) {
            if (const std::optional<Json> data = answer_as_json(*options)) {
              context.out.json(*data);
              return 0;
            }
          }
          context.out.write(answer(context, *options));
          return 0;
        };
      }};
}

}  // namespace residue::cli
