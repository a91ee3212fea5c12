#include "query/inputs/outdated.h"

#include <fmt/format.h>

#include <utility>

#include "storage/catalog/lookup.h"

namespace residue::query {

std::vector<std::string> outdated_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes;
  const DatasetId id = storage::find_dataset(db, dataset);
  storage::Statement sets = db.prepare(
      "SELECT s.name FROM claim_set s JOIN dataset d ON d.id = s.dataset_id "
      "WHERE d.id = ?1 AND s.words_of IS NULL AND s.made_from IS NOT NULL AND s.made_from <> d.content "
      "ORDER BY s.name");
  sets.bind(id);
  while (sets.step()) {
    notes.push_back(fmt::format("records of {} changed after the claims \"{}\" were made; residue atomize {} --set {}",
                                dataset, sets.text(0), dataset, sets.text(0)));
  }
  storage::Statement words = db.prepare(
      "SELECT s.name, s.words_of FROM claim_set s LEFT JOIN claim_set o ON o.dataset_id = s.dataset_id AND o.name = "
      "s.words_of WHERE s.dataset_id = ?1 AND s.words_of IS NOT NULL AND s.made_from IS NOT o.content ORDER BY s.name");
  words.bind(id);
  while (words.step()) {
    notes.push_back(
        fmt::format("the claims \"{1}\" of {0} changed after \"{2}\" was made of them; residue paraphrase {0} "
                    "--set {1} --with MODEL --into {2}",
                    dataset, words.text(1), words.text(0)));
  }
  storage::Statement runs = db.prepare(
      "SELECT r.name FROM run r JOIN dataset d ON d.id = r.dataset_id "
      "WHERE d.id = ?1 AND r.made_from IS NOT NULL AND r.made_from <> d.content ORDER BY r.name");
  runs.bind(id);
  while (runs.step()) {
    notes.push_back(fmt::format("records of {} changed after run {} was made; repeat its residue sanitize command",
                                dataset, runs.text(0)));
  }
  return notes;
}

std::vector<std::string> lost_notes(storage::Db& db, const std::string& dataset) {
  std::vector<std::string> notes;
  storage::Statement runs = db.prepare(
      "SELECT r.name, count(v.id), count(v.id) - count(v.text_id) FROM run r LEFT JOIN variant v ON v.run_id = r.id "
      "WHERE r.dataset_id = ?1 AND r.kind = 'synthetic' GROUP BY r.id "
      "HAVING count(v.text_id) < count(v.id) OR count(v.id) = 0 ORDER BY r.name");
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
