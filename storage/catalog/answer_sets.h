// Writing the table `task_answer`, and the fingerprints of its sets: the answers of one name to one task about one run.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fingerprint.h"
#include "base/ids.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {

struct AnswerSet {
  RunId run;
  std::string model, task;
  friend auto operator<=>(const AnswerSet&, const AnswerSet&) = default;
};

// Whom an answer about a synthetic run's text is of, which belongs to no record: no record has that id.
constexpr RecordId subject_of(VariantId text) { return RecordId{-text.value}; }

struct TaskAnswerRow {
  RecordId record;               // or subject_of()
  std::optional<TextId> answer;  // nothing: it was asked and gave none
  std::int64_t about = 0;        // task_about.h
};

// Inside write batches: begin, put and clear, end, before the batch commits.
class AnswerSetWriter {
 public:
  enum class Change { kNew, kSame, kChanged };

  explicit AnswerSetWriter(Db& db);
  void begin() {
    open_.clear();
    emptied_.clear();
  }

  // Adds the answer, or replaces the record's; makes the set.
  Change put(const AnswerSet& set, const TaskAnswerRow& row);

  // Takes out the record's answer, where there is one. A set that has none then is gone at end().
  void erase(const AnswerSet& set, RecordId record);

  // The set has no answers any more; makes it.
  void clear(const AnswerSet& set);

  void end();

 private:
  Fingerprint& content_of(const AnswerSet& set);
  std::optional<TaskAnswerRow> known(const AnswerSet& set, RecordId record);

  std::map<AnswerSet, Fingerprint> open_;
  std::vector<AnswerSet> emptied_;  // perhaps: an answer was taken out
  Statement find_, make_, known_, put_, erase_, drop_, clear_, save_;
};

}  // namespace residue::storage
