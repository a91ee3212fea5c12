#include "cli/print/wrap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/print/output.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

// Bytes of `word` that fill at most `room` columns, at least one character; what belongs to one character stays
// together.
std::size_t bytes_that_fit(std::string_view word, std::size_t room) {
  if (word.size() <= room) return word.size();
  if (text::is_ascii(word.substr(0, room + 1))) return room;
  std::size_t end = text::code_point_at(word, 0).bytes;
  while (end < word.size()) {
    const std::size_t next = end + text::code_point_at(word, end).bytes;
    if (text::display_width(word.substr(0, next)) > room) break;
    end = next;
  }
  return end;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = width > indent + 20 ? width - indent : 20;
  const std::string safe = text::escape_controls(text);
  const std::string margin(indent, ' ');
  std::string out;
  std::string line;
  std::size_t at = 0;
  const auto end_line = [&] {
    out += line.empty() ? "\n" : margin + line + '\n';
    line.clear();
  };
  while (at <= safe.size()) {
    const std::size_t stop = std::min(safe.find_first_of(" \n", at), safe.size());
    std::string_view word = std::string_view(safe).substr(at, stop - at);
    if (!line.empty() && text::display_width(line) + 1 + text::display_width(word) > room) end_line();
    while (line.empty() && bytes_that_fit(word, room) < word.size()) {
      const std::size_t bytes = bytes_that_fit(word, room);
      line = word.substr(0, bytes);
      word.remove_prefix(bytes);
      end_line();
    }
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
    if (stop == safe.size()) break;
    if (safe[stop] == '\n') end_line();
    at = stop + 1;
  }
  end_line();
  return out;
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool ended = end < text.size();
    if (width == 0 || text::display_width(line) <= width) {
      out += fmt::format("{}{}", line, ended ? "\n" : "");
    } else {
      out += wrapped(line, 0, width);
      if (!ended) out.pop_back();
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string message_lines(std::string_view message, int fd) {
  const std::string safe = text::escape_controls(message, text::Breaks::kEscape);
  if (::isatty(fd) != 1) return safe + '\n';
  const std::size_t width = terminal_width(fd);
  if (text::display_width(safe) <= width) return safe + '\n';
  const std::size_t indent = std::min(safe.find_first_not_of(' '), safe.size());
  return wrapped(std::string_view(safe).substr(indent), indent, width);
}

}  // namespace residue::cli
