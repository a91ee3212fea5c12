// report --html FILE: the page that a release is decided on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/print/arrange.h"
#include "cli/syntax.h"
#include "storage/store.h"
#include "verbs/release/release.h"

namespace residue::cli {

struct PageFlags {
  std::optional<std::string> file;  // "-": standard output; nothing: no page
  std::string context;
  bool texts = false, keys = false, no_proof = false;

  void add_to(Syntax& syntax);
  // Throws Error{usage} where another flag of the page, a table, a format or columns do not go with it; what else is
  // wrong with the files is said before anything is read.
  void check(const Context& context, const std::string& table, const Arrangement& arrangement) const;
};

struct MadePage {
  std::string html;
  std::vector<query::GateResult> gates;
  std::string stale;  // a run whose numbers are old; empty: none
};

// The page itself. `wanted` is of one attacker; what it says of ids, texts and proof is that of `flags`. Throws as
// verbs::release, read_context.
MadePage make_page(storage::Store& store, const PageFlags& flags, verbs::ReleaseOptions wanted);

// Writes the page and says where, or to the results for "-". `wanted` is of one attacker. Returns its gates,
// which the caller reports. Throws as verbs::release, and Error{usage} where the file exists.
std::vector<query::GateResult> write_report_page(Context& context, storage::Store& store, const PageFlags& flags,
                                                 verbs::ReleaseOptions wanted);

}  // namespace residue::cli
