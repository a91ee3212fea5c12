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
#include "base/ids.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "ingest/files/remove.h"
#include "ingest/files/remove_record.h"
#include "ingest/rows/rows.h"
#include "query/inputs/outdated.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/privacy_ledger.h"
#include "storage/catalog/sources/run.h"
#include "text/characters/unicode.h"

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
  return text.empty() ? "nothing but the name" : text;
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

struct Which {
  std::string target;
  std::string kind;  // of labels; empty: the target itself
  std::optional<std::string> annotator;
  bool record = false;  // --record: the target is one, whatever runs are called
  bool never_released = false;
};

std::string labels_told(const Which& which, std::uint64_t count) {
  return fmt::format("{} {} of the kind {}{} from {}", count, count == 1 ? "label" : "labels", which.kind,
                     which.annotator ? " by " + *which.annotator : "", which.target);
}

int remove_labels(Context& context, const Which& which, const storage::Target& target) {
  if (target.run) {
    throw Error(Code::kUsage, "labels belong to a dataset",
                fmt::format("residue rm {} --labels {}", target.dataset, which.kind));
  }
  const auto store = open_store(context);
  const ingest::LabelSelection labels{which.kind, which.annotator};
  const ingest::Removed going = ingest::count_labels(*store, target.dataset, labels);
  confirm(context, which.target, labels_told(which, going.labels) + " (nothing else)");
  const ingest::Removed gone = ingest::remove_labels(*store, target.dataset, labels);
  context.out.write(fmt::format("removed {}\n", labels_told(which, gone.labels)));
  context.out.flush();
  context.out.next("residue eval {}", target.dataset);
  return 0;
}

// Runs come first, as in `show`: then a record needs --record.
bool names_record(storage::Store& store, const Which& which, const storage::Target& target) {
  if (which.record) return true;
  storage::Statement run = store.db().prepare(storage::sql::kRunExistsByName);
  const DatasetId dataset = storage::find_dataset(store.db(), target.dataset);
  if (run.bind(dataset, *target.run).step()) return false;
  if (ingest::has_record(store, target.dataset, *target.run)) return true;
  std::vector<std::string> names;
  storage::Statement all = store.db().prepare(storage::sql::kRunNamesInOrder);
  all.bind(dataset);
  while (all.step()) names.emplace_back(all.text(0));
  throw Error(Code::kNotFound,
              fmt::format("dataset {} has no run or record \"{}\"{}", target.dataset, *target.run,
                          did_you_mean(*target.run, names)),
              fmt::format("residue show {} lists the runs; record ids are case-sensitive", target.dataset));
}

int remove_record(Context& context, storage::Store& store, const Which& which, const storage::Target& target) {
  const ingest::Removed going = ingest::count_record(store, target.dataset, *target.run);
  confirm(context, which.target, fmt::format("{} ({})", which.target, told(going)));
  const ingest::Removed gone = ingest::remove_record(store, target.dataset, *target.run);
  context.out.write(fmt::format("removed {}: {}\n", which.target, told(gone)));
  context.out.flush();
  context.out.next("residue eval {}, then residue gc frees the space", target.dataset);
  for (const std::string& note : query::outdated_notes(store.db(), target.dataset)) {
    context.out.note("outdated: " + note);
  }
  return 0;
}

bool is_there(storage::Store& store, const storage::Target& target) {
  try {
    const DatasetId dataset = storage::find_dataset(store.db(), target.dataset);
    storage::Statement run = store.db().prepare(storage::sql::kRunExistsByName);
    return !target.run || run.bind(dataset, *target.run).step();
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return false;
  }
}

// Of private releases: those that never left are struck out of the ledger, and what is there of the target goes.
int strike(Context& context, const Which& which, const storage::Target& target) {
  const auto store = open_store(context);
  const auto going = storage::struck_out(storage::privacy_releases(store->db(), target.dataset), target.run);
  if (!going) {
    throw Error(
        Code::kNotFound, fmt::format("the ledger counts no private release of {}", which.target),
        fmt::format("residue show {} lists them; without --never-released rm removes what is there", target.dataset));
  }
  const bool there = is_there(*store, target);
  std::string what =
      *going == 0
          ? fmt::format("no private release from the sum of {}, where another run is the same release", target.dataset)
          : fmt::format("{} private release{} from the sum of {}", *going, *going == 1 ? "" : "s", target.dataset);
  if (there) {
    what += fmt::format(", and {} ({})", which.target,
                        told(target.run ? ingest::count_run(*store, target.dataset, *target.run)
                                        : ingest::count_dataset(*store, target.dataset)));
  }
  confirm(context, which.target, what);
  if (there) {
    static_cast<void>(target.run ? ingest::remove_run(*store, target.dataset, *target.run)
                                 : ingest::remove_dataset(*store, target.dataset));
  }
  ingest::strike_releases(*store, target.dataset, target.run);
  context.out.write(fmt::format("removed {}\n", what));
  context.out.flush();
  return 0;
}

int remove(Context& context, const Which& which) {
  const storage::Target target = storage::parse_target(which.target);
  if (which.never_released) return strike(context, which, target);
  if (which.annotator && which.kind.empty()) {
    throw Error(Code::kUsage, "--annotator without --labels", "name the kind: --labels span --annotator NAME");
  }
  if (!which.kind.empty()) return remove_labels(context, which, target);
  const auto store = open_store(context);
  if (target.run && names_record(*store, which, target)) return remove_record(context, *store, which, target);
  if (which.record)
    throw Error(Code::kUsage, "which record?", fmt::format("residue rm {}/ID --record", target.dataset));
  const ingest::Removed going = target.run ? ingest::count_run(*store, target.dataset, *target.run)
                                           : ingest::count_dataset(*store, target.dataset);
  confirm(context, which.target, fmt::format("{} ({})", which.target, told(going)));
  const ingest::Removed gone = target.run ? ingest::remove_run(*store, target.dataset, *target.run)
                                          : ingest::remove_dataset(*store, target.dataset);
  context.out.write(fmt::format("removed {}: {}\n", which.target, told(gone)));
  context.out.flush();
  if (storage::struck_out(storage::privacy_releases(store->db(), target.dataset), target.run)) {
    context.out.note(
        fmt::format("what was released stays spent: residue rm {} --never-released, if it never left", which.target));
  }
  context.out.next("residue gc frees the space");
  storage::Statement rated = store->db().prepare(storage::sql::kJudgmentExistsNotEmbedded);
  if (rated.step()) context.out.note("texts that models elsewhere rated stay: their ratings were paid for");
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
            syntax.flag("--record", which->record, "the target is a record, even if a run has its name");
            syntax
                .flag("--never-released", which->never_released,
                      "nobody saw its private releases: what they spent does not count")
                .excludes("--record")
                .excludes("--labels");
            syntax.add("--labels", which->kind, "only the dataset's labels of this kind")
                .one_of({ingest::kLabelKinds.begin(), ingest::kLabelKinds.end() - 1});
            syntax.add("--annotator", which->annotator, "with --labels: only this annotator's");
            return [which](Context& context) { return remove(context, *which); };
          }};
}

}  // namespace residue::cli
