#include "cli/help.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/arguments.h"

namespace residue::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Two columns; a left side that is too long stands on its own line.
std::string two_columns(const Pairs& pairs, std::size_t widest = 30) {
  std::size_t left = 0;
  for (const auto& [name, text] : pairs) {
    if (name.size() <= widest) left = std::max(left, name.size());
  }
  std::string out;
  for (const auto& [name, text] : pairs) {
    if (name.size() <= left) {
      out += fmt::format("  {:<{}}  {}\n", name, left, text);
    } else {
      out += fmt::format("  {}\n  {:<{}}  {}\n", name, "", left, text);
    }
  }
  return out;
}

std::string options_text(const std::vector<OptionHelp>& options) {
  Pairs pairs;
  for (const OptionHelp& option : options) pairs.emplace_back(option.names, option.description);
  return two_columns(pairs);
}

}  // namespace

std::string version_text() { return "residue 0.1.0"; }

std::string overview() {
  return "Residue measures what a text sanitizer leaves behind.\n\n" +
         two_columns({{"residue init", "make a store in this folder"},
                      {"residue ingest dataset NAME FILE", "bring in the original texts (JSONL or CSV)"},
                      {"residue atomize NAME", "split them into claims"},
                      {"residue ingest run NAME/RUN FILE", "bring in a sanitizer's output"},
                      {"residue eval NAME", "attack every run, judge what leaked"},
                      {"residue report NAME", "the numbers; leaks and show have the words"}},
                     40) +
         "\nresidue help lists all commands; residue help COMMAND has options and examples.\n";
}

std::string help_text(const std::string& first_word) {
  static constexpr std::array<std::pair<Group, const char*>, 4> kGroups = {
      {{Group::kBringIn, "Bring in"}, {Group::kEvaluate, "Evaluate"}, {Group::kLook, "Look"}, {Group::kKeep, "Keep"}}};
  std::size_t width = 0;
  for (const Command& command : commands()) width = std::max(width, command.name.size());
  std::string out = "usage: residue COMMAND ...\n";
  for (const auto& [group, title] : kGroups) {
    std::string lines;
    for (const Command& command : commands()) {
      const bool listed = first_word.empty() || command.name.rfind(first_word + " ", 0) == 0;
      if (command.group == group && listed)
        lines += fmt::format("  {:<{}}  {}\n", command.name, width, command.summary);
    }
    if (!lines.empty()) out += fmt::format("\n{}\n{}", title, lines);
  }
  if (!first_word.empty()) return out;
  out += "\nFlags of every command\n" + options_text(global_options());
  out += "\nExit codes\n" + two_columns({{"0", "done"},
                                         {"1", "a --fail-if gate failed"},
                                         {"2", "wrong use"},
                                         {"3", "not found"},
                                         {"4", "the store is busy"},
                                         {"5", "the store is damaged"},
                                         {"6", "bad input data"},
                                         {"70", "our bug"},
                                         {"74", "input or output failed"},
                                         {"75", "out of space or memory, or try again"},
                                         {"130", "interrupted"}});
  return out + "\nresidue help COMMAND has options and examples.\n";
}

std::string help_for(const Command& command) {
  std::string usage = "residue " + command.name;
  if (!command.usage.empty()) usage += " " + command.usage;
  std::string out = fmt::format("{}: {}\n\nusage: {}\n", command.name, command.summary, usage);
  if (!command.details.empty()) out += "\n" + command.details + "\n";
  if (!command.examples.empty()) out += "\nExamples\n";
  for (const Example& example : command.examples) out += fmt::format("  {}\n      {}\n", example.line, example.does);
  const std::vector<OptionHelp> options = options_of(command);
  if (!options.empty()) out += "\nOptions\n" + options_text(options);
  return out + "\nFlags of every command (--store, --format, -o, -q ...): residue help\n";
}

}  // namespace residue::cli
