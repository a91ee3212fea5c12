#include "cli/printed/reference.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/printed/pages.h"

namespace residue::cli {
namespace {

std::string anchor(const std::string& name) { return replaced(name, " ", "-"); }

// Help in its own layout: what a person sees at the terminal and what he reads here are the same words.
std::string section(const Command& command) {
  return fmt::format("### {}\n\n```\n{}```\n\n", command.name, help_for(command));
}

}  // namespace

std::string command_reference() {
  std::string out =
      "# Commands\n\nEvery command, as `residue help COMMAND` prints it. This page is made by "
      "`residue help --as markdown`.\n\n";
  for (const Group group : kGroups) {
    out += fmt::format("**{}**\n\n", title_of(group));
    for (const Command& command : commands()) {
      if (command.group == group) {
        out += fmt::format("* [{}](#{}): {}\n", command.name, anchor(command.name), command.summary);
      }
    }
    out += '\n';
  }
  out += "## Flags of every command, exit codes\n\n```\n" + shared_help() + "```\n\n## The commands\n\n";
  for (const Group group : kGroups) {
    for (const Command& command : commands()) {
      if (command.group == group) out += section(command);
    }
  }
  out.pop_back();
  return out;
}

}  // namespace residue::cli
