// intruder next, search, read: what a person is given, and where to look.
#include "verbs/people/intruder.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/people/intruder_flags.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"
#include "cli/syntax.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

struct Options : IntruderFlags {
  std::string text, code;
  std::size_t k = query::kDefaultHits;
};

Json json_of(const verbs::IntruderTarget& target) {
  return {{"target", target.target},
          {"facts", target.facts},
          {"again", target.again},
          {"answered", target.answered},
          {"left", target.left}};
}

std::string lines(std::string_view text) { return text::escape_controls(text, text::Breaks::kKeep); }

int next(Context& context, const Options& options) {
  context.out.refuse_tables("intruder next", "write --format json");
  const auto store = open_store(context);
  const auto test = open_test(*store, options);
  const auto target = verbs::next_target(*store, *test, options.annotator);
  const auto whole = [&] { return target ? json_of(*target) : Json{{"target", nullptr}}; };
  const auto print = [&] {
    if (!target) return;
    context.out.write(fmt::format("target  {}\n", target->target));
    for (const std::string& fact : target->facts) context.out.write(fmt::format("  {}\n", lines(fact)));
  };
  context.out.shaped(
      whole, [&] { return Json::array({whole()}); }, print);
  context.out.flush();
  if (test->stale) context.out.note("stale: changed since it was attacked; residue eval " + options.target_run);
  if (!target) {
    context.out.note("no target is left");
    return 0;
  }
  context.out.note(fmt::format("{} answered, {} left{}", target->answered, target->left,
                               target->again ? "; this one was drawn before" : ""));
  context.out.next("residue intruder search {} --annotator {} --target {} TEXT", options.target_run,
                   shell_word(options.annotator), target->target);
  return 0;
}

Json rows_of(const std::vector<verbs::ReleasedHit>& found) {
  Json rows = Json::array();
  for (const verbs::ReleasedHit& hit : found) {
    Json marks = Json::array();
    const std::string_view text = hit.snippet.text;
    for (const text::Span& mark : hit.snippet.marks) {
      const std::size_t start = text::code_points(text.substr(0, mark.begin));
      marks.push_back({{"start", start}, {"end", start + text::code_points(slice(text, mark))}});
    }
    rows.push_back({{"code", hit.code},
                    {"rank", hit.rank},
                    {"score", hit.score},
                    {"snippet", hit.snippet.text},
                    {"marks", std::move(marks)}});
  }
  return rows;
}

Table table_of(const std::vector<verbs::ReleasedHit>& found) {
  Table table;
  table.columns = {{"rank", Type::kInteger, ""},
                   {"code", Type::kText, "", true},
                   {"score", Type::kReal, ""},
                   {"snippet", Type::kText, ""}};
  for (const verbs::ReleasedHit& hit : found) {
    table.rows.push_back({cell(hit.rank), Cell(hit.code), Cell(hit.score), Cell(hit.snippet.text)});
  }
  return table;
}

int search(Context& context, const Options& options) {
  const auto store = open_store(context);
  const auto test = open_test(*store, options);
  const auto found = verbs::search_release(
      *store, *test, {.annotator = options.annotator, .target = options.target, .text = options.text, .k = options.k});
  context.out.shaped(
      [&] {
        return Json{{"hits", rows_of(found)}};
      },
      [&] { return rows_of(found); }, [&] { context.out.table(table_of(found)); });
  context.out.flush();
  if (found.empty()) context.out.note("nothing found: no term of the text occurs in this release");
  return 0;
}

int read(Context& context, const Options& options) {
  context.out.refuse_tables("intruder read", "write --format json");
  const auto store = open_store(context);
  const auto test = open_test(*store, options);
  const std::string text = verbs::read_release(*store, *test, options.annotator, options.target, options.code);
  const auto whole = [&] { return Json{{"code", options.code}, {"text", text}}; };
  context.out.shaped(
      whole, [&] { return Json::array({whole()}); }, [&] { context.out.write(lines(text) + "\n"); });
  return 0;
}

}  // namespace

Command intruder_next_command() {
  return {
      .name = "intruder next",
      .group = Group::kLook,
      .summary = "what an attacker knows of somebody, to be found in a release",
      .usage = "DATASET/RUN --annotator NAME [--protocol P] [--strata machine|label] [--absent N] [--seed N]",
      .details =
          "Draws a record that the protocol attacks and shows the auxiliary claims that its attacker has. The person "
          "searches the released texts (intruder search), and names one of them or none (intruder answer). Records "
          "and texts have codes, not keys: a key would tell which text is whose.\n"
          "A quarter of the targets (--absent) are absent. For these the record's text, those of the same person and "
          "those with the same or nearly the same original are not found, as if they had never been released: then "
          "none is right. Nobody is told which they are.\n"
          "The order depends on --seed and the keys alone. A target that waits for an answer comes again.\n"
          "Where few targets are of the kind that matters, --strata draws one of each kind in turn, at random within "
          "it. Nobody is told of which kind a target is. residue intruder show then weighs the attempts by how many "
          "targets each kind has. A test has strata of one kind.",
      .examples = {{"residue intruder next clinic/scrub --annotator ann --format json", "a target, for a script"},
                   {"residue intruder next clinic/scrub --annotator ann --strata machine",
                    "as many whom the machine found as others"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        add_intruder_flags(syntax, *options);
        add_draw_flags(syntax, *options);
        return [options](Context& context) { return next(context, *options); };
      }};
}

Command intruder_search_command() {
  return {
      .name = "intruder search",
      .group = Group::kLook,
      .summary = "search the released texts for a target of the intruder test",
      .usage = "DATASET/RUN --annotator NAME --target CODE TEXT [-k N]",
      .details =
          "Ranks the texts that can be found for this target by BM25. Codes of texts are other ones for each target. "
          "Nothing is stored.",
      .examples = {{"residue intruder search clinic/scrub --annotator ann --target 3k9w0c2h5m 'red boat'",
                    "texts that say so, with their codes"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        add_intruder_flags(syntax, *options);
        add_target_flag(syntax, *options);
        syntax.add("TEXT", options->text, "what to look for").required();
        syntax.add("-k", options->k, "how many (10)").range(std::size_t{1}, query::kMaxHits);
        return [options](Context& context) { return search(context, *options); };
      }};
}

Command intruder_read_command() {
  return {.name = "intruder read",
          .group = Group::kLook,
          .summary = "one released text of the intruder test, whole",
          .usage = "DATASET/RUN --annotator NAME --target CODE --text CODE",
          .details = "A text that cannot be found for this target is refused like one that there is not.",
          .examples = {{"residue intruder read clinic/scrub --annotator ann --target 3k9w0c2h5m --text 7d1q8x0m4e",
                        "the text"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            add_intruder_flags(syntax, *options);
            add_target_flag(syntax, *options);
            syntax.add("--text", options->code, "the code of the text").required();
            return [options](Context& context) { return read(context, *options); };
          }};
}

}  // namespace residue::cli
