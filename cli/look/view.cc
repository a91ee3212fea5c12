// view: looking commands under a name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/runs/views.h"

namespace residue::cli {
namespace {

// Flags of looking commands that read or write files of their own.
constexpr auto kFileFlags = std::to_array<std::string_view>({"--html", "--context", "--gates", "--junit"});

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

// "report clinic --where ..." as one word, or as words. The program's name in front is left out.
std::vector<std::string> command_words(const std::vector<std::string>& words) {
  std::vector<std::string> split = words.size() == 1 ? verbs::split_line(words.front()) : words;
  if (!split.empty() && split.front() == "residue") split.erase(split.begin());
  return split;
}

// Whether a flag of the words is global, or takes a file: where results go is said when the view is looked at.
void refuse_outer_flags(const std::vector<std::string>& words) {
  std::vector<std::string> flags;
  for (const OptionHelp& option : global_options()) flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  flags.insert(flags.end(), kFileFlags.begin(), kFileFlags.end());
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::string name = word.substr(0, word.find('='));
    const bool bundled = name.size() > 2 && name[0] == '-' && name[1] != '-' &&
                         std::ranges::find(flags, name.substr(0, 2)) != flags.end();
    if (!bundled && std::ranges::find(flags, name) == flags.end()) continue;
    throw Error(Code::kUsage, fmt::format("a view has no {}: it says what is looked at, not where from or to", name),
                fmt::format("leave it out, and give it with residue view NAME"));
  }
}

// The view's command, its arguments read by the one table of the command line.
Invocation invocation_of(std::vector<std::string> words, const Globals& globals) {
  if (globals.store) {
    words.emplace_back("--store");
    words.push_back(*globals.store);
  }
  const Words sorted = sort_words(words);
  if (sorted.command == nullptr || sorted.help || sorted.version) {
    throw Error(Code::kUsage, "a view holds a command with what it looks at, no question for help", "leave out --help");
  }
  return parse(sorted);
}

int save(Context& context, const std::string& name, const std::vector<std::string>& given) {
  const std::vector<std::string> words = command_words(given);
  const auto known = verbs::view_commands();
  // Another command is refused below; its arguments are not looked at.
  if (!words.empty() && std::ranges::find(known, std::string_view(words.front())) != known.end()) {
    refuse_outer_flags(words);
    static_cast<void>(invocation_of(words, context.globals));
  }
  const auto store = open_store(context);
  const auto before = verbs::save_view(*store, name, words);
  if (before && before->words != words) context.out.note("before: residue " + line_of(before->words));
  context.out.note(fmt::format("{} is now: residue {}", name, line_of(words)));
  context.out.next("residue view {}", name);
  return 0;
}

int list(Context& context) {
  const auto store = open_store(context, true);
  Table table;
  table.columns = {{"view", Type::kText, "", true}, {"command", Type::kText, ""}, {"saved", Type::kText, ""}};
  for (const verbs::SavedView& view : verbs::saved_views(*store)) {
    table.rows.push_back({Cell(view.name), Cell(line_of(view.words)), Cell(utc(view.saved_at))});
  }
  context.out.table(table);
  return 0;
}

int show(Context& context, const std::string& name) {
  verbs::SavedView view;
  {
    const auto store = open_store(context, true);  // the command opens it again
    view = verbs::find_view(*store, name);
  }
  const auto known = verbs::view_commands();
  if (view.words.empty() || std::ranges::find(known, std::string_view(view.words.front())) == known.end()) {
    throw Error(Code::kCorrupt, fmt::format("the saved view \"{}\" holds no command that looks", name),
                fmt::format("residue view rm {}", name));
  }
  refuse_outer_flags(view.words);
  context.out.note("residue " + line_of(view.words));
  const Invocation invocation = invocation_of(view.words, context.globals);
  if (!invocation.configured.empty()) context.out.note("from config.toml: " + invocation.configured);
  return invocation.run(context);
}

}  // namespace

Command view_command() {
  return {.name = "view",
          .group = Group::kLook,
          .summary = "what a saved view shows now",
          .usage = "NAME",
          .details =
              "Runs the command that the view holds, as if it were typed. Flags of where to and how (--json, --csv, -o "
              "FILE, --store) are given here.",
          .examples = {{"residue view nightly", "what residue view save nightly saved"},
                       {"residue view nightly --csv > nightly.csv", "the same as a file"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto name = std::make_shared<std::string>();
            syntax.add("NAME", *name, "the view").required();
            return [name](Context& context) { return show(context, *name); };
          }};
}

Command view_save_command() {
  return {
      .name = "view save",
      .group = Group::kLook,
      .summary = "save a looking command under a name",
      .usage = "NAME COMMAND",
      .details = fmt::format("COMMAND is one of {}, with its arguments, in quotes: it is read as the shell would "
                             "read it. It has no flags that say where the store is, where the result goes or how it "
                             "is printed, and names no file. A view of that name is replaced; the one before is "
                             "told. rename does not change what views hold; purge removes the views that name "
                             "what it purges.",
                             fmt::join(verbs::view_commands(), ", ")),
      .examples = {{"residue view save nightly \"report clinic --where 'tag = nightly' --sort leak_rate\"",
                    "residue view nightly shows it"}},
      .setup = [](Syntax& syntax) -> Run {
        struct Options {
          std::string name;
          std::vector<std::string> words;
        };
        auto options = std::make_shared<Options>();
        syntax.add("NAME", options->name, "what the view is called").required();
        syntax.add("COMMAND", options->words, "the command, in quotes; or its words behind --").required();
        return [options](Context& context) { return save(context, options->name, options->words); };
      }};
}

Command view_list_command() {
  return {.name = "view list",
          .group = Group::kLook,
          .summary = "the saved views",
          .usage = "",
          .details = "",
          .examples = {{"residue view list", "names and commands"}},
          .paged = true,
          .setup = [](Syntax&) -> Run { return [](Context& context) { return list(context); }; }};
}

Command view_rm_command() {
  return {.name = "view rm",
          .group = Group::kLook,
          .summary = "remove a saved view",
          .usage = "NAME",
          .details = "",
          .examples = {{"residue view rm nightly", "runs and numbers stay"}},
          .setup = [](Syntax& syntax) -> Run {
            auto name = std::make_shared<std::string>();
            syntax.add("NAME", *name, "the view").required();
            return [name](Context& context) {
              const auto store = open_store(context);
              const verbs::SavedView view = verbs::remove_view(*store, *name);
              context.out.note(fmt::format("removed {}: residue {}", view.name, line_of(view.words)));
              return 0;
            };
          }};
}

}  // namespace residue::cli
