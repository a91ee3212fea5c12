#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/printed/completions.h"
#include "cli/printed/offered.h"
#include "cli/printed/pages.h"

namespace residue::cli {
namespace {

// Between single quotes of fish.
std::string quoted(std::string text) {
  return "'" + replaced(replaced(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

// `command` is empty for a flag of all commands.
std::string option_line(const std::string& command, const OptionHelp& option) {
  if (option.flags.empty()) return {};
  std::string out = "complete -c residue";
  if (!command.empty()) out += fmt::format(" -n '__residue_is \"{}\"'", command);
  for (const std::string& flag : option.flags) {
    out += flag.compare(0, 2, "--") == 0 ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
  }
  const std::vector<std::string> words =
      option.choices.empty() && option.takes_value ? offered_values(command, option.flags.back()) : option.choices;
  if (!words.empty()) {
    out += fmt::format(" -x -a '{}'", fmt::join(words, " "));
  } else if (option.takes_value) {
    out += " -r";
  }
  return out + " -d " + quoted(option.description) + "\n";
}

constexpr const char* kFunctions = R"fish(function __residue_command
    set -l command
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- $word $__residue_skipped
            set skip 1
        else if string match -q -- '-*' $word
            continue
        else if test -z "$command"
            set command $word
        else
            contains -- "$command $word" $__residue_two_words; and set command "$command $word"
            break
        end
    end
    echo $command
end
function __residue_is
    test "$(__residue_command)" = "$argv[1]"
end
complete -c residue -n 'not contains -- "$(__residue_command)" "" $__residue_groups' -a '(residue help --as names 2> /dev/null)'
complete -c residue -l help -d 'explain the command'
)fish";

}  // namespace

std::string fish_completion() {
  const std::vector<OptionHelp> globals = global_options();
  std::string groups, lines;
  for (const OptionHelp& option : globals) lines += option_line("", option);
  for (const FirstWord& first : first_words()) {
    lines +=
        fmt::format("complete -c residue -f -n '__residue_is \"\"' -a {} -d {}\n", first.word, quoted(first.about));
    if (!first.is_command) groups += " " + first.word;
    for (const auto& [word, about] : first.second) {
      lines +=
          fmt::format("complete -c residue -f -n '__residue_is {}' -a {} -d {}\n", first.word, word, quoted(about));
    }
  }
  for (const Page& page : pages()) {
    for (const OptionHelp& option : page.options) lines += option_line(page.command->name, option);
    const std::vector<std::string> words = offered_words(page.command->name);
    if (words.empty()) continue;
    lines += fmt::format("complete -c residue -f -n '__residue_is \"{}\"' -a '{}'\n", page.command->name,
                         fmt::join(words, " "));
  }
  return fmt::format(
             "# fish completion of residue, made by: residue help --as fish\nset -g __residue_skipped {}\nset -g "
             "__residue_groups{}\nset -g __residue_two_words '{}'\n",
             fmt::join(flags_with_value(globals), " "), groups, fmt::join(commands_of_two_words(), "' '")) +
         kFunctions + lines;
}

}  // namespace residue::cli
