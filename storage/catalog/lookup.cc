#include "storage/catalog/lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"

namespace residue::storage {
namespace {

std::vector<std::string> names_of(Statement& statement) {
  std::vector<std::string> names;
  while (statement.step()) names.emplace_back(statement.text(0));
  return names;
}

template <class IdType>
std::optional<IdType> first(Statement& statement) {
  if (!statement.step()) return std::nullopt;
  const auto id = statement.id<IdType>(0);
  statement.reset();
  return id;
}

// `; did you mean "bio/rupta"?` where runs, or what stands for a dataset, are called so.
std::string did_you_mean_run(Db& db, std::string_view name) {
  constexpr std::size_t kMost = 2;
  Statement all = db.prepare(sql::kRunNamesOfStore);
  std::vector<std::string> found;
  while (all.step()) {
    if (all.text(1) == name) found.push_back(fmt::format("\"{}/{}\"", all.text(0), all.text(1)));
  }
  if (found.empty()) return {};
  std::sort(found.begin(), found.end());
  if (found.size() > kMost) found.resize(kMost);
  return fmt::format("; did you mean {}?", fmt::join(found, " or "));
}

// The hint where no dataset has this name.
std::string hint_of(std::string_view name, const std::vector<std::string>& datasets) {
  if (datasets.empty()) return "residue ingest dataset NAME FILE makes one";
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return "residue status lists all datasets";
  const bool known = std::find(datasets.begin(), datasets.end(), name.substr(0, slash)) != datasets.end();
  return "give the name of a dataset only, without a slash and a run" +
         (known ? fmt::format(": {}", name.substr(0, slash)) : "");
}

}  // namespace

Target parse_target(std::string_view text) {
  Target target;
  const std::size_t slash = text.find('/');
  target.dataset = std::string(text.substr(0, slash));
  if (slash != std::string_view::npos) target.run = std::string(text.substr(slash + 1));
  if (target.dataset.empty() || (target.run && target.run->empty())) {
    throw Error(Code::kUsage, fmt::format("\"{}\" names neither a dataset nor a run", text),
                "write DATASET or DATASET/RUN");
  }
  return target;
}

DatasetId find_dataset(Db& db, std::string_view name) {
  Statement find = db.prepare(sql::kDatasetByName);
  if (const auto id = first<DatasetId>(find.bind(name))) return *id;
  Statement all = db.prepare(sql::kDatasetNamesInOrder);
  const auto names = names_of(all);
  std::string meant = did_you_mean(name, names);
  if (meant.empty()) meant = did_you_mean_run(db, name);
  throw Error(Code::kNotFound, fmt::format("no dataset \"{}\"{}", name, meant), hint_of(name, names));
}

RunId find_run(Db& db, std::string_view dataset, std::string_view run) {
  const DatasetId id = find_dataset(db, dataset);
  Statement find = db.prepare(sql::kRunByName);
  if (const auto found = first<RunId>(find.bind(id, run))) return *found;
  Statement all = db.prepare(sql::kRunNamesInOrder);
  throw Error(Code::kNotFound,
              fmt::format("no run \"{}\" in dataset {}{}", run, dataset, did_you_mean(run, names_of(all.bind(id)))),
              "residue status lists all runs");
}

ClaimSetId find_claim_set(Db& db, std::string_view dataset, std::string_view set) {
  const DatasetId id = find_dataset(db, dataset);
  Statement find = db.prepare(sql::kClaimSetByName);
  if (const auto found = first<ClaimSetId>(find.bind(id, set))) return *found;
  Statement all = db.prepare(sql::kClaimSetNamesInOrder);
  const auto names = names_of(all.bind(id));
  throw Error(
      Code::kNotFound, fmt::format("no claim set \"{}\" in dataset {}{}", set, dataset, did_you_mean(set, names)),
      fmt::format("residue atomize {0} makes claims of its own, residue ingest claims {0} FILE reads some", dataset));
}

RecordId find_record(Db& db, std::string_view dataset, std::string_view key) {
  const DatasetId id = find_dataset(db, dataset);
  Statement find = db.prepare(sql::kRecordByKey);
  if (const auto found = first<RecordId>(find.bind(id, key))) return *found;
  throw Error(Code::kNotFound, fmt::format("no record \"{}\" in dataset {}", key, dataset),
              "the record's id is case-sensitive");
}

}  // namespace residue::storage
