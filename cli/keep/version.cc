// version: which program this is.
#include <string>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {

Command version_command() {
  return {.name = "version",
          .group = Group::kKeep,
          .summary = "print the version",
          .usage = "",
          .details = "",
          .examples = {{"residue --version", "the same"}},
          .setup = [](Syntax& /*syntax*/) -> Run {
            return [](Context& context) {
              if (context.globals.format_given) {
                context.out.fields({{{"version", Type::kText, ""}}, {{Cell(std::string(kVersion))}}});
              } else {
                context.out.write(version_text() + "\n");
              }
              return 0;
            };
          }};
}

}  // namespace residue::cli
