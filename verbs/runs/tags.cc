#include "verbs/runs/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "storage/catalog/sources/run_made.h"
#include "storage/catalog/sources/run_note.h"
#include "storage/catalog/sources/run_tag.h"
#include "verbs/runs/names.h"

namespace residue::verbs {
namespace {

void check_tags(const std::vector<std::string>& tags) {
  for (const std::string& tag : tags) check_owner_name("tag", tag);
}

RunFacts find_facts(storage::Db& db, const storage::Target& target) {
  static_cast<void>(storage::find_run(db, target.dataset, *target.run));
  for (RunFacts& facts : run_facts(db, target.dataset)) {
    if (facts.run == *target.run) return std::move(facts);
  }
  throw Error(Code::kInternal, "a run that was there is gone");
}

void apply(storage::Db& db, RunId run, const TagOptions& options) {
  storage::Statement add = db.prepare(storage::sql::kInsertRunTagIfNew);
  for (const std::string& tag : options.add) add.run(run, tag);
  storage::Statement remove = db.prepare(storage::sql::kDeleteRunTag);
  for (const std::string& tag : options.remove) remove.run(run, tag);
  if (!options.note) return;
  if (options.note->empty()) {
    db.prepare(storage::sql::kDeleteRunNote).run(run);
  } else {
    db.prepare(storage::sql::kPutRunNote).run(run, *options.note);
  }
}

bool contains(const std::vector<std::string>& list, const std::string& one) {
  return std::ranges::find(list, one) != list.end();
}

}  // namespace

void check(const TagOptions& options) {
  check_tags(options.add);
  check_tags(options.remove);
  for (const std::string& tag : options.add) {
    if (contains(options.remove, tag)) {
      throw Error(Code::kUsage, fmt::format("the tag \"{}\" is to be added and removed", tag), "say one of the two");
    }
  }
  if (!options.note) return;
  if (options.note->size() > kMaxNoteBytes) {
    throw Error(Code::kUsage, fmt::format("--note has {} bytes, the most is {}", options.note->size(), kMaxNoteBytes),
                "write a shorter note");
  }
  if (options.note->find('\0') != std::string::npos) {
    throw Error(Code::kUsage, "--note has a NUL character", "remove it");
  }
}

TagResult tag(storage::Store& store, const TagOptions& options) {
  check(options);
  const auto batch = store.write();
  TagResult result{find_facts(batch->db(), options.target), {}, {}};
  if (result.run.control) {
    throw Error(Code::kUsage, fmt::format("\"{}\" is a control of every dataset, not a run of yours", result.run.run),
                "tag the runs that you made");
  }
  for (const std::string& tag : options.add) {
    if (contains(result.run.tags, tag)) result.known.push_back(tag);
  }
  for (const std::string& tag : options.remove) {
    if (!contains(result.run.tags, tag)) result.absent.push_back(tag);
  }
  apply(batch->db(), result.run.id, options);
  result.run = find_facts(batch->db(), options.target);
  batch->commit();
  return result;
}

void note_made(storage::Store& store, const TagOptions& tags, const MadeNow& made) {
  const bool tagged = !tags.add.empty() || !tags.remove.empty() || tags.note;
  if (!tagged && !made.changed) return;
  const auto batch = store.write();
  const RunFacts facts = find_facts(batch->db(), tags.target);
  if (facts.control) return;
  if (made.changed) {
    const auto ms =
        made.seconds ? std::optional(static_cast<std::int64_t>(std::llround(*made.seconds * 1000))) : std::nullopt;
    batch->db().prepare(storage::sql::kPutRunMade).run(facts.id, made.version, now_ms(), ms);
  }
  apply(batch->db(), facts.id, tags);
  batch->commit();
}

}  // namespace residue::verbs
