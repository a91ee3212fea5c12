// help: the list of commands, or one of them.
#include "cli/help.h"

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

std::string answer(const std::vector<std::string>& topic) {
  if (topic.empty()) return help_text();
  std::vector<std::string> question = topic;
  question.emplace_back("--help");
  const Words words = sort_words(question);
  return words.command == nullptr ? help_text(words.group) : help_for(*words.command);
}

}  // namespace

Command help_command() {
  return {.name = "help",
          .group = Group::kKeep,
          .summary = "list the commands, or explain one",
          .usage = "[COMMAND]",
          .details = "",
          .examples = {{"residue help", "all commands, global flags, exit codes"},
                       {"residue help ingest run", "usage, examples and options of one command"}},
          .setup = [](Syntax& syntax) -> Run {
            auto topic = std::make_shared<std::vector<std::string>>();
            syntax.add("COMMAND", *topic, "one or two words");
            return [topic](Context& context) {
              context.out.write(answer(*topic));
              return 0;
            };
          }};
}

}  // namespace residue::cli
