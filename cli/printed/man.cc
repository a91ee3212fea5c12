#include "cli/printed/man.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/printed/pages.h"

namespace residue::cli {
namespace {

// Words as roff prints them: a backslash, a hyphen that is not for breaking lines, and a dot or quote that would begin
// a macro.
std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return replaced(replaced(std::move(out), "\n.", "\n\\&."), "\n'", "\n\\&'");
}

std::string head(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"residue {}\" \"residue\"\n.SH NAME\n{} \\- {}\n", roff(name), kVersion,
                     roff(name), roff(summary));
}

// A line that begins with a space stands for itself, an empty one ends a paragraph.
std::string paragraphs(const std::string& text) {
  std::string out;
  bool literal = false;
  const auto turn = [&](bool on) {
    if (on != literal) out += on ? ".PP\n.nf\n" : ".fi\n.PP\n";
    literal = on;
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty()) {
      out += literal ? "\n" : ".PP\n";
      continue;
    }
    turn(line.front() == ' ');
    out += roff(line) + "\n";
  }
  turn(false);
  return out;
}

std::string options_section(const char* title, const std::vector<OptionHelp>& options) {
  if (options.empty()) return {};
  std::string out = fmt::format(".SH {}\n", title);
  for (const OptionHelp& option : options) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(option.names), roff(option.description));
  }
  return out;
}

}  // namespace

std::string man_name(const Command& command) { return "residue-" + replaced(command.name, " ", "-"); }

std::string man_page(const Command& command) {
  std::string out = head(man_name(command), command.summary);
  out += fmt::format(".SH SYNOPSIS\n\\fBresidue {}\\fR {}\n", roff(command.name), roff(command.usage));
  if (!command.details.empty()) out += ".SH DESCRIPTION\n" + paragraphs(command.details);
  out += options_section("OPTIONS", options_of(command));
  out += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(example.line), roff(example.does));
  }
  return out + ".SH SEE ALSO\n.BR residue (1)\nhas the flags of every command and the exit codes.\n";
}

std::string man_page() {
  std::string out = head("residue", "measure what a text sanitizer leaves behind");
  out += ".SH SYNOPSIS\n\\fBresidue\\fR \\fICOMMAND\\fR ...\n.SH DESCRIPTION\n" + paragraphs(overview());
  out += ".SH COMMANDS\n";
  for (const Group group : kGroups) {
    out += fmt::format(".SS {}\n", title_of(group));
    for (const Command& command : commands()) {
      if (command.group != group) continue;
      out += fmt::format(".TP\n\\fB{}\\fR\n{}; see\n.BR {} (1)\n", roff(command.name), roff(command.summary),
                         roff(man_name(command)));
    }
  }
  out += options_section("FLAGS OF EVERY COMMAND", global_options());
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", code, roff(meaning));
  return out;
}

}  // namespace residue::cli
