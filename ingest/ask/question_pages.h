// What a task asks about a run's texts, some records at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/tasks/task.h"
#include "storage/store.h"

namespace residue::ingest {

// Whether the task can be asked about a text alone, which may belong to no record.
bool asks_text_alone(model::TaskKind kind);

// What answers to a task are kept as (task_answer.task); empty for tasks whose answers are no facts about a record.
std::string_view answered_as(model::TaskKind kind);

struct RecordQuestion {
  RecordId id;                     // of a synthetic run storage::subject_of() its text
  std::int64_t about = 0;          // storage/task_about.h
  std::vector<std::string> texts;  // one per part of the task
  std::string substitutions;       // kRespond: what stands for what in the text (substitutions.h); empty: nobody said
  std::string original;            // kRespond, where there are substitutions
};

class QuestionPages {
 public:
  // Throws Error{not found}; Error{bad input} if an input of dataset or run was not read to its end; Error{usage} for a
  // run whose texts belong to no record, unless the task asks about a text alone; and for remove-all, which has no
  // texts, unless a question can do without.
  QuestionPages(storage::Store& store, std::string_view dataset, std::string_view run, model::TaskKind kind);

  // The next records that can be asked about, in the order of their ids: at most 4,096 or 16 MiB of text. False after
  // the last. Left out: records without a text in the run, with an empty original, without a question that can be
  // asked.
  bool next(std::vector<RecordQuestion>& questions);

  [[nodiscard]] RunId run() const { return run_; }
  [[nodiscard]] const char* what() const { return synthetic_ ? "texts" : "records"; }  // that are counted:
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t passed() const { return passed_; }    // of these, those looked at
  [[nodiscard]] std::uint64_t failed() const { return failed_; }    // of these, without a text in the run
  [[nodiscard]] std::uint64_t without() const { return without_; }  // with an empty original, or without a question

 private:
  storage::Store& store_;
  const model::TaskKind kind_;
  DatasetId dataset_;
  RunId run_;
  RecordId last_;
  std::uint64_t total_ = 0, passed_ = 0, failed_ = 0, without_ = 0;
  bool removed_ = false, synthetic_ = false;
  storage::Statement page_, text_page_;
};

}  // namespace residue::ingest
