#include "python/core/row_words.h"

#include <algorithm>
#include <regex>

namespace residue::python {
namespace {

std::string replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

// "--on-error skip" as on_error='skip', "--text" as text=.
std::string with_keywords(const std::string& hint) {
  static const std::regex flag("--([a-z]+(?:-[a-z]+)*)( skip)?");
  std::string out;
  auto from = hint.cbegin();
  for (std::sregex_iterator at(hint.begin(), hint.end(), flag), end; at != end; ++at) {
    out.append(from, (*at)[0].first);
    std::string name = (*at)[1].str();
    std::replace(name.begin(), name.end(), '-', '_');
    out += name + "=" + ((*at)[2].matched ? "'skip'" : "");
    from = (*at)[0].second;
  }
  out.append(from, hint.cend());
  return out;
}

}  // namespace

std::string of_rows(std::string_view note) {
  std::string text = replaced(std::string(note), "standard input:([0-9]+)", "row $1");
  return replaced(text, "standard input", "the rows");
}

Error of_rows(const Error& error) {
  std::string message = replaced(error.what(), "^standard input is empty: it has no row", "there is no row");
  std::string hint = replaced(error.hint(), "nothing of this file was stored", "nothing was stored");
  hint = replaced(hint, "; repeat the command after mending the file, or add", "; mend the rows, or give");
  hint = replaced(hint, "check the command that wrote it; ", "check where the rows come from; ");
  return {error.code(), of_rows(message), with_keywords(hint)};
}

}  // namespace residue::python
