#include "cli/printed/pages.h"

#include <algorithm>
#include <utility>

namespace residue::cli {

std::vector<Page> pages() {
  std::vector<Page> all;
  for (const Command& command : commands()) all.push_back({&command, options_of(command)});
  return all;
}

std::vector<FirstWord> first_words() {
  std::vector<FirstWord> words;
  for (const Command& command : commands()) {
    const std::size_t space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    auto at = std::find_if(words.begin(), words.end(), [&](const FirstWord& word) { return word.word == first; });
    if (at == words.end()) at = words.insert(at, FirstWord{.word = first});
    if (space == std::string::npos) {
      at->about = command.summary;
      at->is_command = true;
    } else {
      at->second.emplace_back(command.name.substr(space + 1), command.summary);
    }
  }
  for (FirstWord& word : words) {
    if (word.is_command) continue;
    for (const auto& [second, summary] : word.second) word.about += (word.about.empty() ? "" : ", ") + second;
  }
  return words;
}

std::vector<std::string> flags_with_value(const std::vector<OptionHelp>& options) {
  std::vector<std::string> flags;
  for (const OptionHelp& option : options) {
    if (option.takes_value) flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  }
  return flags;
}

std::vector<std::string> commands_of_two_words() {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name.find(' ') != std::string::npos) names.push_back(command.name);
  }
  return names;
}

std::string_view title_of(Group group) {
  switch (group) {
    case Group::kBringIn:
      return "Bring in";
    case Group::kEvaluate:
      return "Evaluate";
    case Group::kLook:
      return "Look";
    case Group::kKeep:
      return "Keep";
  }
  return {};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace residue::cli
