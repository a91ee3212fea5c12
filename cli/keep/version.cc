// version: which program this is, and of which libraries it is made.
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/keep/libraries.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

Cell known(const std::string& version) { return version.empty() ? Cell() : Cell(version); }

Table table_of(const std::vector<Library>& all) {
  Table table;
  table.columns = {{"library", Type::kText, "", true},
                   {"running", Type::kText, ""},
                   {"built_with", Type::kText, "built with"},
                   {"used_for", Type::kText, "used for"}};
  for (const Library& one : all) table.rows.push_back({one.name, known(one.running), one.built, one.about});
  return table;
}

Json json_of(const std::vector<Library>& all) {
  Json json = {{"version", std::string(kVersion)}, {"libraries", Json::array()}};
  for (const Library& one : all) {
    json["libraries"].push_back({{"library", one.name},
                                 {"running", one.running.empty() ? Json(nullptr) : Json(one.running)},
                                 {"built_with", one.built},
                                 {"used_for", one.about}});
  }
  return json;
}

void print_all(Context& context) {
  const std::vector<Library> all = libraries();
  if (context.out.wants_json()) {
    context.out.json(json_of(all));
    return;
  }
  if (context.globals.format == Format::kTable) context.out.write(version_text() + "\n\n");
  context.out.table(table_of(all));
}

int version(Context& context, bool all) {
  if (all) {
    print_all(context);
  } else if (context.globals.format_given) {
    context.out.fields({{{"version", Type::kText, ""}}, {{Cell(std::string(kVersion))}}});
  } else {
    context.out.write(version_text() + "\n");
  }
  return 0;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .group = Group::kKeep,
          .summary = "print the version",
          .usage = "[--all]",
          .details = "A library that is built into the program has only the version of the build.",
          .examples = {{"residue --version", "the same"},
                       {"residue version --all", "also the libraries, for a report of a bug"}},
          .setup = [](Syntax& syntax) -> Run {
            auto all = std::make_shared<bool>(false);
            syntax.flag("--all", *all, "also the libraries: the versions that run now, and those of the build");
            return [all](Context& context) { return version(context, *all); };
          }};
}

}  // namespace residue::cli
