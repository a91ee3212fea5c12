// rm: removes a dataset, a run, a record or labels, after a question.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/rows/rows.h"
#include "storage/catalog/lookup.h"
#include "text/characters/unicode.h"
#include "verbs/keep/remove.h"

namespace residue::cli {
namespace {

// "1 run, 4 variants": what there is of it.
std::string told(const ingest::Removed& gone) {
  std::string text;
  const auto add = [&text](std::uint64_t count, const char* what) {
    if (count == 0) return;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
  };
  add(gone.records, "record");
  add(gone.claims, "claim");
  add(gone.runs, "run");
  add(gone.variants, "variant");
  add(gone.links, "link");
  add(gone.labels, "label");
  add(gone.answers, "answer");
  add(gone.attempts, "attempt");
  return text.empty() ? "nothing but the name" : text;
}

// Of attempts on others, in which this one was named.
std::string named_told(const ingest::Removed& gone) {
  if (gone.named == 0) return "";
  return fmt::format("; {} on others named it, and {} without its name",
                     gone.named == 1 ? "1 attempt" : fmt::format("{} attempts", gone.named),
                     gone.named == 1 ? "stays" : "stay");
}

// `what` goes: "clinic/azure (12 variants)", "3 labels of the kind span from clinic".
void confirm(const Context& context, const std::string& target, const std::string& what) {
  if (context.globals.yes) return;
  if (::isatty(STDIN_FILENO) == 0) {
    throw Error(Code::kUsage, fmt::format("removing {} needs a confirmation", what), "add --yes");
  }
  std::cerr << text::escape_controls(fmt::format("removes {}; type {} to go on: ", what, target)) << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != target) throw Error(Code::kUsage, "nothing was removed", "type the whole name, or add --yes");
}

using What = verbs::Removal::What;

struct Which {
  std::string target;
  verbs::RemoveOptions remove;
};

std::string labels_told(const Which& which, std::uint64_t count) {
  const verbs::RemoveOptions& of = which.remove;
  return fmt::format("{} {} of the kind {}{} from {}", count, count == 1 ? "label" : "labels", of.labels,
                     of.annotator ? " by " + *of.annotator : "", which.target);
}

std::string releases_told(const Which& which, const verbs::Removal& going) {
  const std::string& dataset = which.remove.target.dataset;
  std::string what =
      going.releases == 0
          ? fmt::format("no private release from the sum of {}, where another run is the same release", dataset)
          : fmt::format("{} private release{} from the sum of {}", going.releases, going.releases == 1 ? "" : "s",
                        dataset);
  if (going.there) what += fmt::format(", and {} ({})", which.target, told(going.rows));
  return what;
}

// Before it goes.
std::string going_told(const Which& which, const verbs::Removal& going) {
  if (going.what == What::kLabels) return labels_told(which, going.rows.labels) + " (nothing else)";
  if (going.what == What::kReleases) return releases_told(which, going);
  return fmt::format("{} ({}){}", which.target, told(going.rows), named_told(going.rows));
}

std::string gone_told(const Which& which, const verbs::Removal& going, const ingest::Removed& gone) {
  if (going.what == What::kLabels) return labels_told(which, gone.labels);
  if (going.what == What::kReleases) return releases_told(which, going);
  return fmt::format("{}: {}", which.target, told(gone));
}

int remove(Context& context, Which which) {
  which.remove.target = storage::parse_target(which.target);
  verbs::check(which.remove);
  const auto store = open_store(context);
  const verbs::Removal going = verbs::count_removal(*store, which.remove);
  confirm(context, which.target, going_told(which, going));
  const verbs::RemoveResult gone = verbs::remove(*store, which.remove, going.what);
  context.out.write(fmt::format("removed {}\n", gone_told(which, going, gone.rows)));
  context.out.flush();
  const std::string& dataset = which.remove.target.dataset;
  switch (going.what) {
    case What::kLabels:
      context.out.next("residue eval {}", dataset);
      break;
    case What::kRecord:
      context.out.next("residue eval {}, then residue gc frees the space", dataset);
      break;
    case What::kReleases:
      break;
    case What::kRun:
    case What::kDataset:
      if (gone.spent) {
        context.out.note(fmt::format("what was released stays spent: residue rm {} --never-released, if it never left",
                                     which.target));
      }
      context.out.next("residue gc frees the space");
  }
  for (const std::string& note : gone.outdated) context.out.note("outdated: " + note);
  if (gone.rated) context.out.note("texts that models elsewhere rated stay: their ratings were paid for");
  return 0;
}

}  // namespace

Command rm_command() {
  return {.name = "rm",
          .group = Group::kKeep,
          .summary = "remove a dataset, a run, a record or labels",
          .usage = "TARGET [--record] [--never-released] [--labels KIND [--annotator NAME]] [--yes]",
          .details =
              "Asks before it removes. What was paid for stays: answers of models, responses among them, and "
              "judgments. residue gc frees the space of the rest.\n"
              "The ledger keeps what releases with differential privacy have spent (residue show DATASET). "
              "--never-released says that nobody saw them; then they count no more.\n"
              "The command waits while anything is being ingested, atomized or sanitized. After a while it gives up "
              "with exit code 4.",
          .examples = {{"residue rm clinic/azure", "the run and its results"},
                       {"residue rm clinic/r-12", "one record: its claims, labels, answers, and its text in every run"},
                       {"residue rm clinic --yes", "the dataset and everything of it, without a question"},
                       {"residue rm clinic --labels span --annotator a2", "what one annotator marked"}},
          .setup = [](Syntax& syntax) -> Run {
            auto which = std::make_shared<Which>();
            syntax.add("TARGET", which->target, "DATASET, DATASET/RUN or DATASET/RECORD").required();
            syntax.flag("--record", which->remove.record, "the target is a record, even if a run has its name");
            syntax
                .flag("--never-released", which->remove.never_released,
                      "nobody saw its private releases: what they spent does not count")
                .excludes("--record")
                .excludes("--labels");
            syntax.add("--labels", which->remove.labels, "only the dataset's labels of this kind")
                .one_of({ingest::kLabelKinds.begin(), ingest::kLabelKinds.end() - 1});
            syntax.add("--annotator", which->remove.annotator, "with --labels: only this annotator's");
            return [which](Context& context) { return remove(context, *which); };
          }};
}

}  // namespace residue::cli
