#include "cli/flags/terms.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/print/lines.h"
#include "cli/print/numbers.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kNarrowestTerms = 24;

// Columns that the table takes as it is, and the gap behind it.
std::size_t width_of(const Table& table) {
  const std::string drawn = render_table(Table{table.columns, table.rows}, Look{});
  const std::size_t rule = drawn.find('\n') + 1;
  return text::display_width(drawn.substr(rule, drawn.find('\n', rule) - rule)) + 2;
}

// As ingest takes texts: UTF-8 without NUL.
std::string readable(std::string text, std::string_view where, Code code) {
  if (!text::valid_utf8(text)) throw Error(code, fmt::format("{}: not valid UTF-8", where), "convert it to UTF-8");
  if (text.find('\0') != std::string::npos) throw Error(code, fmt::format("{}: a NUL character", where), "remove it");
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace

std::string text_argument(const std::string& word) {
  if (word != "-") return readable(word, "TEXT", Code::kUsage);
  std::string text;
  char chunk[1 << 16];
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(Code::kIo, fmt::format("standard input: {}", std::strerror(errno)), "check where it comes from");
    }
    if (got == 0) return readable(std::move(text), "standard input", Code::kBadInput);
    text.append(chunk, static_cast<std::size_t>(got));
    if (text.size() > kMaxLineBytes) {
      throw Error(Code::kBadInput, "standard input: the text is larger than 16 MiB", "give a part of it");
    }
  }
}

std::string terms_text(const std::vector<index::TermScore>& terms, std::size_t columns) {
  std::string list;
  for (const index::TermScore& term : terms) {
    const std::string next = fmt::format("{}{} {}", list.empty() ? "" : ", ", term.term, real_text(term.score));
    const std::size_t ellipsis = &term == &terms.back() ? 0 : 3;
    if (columns != 0 && !list.empty() && text::display_width(list + next) + ellipsis > columns) return list + ", …";
    list += next;
  }
  return list;
}

Json terms_json(const std::vector<index::TermScore>& terms) {
  Json json = Json::array();
  for (const index::TermScore& term : terms) json.push_back({{"term", term.term}, {"score", term.score}});
  return json;
}

void add_terms(Table& table, const std::vector<const std::vector<index::TermScore>*>& terms, const Look& look,
               Format format) {
  std::size_t room = 0;
  if (look.width != 0) {
    const std::size_t used = width_of(table);
    room = used + kNarrowestTerms < look.width ? look.width - used : kNarrowestTerms;
  }
  const bool machine = format == Format::kCsv || format == Format::kTsv;
  table.columns.push_back({"terms", Type::kText, ""});
  for (std::size_t i = 0; i < terms.size(); ++i) {
    table.rows[i].push_back(machine ? terms_json(*terms[i]).dump() : terms_text(*terms[i], room));
  }
}

}  // namespace residue::cli
