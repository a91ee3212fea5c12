// search: the original records that match a text, with the words that match.
#include "verbs/look/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/terms.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kIndent = 2;

struct Options {
  std::string dataset, text;
  std::size_t k = query::kDefaultHits;
};

using verbs::FoundRecord;

// Marks count code points, as labels do.
Json json_of(const std::vector<FoundRecord>& found) {
  Json rows = Json::array();
  for (const auto& [hit, snippet] : found) {
    Json marks = Json::array();
    const std::string_view text = snippet.text;
    for (const text::Span& mark : snippet.marks) {
      const std::size_t start = text::code_points(text.substr(0, mark.begin));
      marks.push_back({{"start", start}, {"end", start + text::code_points(slice(text, mark))}});
    }
    rows.push_back({{"rank", hit.rank},
                    {"record", hit.key},
                    {"score", hit.score},
                    {"tied", hit.tied},
                    {"snippet", snippet.text},
                    {"marks", std::move(marks)},
                    {"terms", terms_json(hit.terms)}});
  }
  return rows;
}

std::string marked(const query::Snippet& snippet, bool color) {
  if (!color) return snippet.text;
  std::string out;
  std::size_t at = 0;
  for (const text::Span& mark : snippet.marks) {
    out += snippet.text.substr(at, mark.begin - at);
    out += fmt::format("{}{}{}", kMarked, text::slice(snippet.text, mark), kPlain);
    at = mark.end;
  }
  return out + snippet.text.substr(at);
}

// A line of its own for the snippet: a cell of a table would be cut, and its marks spelled out.
std::string shown_hits(const std::vector<FoundRecord>& found, const Look& look) {
  std::string out;
  for (const auto& [hit, snippet] : found) {
    out += fmt::format("{}  {}  {}{}\n", hit.rank, text::escape_controls(hit.key, text::Breaks::kEscape),
                       real_text(hit.score), hit.tied > 0 ? fmt::format("  {} tied", hit.tied) : "");
    out += std::string(kIndent, ' ') + marked(snippet, look.color) + '\n';
  }
  return out;
}

Table table_of(const std::vector<FoundRecord>& found) {
  Table table;
  table.columns = {{"rank", Type::kInteger, ""},
                   {"record", Type::kText, ""},
                   {"score", Type::kReal, ""},
                   {"tied", Type::kInteger, ""},
                   {"snippet", Type::kText, ""}};
  for (const auto& [hit, snippet] : found) {
    table.rows.push_back(
        {cell(hit.rank), Cell(hit.key), Cell(hit.score), Cell(std::int64_t{hit.tied}), Cell(snippet.text)});
  }
  return table;
}

void print(Context& context, const Options& options, const std::vector<FoundRecord>& found) {
  const auto whole = [&] { return Json{{"dataset", options.dataset}, {"hits", json_of(found)}}; };
  context.out.shaped(
      whole, [&] { return json_of(found); },
      [&] {
        if (context.globals.format == Format::kTable) {
          context.out.write(shown_hits(found, context.out.look()));
        } else {
          context.out.table(table_of(found));
        }
      });
}

int search(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.dataset);
  if (target.run) {
    throw Error(Code::kUsage, "search looks into the originals of a dataset",
                fmt::format("write residue search {} TEXT; residue link {} TEXT looks into a run", target.dataset,
                            options.dataset));
  }
  const std::string text = text_argument(options.text);
  const auto store = open_store(context);
  verbs::SearchOptions wanted;
  wanted.dataset = target.dataset;
  wanted.text = text;
  wanted.k = options.k;
  const Look look = context.out.look();
  // Where text is left out, an ellipsis stands at both ends.
  if (context.globals.format == Format::kTable && look.width != 0) {
    wanted.columns = std::max(look.width, kNarrowest + kIndent + 4) - kIndent - 4;
  }
  const std::vector<FoundRecord> found = verbs::search(*store, wanted);
  print(context, options, found);
  if (found.empty()) {
    context.out.note("nothing found: no term of the text occurs in the records");
  } else {
    context.out.next("residue show {}", shell_word(target.dataset + "/" + found.front().hit.key));
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("DATASET", options->dataset, "whose originals").required();
  syntax.add("TEXT", options->text, "the words sought; -: from standard input").required();
  syntax.add("-k", options->k, "how many (10), at most 100").range(std::size_t{1}, query::kMaxHits);
  return [options](Context& context) { return search(context, *options); };
}

}  // namespace

Command search_command() {
  return {.name = "search",
          .group = Group::kLook,
          .summary = "the original records that match a text",
          .usage = "DATASET TEXT [-k N]",
          .details =
              "Ranks the originals by BM25, and shows of each the part that matches best. Shows original text. The "
              "index of the originals is built where it is missing.",
          .examples = {{"residue search clinic \"ferry captain\"", "the ten best, matching words marked on a terminal"},
                       {"residue search clinic - --csv < words.txt", "words from a file, the result as one"}},
          .paged = true,
          .setup = setup};
}

}  // namespace residue::cli
