// purge: removes a person, a record, a run or a dataset so that no byte of the store says it any more.
#include "verbs/keep/purge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

constexpr int kWaitSeconds = 10;

struct Which {
  std::string kind, target, name;
  int wait_s = kWaitSeconds;
  bool dry_run = false;
};

ingest::PurgeTarget target_of(const Which& which) {
  if (which.kind == "removed") {
    if (which.target.empty()) return {ingest::PurgeKind::kRemoved, {}, {}};
    throw Error(Code::kUsage, "purge removed takes no name", "residue purge removed");
  }
  if (which.target.empty()) {
    throw Error(Code::kUsage, fmt::format("which {}?", which.kind), "residue help purge has examples");
  }
  const bool named = which.kind == "person" || which.kind == "record";
  if (named && which.name.empty()) {
    throw Error(Code::kUsage, fmt::format("which {}?", which.kind),
                fmt::format("residue purge {} DATASET {}", which.kind, which.kind == "person" ? "NAME" : "ID"));
  }
  if (!named && !which.name.empty()) {
    throw Error(Code::kUsage, fmt::format("a {} has one name", which.kind),
                which.kind == "run" ? "residue purge run DATASET/RUN" : "residue purge dataset NAME");
  }
  const storage::Target target = storage::parse_target(which.target);
  if ((which.kind == "run") != target.run.has_value()) {
    throw Error(Code::kUsage, which.kind == "run" ? "which run?" : "that names a run, or a record",
                which.kind == "run"
                    ? fmt::format("residue purge run {}/RUN", target.dataset)
                    : fmt::format("residue purge {} {}{}", which.kind, target.dataset, named ? " " + which.name : ""));
  }
  if (which.kind == "run") return {ingest::PurgeKind::kRun, target.dataset, *target.run};
  if (which.kind == "dataset") return {ingest::PurgeKind::kDataset, target.dataset, {}};
  return {which.kind == "person" ? ingest::PurgeKind::kPerson : ingest::PurgeKind::kRecord, target.dataset, which.name};
}

std::string told(const ingest::Purged& gone) {
  std::string text;
  const auto add = [&text](std::uint64_t count, const char* what) {
    if (count == 0) return;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
  };
  add(gone.rows.records, "record");
  add(gone.rows.claims, "claim");
  add(gone.rows.runs, "run");
  add(gone.rows.variants, "variant");
  add(gone.rows.links, "link");
  add(gone.rows.labels, "label");
  add(gone.rows.answers, "answer");
  add(gone.rows.attempts, "attempt");
  add(gone.texts, "text");
  add(gone.ratings, "rating");
  add(gone.answers, "saved question");
  return text.empty() ? "nothing but the name" : text;
}

Json counted(const ingest::Purged& gone) {
  return {{"records", gone.rows.records},   {"claims", gone.rows.claims},     {"runs", gone.rows.runs},
          {"variants", gone.rows.variants}, {"links", gone.rows.links},       {"labels", gone.rows.labels},
          {"answers", gone.rows.answers},   {"attempts", gone.rows.attempts}, {"texts", gone.texts},
          {"ratings", gone.ratings},        {"saved_questions", gone.answers}};
}

// The same as JSON. `left`: nothing where nothing was removed.
void write_json(Context& context, const ingest::Purged& gone, const std::optional<ingest::PaidLeft>& left) {
  Json all = Json::object();
  all[left ? "removed" : "would_remove"] = counted(gone);
  all["begun_before"] = gone.begun;
  Json backups = Json::array();
  for (const storage::RecordedBackup& backup : gone.backups) {
    backups.push_back({{"path", backup.path}, {"made", utc(backup.at_ms)}, {"there", backup.there}});
  }
  all["backups"] = std::move(backups);
  if (left) {
    all["kept_paid_texts"] = left->texts;
    all["kept_paid_answers"] = left->answers;
    all["nothing_left"] = !left->any() && gone.synthetic.empty();
  }
  context.out.json(all);
  context.out.flush();
}

// Typed again: what goes comes from nowhere again.
void confirm(const Context& context, const Which& which, const std::string& what) {
  if (context.globals.yes) return;
  if (::isatty(STDIN_FILENO) == 0) {
    throw Error(Code::kUsage, fmt::format("purging {} needs a confirmation", what), "add --yes, or --dry-run");
  }
  const std::string& word = !which.name.empty() ? which.name : !which.target.empty() ? which.target : which.kind;
  std::cerr << "removes " << what << " for good, also what was paid for; type " << word << " to go on: " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != word) throw Error(Code::kUsage, "nothing was removed", "type the whole name, or add --yes");
}

void tell_backups(Context& context, const ingest::Purged& gone) {
  for (const storage::RecordedBackup& backup : gone.backups) {
    context.out.write(fmt::format("backup {} of {} was made before and may hold it{}\n", backup.path, utc(backup.at_ms),
                                  backup.there ? "" : " (not there now)"));
  }
  context.out.flush();
}

