#include "ingest/files/remove.h"

#include <fmt/format.h>

#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/nearest.h"
#include "ingest/rows/names.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/privacy_ledger.h"
#include "storage/catalog/results/link.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/ingest_progress.h"
#include "storage/catalog/sources/intruder.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

using storage::Statement;

std::uint64_t count(storage::Db& db, std::string_view sql, std::int64_t id) {
  Statement statement = db.prepare(sql);
  return statement.bind(id).step() ? static_cast<std::uint64_t>(statement.integer(0)) : 0;
}

Removed of_dataset(storage::Db& db, DatasetId dataset) {
  const std::int64_t id = dataset.value;
  Removed gone;
  gone.records = count(db, storage::sql::kRecordCountOfDataset, id);
  gone.claims = count(db, storage::sql::kClaimCountOfDataset, id);
  gone.runs = count(db, storage::sql::kRunCountOfDataset, id);
  gone.variants = count(db, storage::sql::kVariantCountOfDataset, id);
  gone.links = count(db, storage::sql::kLinkCountOfDataset, id);
  gone.labels = count(db, storage::sql::kLabelCountOfDataset, id);
  gone.attempts = count(db, storage::sql::kIntruderAttemptCountOfDataset, id);
  return gone;
}

Removed of_run(storage::Db& db, RunId run) {
  Removed gone;
  gone.runs = 1;
  gone.variants = count(db, storage::sql::kVariantCountOfRun, run.value);
  gone.links = count(db, storage::sql::kLinkCountOfRun, run.value);
  gone.labels = count(db, storage::sql::kLabelCountOfRun, run.value);
  gone.attempts = count(db, storage::sql::kIntruderAttemptCountOfRun, run.value);
  return gone;
}

RunId find_own_run(storage::Db& db, std::string_view dataset, std::string_view run) {
  const RunId id = storage::find_run(db, dataset, run);
  if (!is_control(run)) return id;
  throw Error(Code::kUsage, fmt::format("\"{}\" is an automatic control of every dataset", run),
              "it is removed with its dataset");
}

// Notes about unfinished inputs are removed, or renamed, with the thing that they are about. Targets: 'dataset D', 'run
// D/R', 'claims D/S', 'claims D/R/S', 'labels D/K', 'vectors D/M'.
void move_progress(storage::Db& db, const std::string& from, const std::string& to) {
  Statement one = db.prepare(storage::sql::kUpdateIngestProgressTarget);
  one.run(from, to);
}

void erase_progress_of(storage::Db& db, const std::string& target) {
  Statement erase = db.prepare(storage::sql::kDeleteIngestProgressOfTarget);
  erase.run(target);
}

// Targets that begin with `prefix`, which ends in '/'.
std::vector<std::string> targets_below(storage::Db& db, const std::string& prefix) {
  std::vector<std::string> targets;
  Statement find = db.prepare(storage::sql::kIngestProgressTargetsByPrefix);
  find.bind(prefix);
  while (find.step()) targets.emplace_back(find.text(0));
  return targets;
}

Removed chosen_labels(storage::Db& db, std::string_view dataset, const LabelSelection& which) {
  const DatasetId id = storage::find_dataset(db, dataset);
  Statement find = db.prepare(storage::sql::kLabelCountOfKindByAnnotator);
  find.bind(id, which.kind, which.annotator).step();
  Removed gone;
  gone.labels = static_cast<std::uint64_t>(find.integer(0));
  if (gone.labels > 0 || !which.annotator) return gone;
  std::vector<std::string> names;
  std::string listed;
  Statement all = db.prepare(storage::sql::kLabelAnnotatorsOfKind);
  all.bind(id, which.kind);
  while (all.step()) {
    names.emplace_back(all.text(0));
    listed += (listed.empty() ? "annotators: " : ", ") + names.back();
  }
  throw Error(Code::kNotFound,
              fmt::format("no annotator named \"{}\" has labels of the kind {} in {}{}", *which.annotator, which.kind,
                          dataset, did_you_mean(*which.annotator, names)),
              names.empty() ? "no label of this kind names its annotator" : listed);
}

constexpr const char* kBelow[] = {"run", "claims", "labels", "vectors"};

}  // namespace

std::vector<storage::Lock> lock_runs(storage::Store& store, DatasetId dataset) {
  std::vector<storage::Lock> locks;
  Statement runs = store.db().prepare(storage::sql::kRunIdsInOrder);
  runs.bind(dataset);
  while (runs.step()) locks.push_back(store.lock_run(runs.id<RunId>(0)));
  return locks;
}

Removed with_room(const std::function<Removed()>& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain) throw;
    throw Error(Code::kTryAgain, "the disk of the store is full: nothing was removed",
                "free some space on it and repeat the command: it needs a little space before it frees some; residue "
                "gc may free enough");
  }
}

Removed count_dataset(storage::Store& store, std::string_view dataset) {
  return of_dataset(store.db(), storage::find_dataset(store.db(), dataset));
}

Removed count_run(storage::Store& store, std::string_view dataset, std::string_view run) {
  return of_run(store.db(), find_own_run(store.db(), dataset, run));
}

