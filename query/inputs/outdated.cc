#include "query/inputs/outdated.h"

#include <fmt/format.h>

#include <utility>

#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/run.h"

namespace residue::query {

std::vector<std::string> outdated_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes;
  const DatasetId id = storage::find_dataset(db, dataset);
  storage::Statement sets = db.prepare(storage::sql::kClaimSetsMadeFromOtherRecords);
  sets.bind(id);
  while (sets.step()) {
    notes.push_back(fmt::format("records of {} changed after the claims \"{}\" were made; residue atomize {} --set {}",
                                dataset, sets.text(0), dataset, sets.text(0)));
  }
  storage::Statement words = db.prepare(storage::sql::kClaimSetsInWordsOfOtherClaims);
  words.bind(id);
  while (words.step()) {
    notes.push_back(
        fmt::format("the claims \"{1}\" of {0} changed after \"{2}\" was made of them; residue paraphrase {0} "
                    "--set {1} --with MODEL --into {2}",
                    dataset, words.text(1), words.text(0)));
  }
  storage::Statement runs = db.prepare(storage::sql::kRunsMadeFromOtherRecords);
  runs.bind(id);
  while (runs.step()) {
    notes.push_back(fmt::format("records of {} changed after run {} was made; repeat its residue sanitize command",
                                dataset, runs.text(0)));
  }
  return notes;
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

std::vector<std::string> dataset_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes = outdated_notes(db, dataset);
  for (std::string& note : lost_notes(db, dataset)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace residue::query
