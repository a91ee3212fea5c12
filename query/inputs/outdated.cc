#include "query/inputs/outdated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "query/metric/metrics.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {

namespace {

// A sentence, and the run or the claim set that it is about.
struct Outdated {
  std::string run, claim_set, note;
};

std::vector<Outdated> outdated(storage::Db& db, const std::string& dataset) {
  std::vector<Outdated> all;
  const DatasetId id = storage::find_dataset(db, dataset);
  storage::Statement sets = db.prepare(storage::sql::kClaimSetsMadeFromOtherRecords);
  sets.bind(id);
  while (sets.step()) {
    const std::string name(sets.text(0));
    all.push_back({{},
                   name,
                   fmt::format("records of {} changed after the claims \"{}\" were made; residue atomize {} --set {}",
                               dataset, name, dataset, name)});
  }
  storage::Statement words = db.prepare(storage::sql::kClaimSetsInWordsOfOtherClaims);
  words.bind(id);
  while (words.step()) {
    const std::string name(words.text(0));
    all.push_back({{},
                   name,
                   fmt::format("the claims \"{1}\" of {0} changed after \"{2}\" was made of them; residue paraphrase "
                               "{0} --set {1} --with MODEL --into {2}",
                               dataset, words.text(1), name)});
  }
  storage::Statement runs = db.prepare(storage::sql::kRunsMadeFromOtherRecords);
  runs.bind(id);
  while (runs.step()) {
    const std::string name(runs.text(0));
    all.push_back({name,
                   {},
                   fmt::format("records of {} changed after run {} was made; repeat its residue sanitize command",
                               dataset, name)});
  }
  return all;
}

}  // namespace

std::vector<std::string> outdated_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes;
  for (Outdated& one : outdated(db, dataset)) notes.push_back(std::move(one.note));
  return notes;
}

std::string outdated_note(storage::Db& db, const std::string& dataset, const std::string& run,
                          const std::string& claim_set) {
  for (Outdated& one : outdated(db, dataset)) {
    if (one.run.empty() ? one.claim_set == claim_set : one.run == run) return std::move(one.note);
  }
  return {};
}

std::vector<std::string> lost_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes;
  storage::Statement runs = db.prepare(storage::sql::kRunsOfSyntheticTextsWithFailures);
  runs.bind(storage::find_dataset(db, dataset));
  while (runs.step()) {
    notes.push_back(fmt::format(
        "{} of {} texts of the synthetic run {} failed: what they held is unknown, so every record counts as failed; "
        "remove the run and ingest it without those rows to measure the others",
        runs.integer(2), runs.integer(1), runs.text(0)));
  }
  return notes;
}

std::vector<std::string> label_notes(storage::Db& db, const std::string& dataset) {
  const DatasetId id = storage::find_dataset(db, dataset);
  storage::Statement missing = db.prepare(storage::sql::kMetricMostMissingLabels);
  const auto most = [&](MetricId metric) {
    missing.bind(id, static_cast<std::int64_t>(metric)).step();
    const std::int64_t records = missing.integer(0);
    missing.reset();
    return records;
  };
  const std::int64_t spans = most(MetricId::kMentionRecall);
  const std::int64_t entities = std::max(most(MetricId::kPrivacyError), most(MetricId::kUtilityError));
  std::string kinds, commands;
  const auto add = [&](std::int64_t records, const char* what, const char* kind) {
    if (records == 0) return;
    kinds +=
        fmt::format("{}{} in {} {}", kinds.empty() ? "" : ", ", what, records, records == 1 ? "record" : "records");
    commands += fmt::format("; residue rm {} --labels {}, then ingest them again", dataset, kind);
  };
  add(spans, "spans", "span");
  add(entities, "entities", "entity");
  if (kinds.empty()) return {};
  return {fmt::format("labels of {} are not in their records' texts any more ({}), which count as missing{}", dataset,
                      kinds, commands)};
}

std::vector<std::string> dataset_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes = outdated_notes(db, dataset);
  for (std::string& note : lost_notes(db, dataset)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace residue::query
