// The answers of one name to one task about one run, by record, with what they are about (table task_answer).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/score/task_scores.h"
#include "query/stored/score_store.h"
#include "query/stored/witness.h"
#include "storage/store.h"

namespace residue::query {

struct AnswerSetHead {
  AnswerSetId id;
  RunId run;
  std::string run_name, model, task;
  std::string digest;  // what it was asked with (answer_set.digest); empty: from files
};

// Of a dataset, by run, model and task; with `run` of that run alone.
std::vector<AnswerSetHead> answer_sets(storage::Db& db, DatasetId dataset, std::optional<RunId> run = std::nullopt);

// Whether answers to the task have metrics, and whether these compare them with the answers about the originals.
bool has_metrics(std::string_view task);
bool compares_originals(std::string_view task);

// What an evaluation of the set depends on: contents of run, dataset and answers (view answer_content). Nothing where
// the run is gone.
std::optional<Contents> answer_contents(storage::Db& db, const AnswerSetHead& set);

// Whose answers a metric of the run was computed from, by name.
struct AnsweredMetric {
  std::string model;
  AnswerSetId set;
};
std::vector<AnsweredMetric> answered_metrics(storage::Db& db, RunId run, MetricId metric);

// Who answered the tasks that the metric is of, as other sets of answers show, and was never evaluated, by name.
std::vector<std::string> unevaluated_answers(storage::Db& db, RunId run, MetricId metric);

struct AnsweredRecord {
  RecordId id;                         // of a synthetic run storage::subject_of() its text
  std::uint64_t unit = 0;              // resampling unit
  TextId original, variant, question;  // 0: none
  TextId substitutions;                // of the variant; 0: none
  bool empty = false;                  // the original is: not applicable
  bool failed = false;                 // the run has no text of the record
  bool asked = false;                  // about these texts
  std::optional<TextId> answer;        // nothing: it gave none

  // Everything that its scores and their weights depend on, as one number.
  [[nodiscard]] std::uint64_t input() const;
  [[nodiscard]] TaskCase facts(const storage::Facts::Reader& texts) const;
};

struct Answered {
  std::vector<AnsweredRecord> records;  // of the dataset, of a synthetic run its texts, ascending id
  bool synthetic = false;
  bool independent = true;  // every record is a resampling unit of its own
  Contents contents;        // answer_contents()
};

// The answers of the same name to the same task about the originals; its id is 0 where there are none.
AnswerSetHead originals_of(storage::Db& db, DatasetId dataset, const AnswerSetHead& set);

// One snapshot of the catalog. Where the set does not exist nobody was asked.
Answered load_answered(storage::Store& store, DatasetId dataset, const AnswerSetHead& set);

}  // namespace residue::query
