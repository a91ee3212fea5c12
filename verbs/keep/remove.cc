#include "verbs/keep/remove.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "ingest/files/remove_record.h"
#include "query/inputs/outdated.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/privacy_ledger.h"
#include "storage/catalog/sources/run.h"

namespace residue::verbs {
namespace {

using What = Removal::What;

std::string name_of(const storage::Target& target) {
  return target.run ? fmt::format("{}/{}", target.dataset, *target.run) : target.dataset;
}

bool names_record(storage::Store& store, const RemoveOptions& options) {
  const storage::Target& target = options.target;
  if (options.record) return true;
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

std::optional<std::int64_t> struck_out(storage::Store& store, const storage::Target& target) {
  return storage::struck_out(storage::privacy_releases(store.db(), target.dataset), target.run);
}

ingest::Removed count_whole(storage::Store& store, const storage::Target& target) {
  return target.run ? ingest::count_run(store, target.dataset, *target.run)
                    : ingest::count_dataset(store, target.dataset);
}

ingest::Removed remove_whole(storage::Store& store, const storage::Target& target) {
  return target.run ? ingest::remove_run(store, target.dataset, *target.run)
                    : ingest::remove_dataset(store, target.dataset);
}

Removal count_releases(storage::Store& store, const storage::Target& target) {
  const auto going = struck_out(store, target);
  if (!going) {
    throw Error(
        Code::kNotFound, fmt::format("the ledger counts no private release of {}", name_of(target)),
        fmt::format("residue show {} lists them; without --never-released rm removes what is there", target.dataset));
  }
  Removal removal{What::kReleases, {}, is_there(store, target), *going};
  if (removal.there) removal.rows = count_whole(store, target);
  return removal;
}

}  // namespace

void check(const RemoveOptions& options) {
  if (options.never_released) return;
  if (options.annotator && options.labels.empty()) {
    throw Error(Code::kUsage, "--annotator without --labels", "name the kind: --labels span --annotator NAME");
  }
  if (!options.labels.empty() && options.target.run) {
    throw Error(Code::kUsage, "labels belong to a dataset",
                fmt::format("residue rm {} --labels {}", options.target.dataset, options.labels));
  }
}

Removal count_removal(storage::Store& store, const RemoveOptions& options) {
  check(options);
  const storage::Target& target = options.target;
  if (options.never_released) return count_releases(store, target);
  if (!options.labels.empty()) {
    return {What::kLabels, ingest::count_labels(store, target.dataset, {options.labels, options.annotator})};
  }
  if (target.run && names_record(store, options)) {
    return {What::kRecord, ingest::count_record(store, target.dataset, *target.run)};
  }
  if (options.record) {
    throw Error(Code::kUsage, "which record?", fmt::format("residue rm {}/ID --record", target.dataset));
  }
  return {target.run ? What::kRun : What::kDataset, count_whole(store, target)};
}

RemoveResult remove(storage::Store& store, const RemoveOptions& options, What what) {
  const storage::Target& target = options.target;
  RemoveResult result;
  switch (what) {
    case What::kLabels:
      result.rows = ingest::remove_labels(store, target.dataset, {options.labels, options.annotator});
      return result;
    case What::kRecord:
      result.rows = ingest::remove_record(store, target.dataset, *target.run);
      result.outdated = query::outdated_notes(store.db(), target.dataset);
      return result;
    case What::kReleases:
      if (is_there(store, target)) result.rows = remove_whole(store, target);
      ingest::strike_releases(store, target.dataset, target.run);
      return result;
    case What::kRun:
    case What::kDataset:
      break;
  }
  result.rows = remove_whole(store, target);
  result.spent = struck_out(store, target).has_value();
  result.rated = store.db().prepare(storage::sql::kJudgmentExistsNotEmbedded).step();
  return result;
}

}  // namespace residue::verbs
