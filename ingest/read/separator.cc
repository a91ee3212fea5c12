#include "ingest/read/separator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ingest/read/line_reader.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kSeparators = ",;\t|";

// The header line, up to its end or to the longest row there may be.
std::string_view header_of(InputBuffer& input) {
  std::size_t at = 0;
  bool quoted = false;
  bool blank = true;  // lines before it
  for (;;) {
    const std::string_view view = input.view();
    for (; at < view.size(); ++at) {
      if (view[at] == '"') quoted = !quoted;
      if (view[at] == '\n' && !quoted && !blank) return view.substr(0, at);
      blank = blank && (view[at] == '\n' || view[at] == '\r');
    }
    if (view.size() > kMaxRowBytes || !input.more()) return input.view().substr(0, at);
  }
}

}  // namespace

std::optional<char> separator_named(InputBuffer& input) {
  const std::string_view line = header_of(input);
  std::string_view said = line;
  if (said.ends_with('\r')) said.remove_suffix(1);
  if (said.size() > 1 && said.front() == '"' && said.back() == '"') said = said.substr(1, said.size() - 2);
  if (said.size() != 5 || !(said.starts_with("sep=") || said.starts_with("SEP="))) return std::nullopt;
  const char separator = said[4];
  if (kSeparators.find(separator) == std::string_view::npos) return std::nullopt;
  input.consume(std::min(line.size() + 1, input.view().size()));
  return separator;
}

std::string separator_name(char separator) {
  switch (separator) {
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "vertical bars";
    default:
      return "commas";
  }
}

char separator_of(InputBuffer& input, char usual, const std::string& name) {
  std::string found;
  bool quoted = false;
  for (const char c : header_of(input)) {
    if (c == '"') quoted = !quoted;
    if (quoted || kSeparators.find(c) == std::string_view::npos) continue;
    if (c == '\t' && usual == '\t') return usual;
    if (found.find(c) == std::string::npos) found += c;
  }
  if (found.empty()) return usual;
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  for (const char c : kSeparators) {
    if (found.find(c) != std::string::npos) names.push_back(separator_name(c));
  }
  throw Error(Code::kBadInput,
              fmt::format("{}: the header line has {}: which of them separate the columns?", shown_name(name),
                          fmt::join(names, " and ")),
              "put names that contain a separator into double quotes");
}

}  // namespace residue::ingest
