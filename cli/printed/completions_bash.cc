#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/printed/completions.h"
#include "cli/printed/offered.h"
#include "cli/printed/pages.h"

namespace residue::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string flag_words(const std::vector<OptionHelp>& options) {
  std::vector<std::string> words;
  for (const OptionHelp& option : options) words.insert(words.end(), option.flags.begin(), option.flags.end());
  return joined(words, " ");
}

// "    'ingest dataset '--on-error) words='stop skip' ;;" for each flag with a value; "any" where it has no list.
std::string value_cases(const std::string& command, const std::vector<OptionHelp>& options) {
  std::string out;
  for (const OptionHelp& option : options) {
    if (!option.takes_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& flag : option.flags) {
      patterns.push_back(command.empty() ? "*' '" + flag : "'" + command + " " + flag + "'");
    }
    const std::vector<std::string> words =
        option.choices.empty() ? offered_values(command, option.flags.back()) : option.choices;
    out += fmt::format("    {}) values='{}' ;;\n", joined(patterns, "|"), words.empty() ? "any" : joined(words, " "));
  }
  return out;
}

constexpr const char* kBegin = R"bash(# bash completion of residue, made by: residue help --as bash
_residue() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' words='' values='' only='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
)bash";

constexpr const char* kEnd = R"bash(  if [[ $values == any ]]; then
    words=''
  elif [[ $values ]]; then
    words=$values
  elif [[ $current != -* && ! $only ]]; then
    words+=" $(residue help --as names 2> /dev/null)"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _residue residue
)bash";

}  // namespace

std::string bash_completion() {
  const std::vector<OptionHelp> globals = global_options();
  const std::vector<Page> all = pages();
  std::vector<std::string> firsts;
  std::string seconds, offered;
  for (const FirstWord& first : first_words()) {
    firsts.push_back(first.word);
    std::vector<std::string> words;
    for (const auto& [word, about] : first.second) words.push_back(word);
    if (!words.empty()) {
      seconds +=
          fmt::format("    '{}') words='{}'{} ;;\n", first.word, joined(words, " "), first.is_command ? "" : " only=1");
    }
  }
  for (const Page& page : all) {
    std::vector<std::string> words = offered_words(page.command->name);
    if (words.empty()) continue;
    for (const FirstWord& first : first_words()) {
      if (first.word != page.command->name) continue;
      for (const auto& [word, about] : first.second) words.push_back(word);
    }
    offered += fmt::format("    '{}') words='{}' only=1 ;;\n", page.command->name, joined(words, " "));
  }
  std::string out = kBegin;
  out += fmt::format("      {}) ((++i)) ;;\n      -*) ;;\n      *)\n", joined(flags_with_value(globals), "|"));
  out += "        if [[ ! $command ]]; then\n          command=${COMP_WORDS[i]}\n        else\n";
  out += fmt::format(
      "          case \"$command ${{COMP_WORDS[i]}}\" in\n            '{}') command+=\" ${{COMP_WORDS[i]}}\" ;;\n"
      "          esac\n          break\n        fi\n        ;;\n    esac\n  done\n",
      joined(commands_of_two_words(), "'|'"));
  out += fmt::format("  case $command in\n    '') words='{}' only=1 ;;\n{}{}  esac\n", joined(firsts, " "), offered,
                     seconds);
  out += fmt::format("  if [[ $current == -* ]]; then\n    words+=' --help {}'\n  fi\n", flag_words(globals));
  out += "  case \"$current:$command\" in\n";
  for (const Page& page : all) {
    const std::string flags = flag_words(page.options);
    if (!flags.empty()) out += fmt::format("    -*:'{}') words+=' {}' ;;\n", page.command->name, flags);
  }
  out += "  esac\n  case \"$command $previous\" in\n";
  for (const Page& page : all) out += value_cases(page.command->name, page.options);
  out += value_cases("", globals) + "  esac\n";
  return out + kEnd;
}

}  // namespace residue::cli