void tell(Context& context, const ingest::Purged& gone, const std::string& dataset) {
  if (!context.out.wants_json()) tell_backups(context, gone);
  for (const std::string& run : gone.synthetic) {
    context.out.note(fmt::format(
        "texts of the synthetic run {0} belong to no record and may quote any: they stay until residue purge "
        "run {1}/{0}",
        run, dataset));
  }
  if (!gone.views.empty()) {
    context.out.note(fmt::format("saved views that name it go, too: {}", fmt::join(gone.views, ", ")));
  }
  if (gone.rows.named > 0) {
    context.out.note(fmt::format("{} attempts on others named it, and stay without its name", gone.rows.named));
  }
  if (gone.unknown_answers > 0) {
    context.out.note(
        fmt::format("{} saved questions are about no text that anybody has, or of an older residue, which did not note "
                    "it: they go, too",
                    gone.unknown_answers));
  }
}

int purge(Context& context, const Which& which) {
  const ingest::PurgeTarget target = target_of(which);
  const auto store = open_store(context);
  const ingest::Purged going = ingest::count_purge(*store, target);
  const std::string kind = (which.kind == "removed" ? "what is left of removed texts" : "a " + which.kind);
  const std::string what = fmt::format("{} ({})", kind, told(going));
  const bool json = context.out.wants_json();
  if (which.dry_run) {
    if (json) write_json(context, going, std::nullopt);
    if (!json) {
      context.out.write(going.begun ? "an earlier purge of it did not come to its end: its bytes would go\n"
                                    : fmt::format("would remove {}\n", what));
    }
    tell(context, going, target.dataset);
    return 0;
  }
  if (!going.begun) confirm(context, which, what);
  std::optional<Progress> progress;  // of what follows upon the rows
  verbs::PurgeOptions options;
  options.target = target;
  options.wait_ms = which.wait_s * 1000;
  options.rows_gone = [&](const ingest::Purged& gone) {
    if (!json) {
      context.out.write(gone.begun ? "its rows went with an earlier purge\n"
                                   : fmt::format("removed {}: {}\n", kind, told(gone)));
    }
    tell(context, gone, target.dataset);
    progress.emplace(context.globals, "rewriting texts");
  };
  options.rewriting = [&](std::uint64_t done, std::optional<std::uint64_t> total) {
    progress->update(done, total.value_or(0));
  };
  const verbs::PurgeResult result = verbs::purge(*store, options);
  progress.reset();
  if (json) write_json(context, result.gone, result.left);
  const bool synthetic = !result.gone.synthetic.empty();
  if (!json && !result.left.any() && !synthetic) context.out.write("nothing of it is left in the store\n");
  if (!json && !result.left.any() && synthetic) {
    context.out.write("nothing of it is left in the store but what texts of synthetic runs may quote\n");
  }
  context.out.flush();
  if (target.kind != ingest::PurgeKind::kDataset && target.kind != ingest::PurgeKind::kRemoved) {
    context.out.next("residue eval {}", target.dataset);
  }
  for (const std::string& note : result.outdated) context.out.note("outdated: " + note);
  if (result.notes > 0) {
    context.out.note(
        fmt::format("{} of runs of {} {} your own words, and were not looked at: residue tag {} shows them",
                    result.notes == 1 ? "1 note" : fmt::format("{} notes", result.notes), target.dataset,
                    result.notes == 1 ? "is in" : "are in", target.dataset));
  }
  verbs::require_nothing_paid(result.left);
  return 0;
}

}  // namespace

Command purge_command() {
  return {.name = "purge",
          .group = Group::kKeep,
          .summary = "remove a person, record, run or dataset for good",
          .usage = "person|record|run|dataset|removed [TARGET] [NAME] [--dry-run] [--wait SECONDS] [--yes]",
          .details =
              "Removes the rows, and also what was paid for and quotes them: ratings of their texts, and saved answers "
              "of models. Then it does what residue gc does, so that no byte of the store holds the texts any more.\n"
              "The ledger keeps what each request has cost, and what releases with differential privacy have spent. "
              "Backups that were made before still hold the texts; the command names them.\n"
              "Exit code 75 means that something is left; the message says what and why. The same command again "
              "finishes it, or residue purge removed: ratings and answers about earlier wordings of records that were "
              "edited are kept until then, because nobody knows whose they were. See docs/erasure.md.",
          .examples = {{"residue purge record clinic r-12",
                        "a record: its claims, labels, answers, and its text in every run"},
                       {"residue purge person clinic p-7 --dry-run", "all records of a person; says what would go"},
                       {"residue purge run clinic/azure", "a run, and what models answered when it was made"},
                       {"residue purge removed", "what rm and edits left because it was paid for"},
                       {"residue purge dataset clinic --yes", "everything of a dataset, without a question"}},
          .guarded = true,
          .setup = [](Syntax& syntax) -> Run {
            auto which = std::make_shared<Which>();
            syntax.add("WHAT", which->kind, "person, record, run, dataset, or removed: what rm and edits left")
                .required()
                .one_of({"person", "record", "run", "dataset", "removed"});
            syntax.add("TARGET", which->target, "DATASET, or DATASET/RUN");
            syntax.add("NAME", which->name, "the person, or the record's id");
            syntax.flag("--dry-run", which->dry_run, "says what would go; nothing does");
            syntax.add("--wait", which->wait_s, "seconds to wait for other processes to close the store (10)");
            return [which](Context& context) { return purge(context, *which); };
          }};
}

}  // namespace residue::cli
