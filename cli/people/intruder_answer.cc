// intruder answer, intruder tell: what a person found, and whether it is right.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/open.h"
#include "cli/people/intruder_flags.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

constexpr std::string_view kNone = "none";

struct Options : IntruderFlags {
  std::string choice;
  std::int64_t sure = -1;
  std::optional<double> seconds;
  std::optional<std::uint64_t> searches;
};

void print_word(Context& context, const char* name, std::string word) {
  Table table;
  table.columns = {{name, Type::kText, ""}};
  table.rows.push_back({Cell(std::move(word))});
  context.out.fields(table);
}

int answer(Context& context, const Options& options) {
  const auto store = open_store(context);
  const auto test = open_test(*store, options);
  verbs::IntruderAnswer given;
  given.annotator = options.annotator;
  given.target = options.target;
  if (options.choice != kNone) given.choice = options.choice;
  given.sure = options.sure;
  given.seconds = options.seconds;
  given.searches = options.searches;
  print_word(context, "answer", std::string(name_of(verbs::answer_target(*store, *test, given))));
  return 0;
}

int tell(Context& context, const Options& options) {
  const auto store = open_store(context);
  const auto test = open_test(*store, options);
  print_word(context, "outcome", verbs::tell_outcome(*store, *test, options.annotator, options.target));
  context.out.flush();
  context.out.note("it is stored that this was told: the answer stays as it is");
  return 0;
}

}  // namespace

Command intruder_answer_command() {
  return {
      .name = "intruder answer",
      .group = Group::kLook,
      .summary = "keep what a person found in the intruder test",
      .usage = "DATASET/RUN --annotator NAME --target CODE --choice CODE|none --sure N [--seconds S] [--searches N]",
      .details =
          "The text that the person takes for the target's, or none of them, and how sure they are of it, in per "
          "cent. Another answer takes the place of the one before, unless its outcome was told. Whether it is right "
          "is not said.",
      .examples = {{"residue intruder answer clinic/scrub --annotator ann --target 3k9w0c2h5m --choice 7d1q8x0m4e "
                    "--sure 80 --seconds 95",
                    "a text that was found"},
                   {"residue intruder answer clinic/scrub --annotator ann --target 3k9w0c2h5m --choice none --sure 60",
                    "none of them"}},
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        add_intruder_flags(syntax, *options);
        add_target_flag(syntax, *options);
        syntax.add("--choice", options->choice, "the code of a text, or none").required();
        syntax.add("--sure", options->sure, "how sure, 0 to 100").required();
        syntax.add("--seconds", options->seconds, "how long it took");
        syntax.add("--searches", options->searches, "how many searches it took");
        return [options](Context& context) { return answer(context, *options); };
      }};
}

Command intruder_tell_command() {
  return {.name = "intruder tell",
          .group = Group::kLook,
          .summary = "whether an answer of the intruder test is right",
          .usage = "DATASET/RUN --annotator NAME --target CODE",
          .details =
              "Meant for afterwards: somebody who is told learns how to look. So it is stored with the attempt, which "
              "nobody can change from then on, and intruder show counts such attempts.",
          .examples = {{"residue intruder tell clinic/scrub --annotator ann --target 3k9w0c2h5m",
                        "right, wrong, none ..."}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            add_intruder_flags(syntax, *options);
            add_target_flag(syntax, *options);
            return [options](Context& context) { return tell(context, *options); };
          }};
}

}  // namespace residue::cli
