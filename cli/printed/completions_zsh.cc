#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/printed/completions.h"
#include "cli/printed/offered.h"
#include "cli/printed/pages.h"

namespace residue::cli {
namespace {

// Between single quotes of zsh.
std::string quoted(std::string text) { return "'" + replaced(std::move(text), "'", "'\\''") + "'"; }

// "name:what it is", as _describe wants it.
std::string described(const std::string& name, const std::string& about) {
  return quoted(replaced(name, ":", "\\:") + ":" + about);
}

std::string flag_lines(const std::vector<OptionHelp>& options, const char* indent) {
  std::string out;
  for (const OptionHelp& option : options) {
    for (const std::string& flag : option.flags) out += indent + described(flag, option.description) + "\n";
  }
  return out;
}

std::string value_cases(const std::string& command, const std::vector<OptionHelp>& options) {
  std::string out;
  for (const OptionHelp& option : options) {
    if (!option.takes_value) continue;
    for (const std::string& flag : option.flags) {
      const std::string pattern = command.empty() ? "*' " + flag + "'" : quoted(command + " " + flag);
      const std::vector<std::string> words =
          option.choices.empty() ? offered_values(command, option.flags.back()) : option.choices;
      out += words.empty() ? fmt::format("    {}) _files; return ;;\n", pattern)
                           : fmt::format("    {}) compadd -- {}; return ;;\n", pattern, fmt::join(words, " "));
    }
  }
  return out;
}

}  // namespace

std::string zsh_completion() {
  const std::vector<OptionHelp> globals = global_options();
  const std::vector<Page> all = pages();
  std::string firsts, seconds;
  for (const FirstWord& first : first_words()) {
    firsts += "    " + described(first.word, first.about) + "\n";
    if (first.second.empty()) continue;
    seconds += fmt::format("    {})\n      seconds=(\n", quoted(first.word));
    for (const auto& [word, about] : first.second) {
      seconds += "        " + described(word, about) + "\n";
    }
    seconds += fmt::format("      )\n      _describe command seconds{} ;;\n", first.is_command ? "" : "; return");
  }
  std::string offered;
  for (const Page& page : all) {
    const std::vector<std::string> words = offered_words(page.command->name);
    if (words.empty()) continue;
    offered += fmt::format("    {}) compadd -- {}; return ;;\n", quoted(page.command->name), fmt::join(words, " "));
  }
  std::string out = "#compdef residue\n# zsh completion of residue, made by: residue help --as zsh\n_residue() {\n";
  out += "  local command= i\n  local -a firsts seconds flags names\n";
  out += "  for ((i = 2; i < CURRENT; ++i)); do\n    case $words[i] in\n";
  out += fmt::format("      {}) ((++i)) ;;\n      -*) ;;\n      *)\n", fmt::join(flags_with_value(globals), "|"));
  out += "        if [[ -z $command ]]; then\n          command=$words[i]\n        else\n";
  out += fmt::format("          case \"$command $words[i]\" in\n            '{}') command+=\" $words[i]\" ;;\n",
                     fmt::join(commands_of_two_words(), "'|'"));
  out += "          esac\n          break\n        fi\n        ;;\n    esac\n  done\n";
  out += "  case \"$command $words[CURRENT-1]\" in\n";
  for (const Page& page : all) out += value_cases(page.command->name, page.options);
  out += value_cases("", globals) + "  esac\n";
  out += "  if [[ $words[CURRENT] == -* ]]; then\n    flags=(\n      '--help:explain the command'\n";
  out += flag_lines(globals, "      ") + "    )\n    case $command in\n";
  for (const Page& page : all) {
    const std::string lines = flag_lines(page.options, "        ");
    if (!lines.empty())
      out += fmt::format("      {})\n        flags+=(\n{}        ) ;;\n", quoted(page.command->name), lines);
  }
  out += "    esac\n    _describe -o flag flags\n    return\n  fi\n";
  out += "  if [[ -z $command ]]; then\n    firsts=(\n" + firsts +
         "    )\n    _describe command firsts\n    return\n  fi\n";
  out += "  case $command in\n" + seconds + "  esac\n";
  out += "  case $command in\n" + offered + "  esac\n";
  out += "  names=(${(f)\"$(residue help --as names 2> /dev/null)\"})\n  compadd -- $names\n  _files\n}\n";
  return out + "_residue \"$@\"\n";
}

}  // namespace residue::cli
