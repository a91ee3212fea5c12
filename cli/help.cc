#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/print/interrupt.h"

namespace residue::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kWidth = 80;

// Where a line of `text` may end: behind words, but not inside [...].
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != ' ' || depth > 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// `head`, then `text` in lines of kWidth; further lines begin below `indent` columns, those before end in `glue`.
std::string wrapped(std::string head, const std::string& text, std::size_t indent, const std::string& glue = "") {
  std::string out;
  bool fresh = true;
  for (const std::string& word : words_of(text)) {
    if (!fresh && head.size() + 1 + word.size() + glue.size() > kWidth) {
      out += head + glue + '\n';
      head = std::string(indent, ' ');
      fresh = true;
    }
    head += (fresh ? "" : " ") + word;
    fresh = false;
  }
  return out + head + '\n';
}

// An indented line "NAME  words": further lines begin below the words, without a NAME two columns further right.
std::string hung(const std::string& line) {
  const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", margin);
  const std::size_t words = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  if (words == std::string::npos || words > kWidth / 2) {
    return wrapped(line.substr(0, margin), line.substr(margin), margin + 2);
  }
  return wrapped(line.substr(0, words), line.substr(words), words);
}

// Paragraphs; a line that begins with a space, and an empty one, stand for themselves.
std::string paragraphs(const std::string& text) {
  std::string out;
  std::string open;
  const auto close = [&] {
    if (!open.empty()) out += wrapped("", std::exchange(open, {}), 0);
  };
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.front() != ' ') {
      open += (open.empty() ? "" : " ") + line;
      continue;
    }
    close();
    out += line.size() <= kWidth ? line + '\n' : hung(line);
  }
  close();
  return out;
}

// Two columns; a left side that is too long stands on its own line.
std::string two_columns(const Pairs& pairs, std::size_t widest = 30) {
  std::size_t left = 0;
  for (const auto& [name, text] : pairs) {
    if (name.size() <= widest) left = std::max(left, name.size());
  }
  std::string out;
  for (const auto& [name, text] : pairs) {
    if (name.size() > left) out += fmt::format("  {}\n", name);
    out += wrapped(fmt::format("  {:<{}}  ", name.size() > left ? "" : name, left), text, left + 4);
  }
  return out;
}

std::string options_text(const std::vector<OptionHelp>& options) {
  Pairs pairs;
  for (const OptionHelp& option : options) pairs.emplace_back(option.names, option.description);
  return two_columns(pairs);
}

}  // namespace

std::string version_text() { return fmt::format("residue {}", kVersion); }

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
      if (command.group != group || !listed) continue;
      lines += wrapped(fmt::format("  {:<{}}  ", command.name, width), command.summary, width + 4);
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
                                         {"130", "interrupted (by SIGTERM: 143)"}});
  return out + "\nresidue help COMMAND has options and examples.\n";
}

std::string help_for(const Command& command) {
  std::string out = wrapped("", fmt::format("{}: {}", command.name, command.summary), 2);
  out += '\n' + wrapped("usage: ", fmt::format("residue {} {}", command.name, command.usage), 9);
  if (!command.details.empty()) out += "\n" + paragraphs(command.details);
  if (!command.examples.empty()) out += "\nExamples\n";
  for (const Example& example : command.examples) {
    out += wrapped("  ", example.line, 4, " \\") + wrapped("      ", example.does, 6);
  }
  const std::vector<OptionHelp> options = options_of(command);
  if (!options.empty()) out += "\nOptions\n" + options_text(options);
  return out + "\nFlags of every command (--store, --format, -o, -q ...): residue help\n";
}

}  // namespace residue::cli
