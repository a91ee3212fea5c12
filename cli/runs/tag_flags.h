// --tag and --note, where runs are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/help.h"
#include "cli/syntax.h"

namespace residue::cli {

struct TagFlags {
  std::vector<std::string> tags;
  std::optional<std::string> note;

  void add_to(Syntax& syntax) {
    syntax.repeated("--tag", tags, "a tag for the run, to find it again (may be repeated)");
    syntax.add("--note", note, "a note on the run, in your own words").type("TEXT");
  }

  // Into the options of a verb that makes runs, with who makes them.
  template <class Options>
  void into(Options& options) const {
    options.tags = tags;
    options.note = note;
    options.version = std::string(kVersion);
  }
};

}  // namespace residue::cli
