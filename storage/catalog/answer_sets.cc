#include "storage/catalog/answer_sets.h"

#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/answers/task_answer.h"

namespace residue::storage {
namespace {

void add(Fingerprint& content, const TaskAnswerRow& row) {
  content.add(std::to_string(row.record.value), row.answer ? row.answer->value : -1, row.about);
}
void remove(Fingerprint& content, const TaskAnswerRow& row) {
  content.remove(std::to_string(row.record.value), row.answer ? row.answer->value : -1, row.about);
}

}  // namespace

AnswerSetWriter::AnswerSetWriter(Db& db)
    : find_(db.prepare(sql::kAnswerSetContent)),
      make_(db.prepare(sql::kInsertAnswerSet)),
      known_(db.prepare(sql::kTaskAnswerOfRecord)),
      put_(db.prepare(sql::kInsertOrUpdateTaskAnswer)),
      erase_(db.prepare(sql::kDeleteTaskAnswer)),
      drop_(db.prepare(sql::kDeleteAnswerSetWithoutAnswers)),
      clear_(db.prepare(sql::kDeleteTaskAnswersOfSet)),
      save_(db.prepare(sql::kUpdateAnswerSetContent)) {}

Fingerprint& AnswerSetWriter::content_of(const AnswerSet& set) {
  const auto found = open_.find(set);
  if (found != open_.end()) return found->second;
  Fingerprint content;
  if (find_.bind(set.run, set.model, set.task).step()) {
    content = Fingerprint(find_.text(0));
  } else {
    const std::string empty = content.bytes();
    make_.run(set.run, set.model, set.task, Statement::Blob{empty});
  }
  find_.reset();
  return open_.emplace(set, content).first->second;
}

std::optional<TaskAnswerRow> AnswerSetWriter::known(const AnswerSet& set, RecordId record) {
  std::optional<TaskAnswerRow> row;
  if (known_.bind(set.run, set.model, set.task, record).step()) {
    row = {record, known_.is_null(0) ? std::nullopt : std::optional(known_.id<TextId>(0)), known_.integer(1)};
  }
  known_.reset();
  return row;
}

AnswerSetWriter::Change AnswerSetWriter::put(const AnswerSet& set, const TaskAnswerRow& row) {
  Fingerprint& content = content_of(set);
  const std::optional<TaskAnswerRow> before = known(set, row.record);
  if (before && before->answer == row.answer && before->about == row.about) return Change::kSame;
  if (before) remove(content, *before);
  add(content, row);
  put_.run(set.run, set.model, set.task, row.record, row.answer, row.about);
  return before ? Change::kChanged : Change::kNew;
}

void AnswerSetWriter::erase(const AnswerSet& set, RecordId record) {
  const std::optional<TaskAnswerRow> row = known(set, record);
  if (!row) return;
  remove(content_of(set), *row);
  emptied_.push_back(set);
  erase_.run(set.run, set.model, set.task, record);
}

void AnswerSetWriter::clear(const AnswerSet& set) {
  content_of(set) = Fingerprint();
  clear_.run(set.run, set.model, set.task);
}

void AnswerSetWriter::end() {
  for (const auto& [set, content] : open_) {
    const std::string bytes = content.bytes();
    save_.run(set.run, set.model, set.task, Statement::Blob{bytes});
  }
  for (const AnswerSet& set : emptied_) drop_.run(set.run, set.model, set.task);
  emptied_.clear();
}

}  // namespace residue::storage