Removed erase_dataset_rows(storage::Db& db, std::string_view dataset) {
  const DatasetId id = storage::find_dataset(db, dataset);
  const Removed gone = of_dataset(db, id);
  db.prepare(storage::sql::kDeleteDataset).run(id);
  erase_progress_of(db, fmt::format("dataset {}", dataset));
  for (const char* kind : kBelow) {
    for (const auto& target : targets_below(db, fmt::format("{} {}/", kind, dataset))) erase_progress_of(db, target);
  }
  return gone;
}

Removed erase_run_rows(storage::Db& db, std::string_view dataset, std::string_view run) {
  const RunId id = find_own_run(db, dataset, run);
  const Removed gone = of_run(db, id);
  db.prepare(storage::sql::kDeleteRun).run(id);
  erase_progress_of(db, fmt::format("run {}/{}", dataset, run));
  for (const auto& target : targets_below(db, fmt::format("claims {}/{}/", dataset, run))) {
    erase_progress_of(db, target);
  }
  return gone;
}

Removed remove_dataset(storage::Store& store, std::string_view dataset) {
  const auto alone = store.claim_targets();
  const auto locks = lock_runs(store, storage::find_dataset(store.db(), dataset));
  return with_room([&] {
    const auto batch = store.write();
    const Removed gone = erase_dataset_rows(batch->db(), dataset);
    batch->commit();
    return gone;
  });
}

Removed remove_run(storage::Store& store, std::string_view dataset, std::string_view run) {
  const auto alone = store.claim_targets();
  const auto lock = store.lock_run(find_own_run(store.db(), dataset, run));
  return with_room([&] {
    const auto batch = store.write();
    const Removed gone = erase_run_rows(batch->db(), dataset, run);
    batch->commit();
    return gone;
  });
}

Removed count_labels(storage::Store& store, std::string_view dataset, const LabelSelection& which) {
  return chosen_labels(store.db(), dataset, which);
}

Removed remove_labels(storage::Store& store, std::string_view dataset, const LabelSelection& which) {
  const auto alone = store.claim_targets();
  return with_room([&] {
    const auto batch = store.write();
    const Removed gone = chosen_labels(batch->db(), dataset, which);
    Statement erase = batch->db().prepare(storage::sql::kDeleteLabelsOfKindByAnnotator);
    erase.run(storage::find_dataset(batch->db(), dataset), which.kind, which.annotator);
    erase_progress_of(batch->db(), fmt::format("labels {}/{}", dataset, which.kind));
    batch->commit();
    return gone;
  });
}

std::int64_t strike_releases(storage::Store& store, std::string_view dataset, std::optional<std::string_view> run) {
  const auto alone = store.claim_targets();
  const auto batch = store.write();
  const std::int64_t struck = storage::strike_privacy_releases(batch->db(), dataset, run, now_ms());
  batch->commit();
  return struck;
}

void rename_dataset(storage::Store& store, std::string_view from, std::string_view to) {
  check_name("dataset", to);
  const auto alone = store.claim_targets();
  const auto batch = store.write();
  const DatasetId id = storage::find_dataset(batch->db(), from);
  Statement rename = batch->db().prepare(storage::sql::kUpdateDatasetName);
  rename.run(id, to);
  if (batch->db().changes() == 0) {
    throw Error(Code::kUsage, fmt::format("there is a dataset \"{}\" already", to), "choose another name");
  }
  storage::rename_privacy_dataset(batch->db(), from, to);
  move_progress(batch->db(), fmt::format("dataset {}", from), fmt::format("dataset {}", to));
  for (const char* kind : kBelow) {
    const std::string prefix = fmt::format("{} {}/", kind, from);
    for (const auto& target : targets_below(batch->db(), prefix)) {
      move_progress(batch->db(), target, fmt::format("{} {}/{}", kind, to, target.substr(prefix.size())));
    }
  }
  batch->commit();
}

void rename_run(storage::Store& store, std::string_view dataset, std::string_view from, std::string_view to,
                const AlsoRename& also) {
  check_name("run", to);
  const auto alone = store.claim_targets();
  const auto batch = store.write();
  const RunId id = find_own_run(batch->db(), dataset, from);
  Statement rename = batch->db().prepare(storage::sql::kUpdateRunName);
  rename.run(id, to);
  if (batch->db().changes() == 0) {
    throw Error(Code::kUsage, fmt::format("there is a run \"{}\" in dataset {} already", to, dataset),
                "choose another name");
  }
  storage::rename_privacy_run(batch->db(), dataset, from, to);
  move_progress(batch->db(), fmt::format("run {}/{}", dataset, from), fmt::format("run {}/{}", dataset, to));
  const std::string claims = fmt::format("claims {}/{}/", dataset, from);
  for (const auto& target : targets_below(batch->db(), claims)) {
    move_progress(batch->db(), target, fmt::format("claims {}/{}/{}", dataset, to, target.substr(claims.size())));
  }
  if (also) also(batch->db(), storage::find_dataset(batch->db(), dataset));
  batch->commit();
}

}  // namespace residue::ingest
