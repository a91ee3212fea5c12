// What the words of reports mean: `residue help TERM`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::cli {

struct Term {
  std::string_view name;  // as reports write it; others may follow behind commas: "n, coverage"
  std::string_view text;  // at most five lines of 80 columns
};
const std::vector<Term>& terms();

// The words for `name`: a term, a metric, or an attacker such as bm25/random:3. Nothing where it is none of them.
std::optional<std::string> explained(const std::string& name);

// Every name that explained() knows, for "did you mean".
std::vector<std::string> term_names();

}  // namespace residue::cli
