// tag: names and notes that the owner gives runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/runs/facts.h"
#include "verbs/runs/tags.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target;
  std::vector<std::string> add, remove;
  std::optional<std::string> note;
};

// The runs of one dataset or of all; the controls, which nobody tags, are left out.
int list(Context& context, const Options& options) {
  storage::Target target;
  if (!options.target.empty()) target = storage::parse_target(options.target);
  const auto store = open_store(context, true);
  if (target.run) static_cast<void>(storage::find_run(store->db(), target.dataset, *target.run));
  Table table;
  table.columns = {{"dataset", Type::kText, "", true},
                   {"run", Type::kText, "", true},
                   {"tags", Type::kText, ""},
                   {"note", Type::kText, ""},
                   {"made", Type::kText, ""}};
  for (const verbs::RunFacts& run : verbs::run_facts(store->db(), target.dataset)) {
    if (target.run ? run.run != *target.run : run.control) continue;
    const std::string tags = fmt::format("{}", fmt::join(run.tags, ", "));
    table.rows.push_back({Cell(run.dataset), Cell(run.run), tags.empty() ? Cell() : Cell(tags), cell(run.note),
                          Cell(utc(run.created_at))});
  }
  context.out.table(table);
  return 0;
}

int change(Context& context, const Options& options) {
  const storage::Target target = storage::parse_target(options.target);
  if (!target.run) {
    throw Error(Code::kUsage, "which run? Tags are of runs",
                fmt::format("residue tag {}/RUN NAME; residue show {} lists the runs", target.dataset, target.dataset));
  }
  const verbs::TagOptions wanted{target, options.add, options.remove, options.note};
  verbs::check(wanted);
  const auto store = open_store(context);
  const verbs::TagResult result = verbs::tag(*store, wanted);
  for (const std::string& tag : result.known)
    context.out.note(fmt::format("{} has the tag {} already", options.target, tag));
  for (const std::string& tag : result.absent) {
    context.out.note(fmt::format("{} did not have the tag {}", options.target, tag));
  }
  context.out.note(
      fmt::format("{}: {}{}", options.target,
                  result.run.tags.empty() ? "no tags" : fmt::format("tags {}", fmt::join(result.run.tags, ", ")),
                  result.run.note ? ", and a note" : ""));
  return 0;
}

}  // namespace

Command tag_command() {
  return {.name = "tag",
          .group = Group::kKeep,
          .summary = "tags and notes on runs",
          .usage = "[DATASET | DATASET/RUN [NAME...] [--remove NAME]... [--note TEXT]]",
          .details =
              "Without names, lists the runs with their tags and notes. A tag has letters, digits and . _ - : / @. "
              "--where 'tag = NAME' finds the runs again in report, compare, history and show.\n"
              "Tags and notes belong to the run: rename keeps them, rm and purge remove them with the run. A note is "
              "read at the level originals alone, because it may quote anything.",
          .examples = {{"residue tag clinic/scrub nightly v2", "two tags"},
                       {"residue tag clinic/scrub --remove nightly", "one less"},
                       {"residue tag clinic/scrub --note 'with the list of May'", "a note, in place of the one before"},
                       {"residue tag clinic/scrub --note ''", "no note any more"},
                       {"residue tag clinic", "the runs of clinic, with their tags and notes"}},
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<Options>();
            syntax.add("TARGET", options->target, "DATASET/RUN; to list them also DATASET, or nothing: all");
            syntax.add("NAME", options->add, "tags that the run gets");
            syntax.repeated("--remove", options->remove, "a tag that the run loses (may be repeated)");
            syntax.add("--note", options->note, "a note, in place of the one before; '' removes it").type("TEXT");
            return [options](Context& context) {
              const bool looks = options->add.empty() && options->remove.empty() && !options->note;
              return looks ? list(context, *options) : change(context, *options);
            };
          }};
}

}  // namespace residue::cli
