#include "ingest/files/answers.h"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/nearest.h"
#include "ingest/batches/batch.h"
#include "ingest/files/unknown_names.h"
#include "storage/catalog/answer_sets.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "storage/catalog/task_about.h"
#include "text/measures/attribute_match.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

constexpr std::size_t kMaxModel = 128;

class AnswerSink final : public RowSink<AnswerRow> {
 public:
  AnswerSink(storage::Db& db, std::string dataset)
      : db_(db),
        dataset_(std::move(dataset)),
        record_(db.prepare(storage::sql::kRecordByKeyWithTask)),
        run_(db.prepare(storage::sql::kRunByNameWithKind)),
        variant_(db.prepare(storage::sql::kVariantTextOfRecord)),
        text_(db.prepare(storage::sql::kVariantByKey)),
        asked_(db.prepare(storage::sql::kAnswerSetExistsAskedHere)),
        labelled_(db.prepare(storage::sql::kLabelAttributePayloadsOfDataset)),
        writer_(db),
        names_(db, dataset_) {}

  void begin(WriteBatch& /*batch*/, const IngestPosition& /*progress*/) override {
    id_ = storage::find_dataset(db_, dataset_);
    writer_.begin();
  }

  std::optional<Problem> put(WriteBatch& batch, const AnswerRow& row, Outcome& outcome) override {
    if (auto problem = check_answerer(row.model)) return problem;
    if (!run_.bind(id_, row.run).step()) return names_.run(row.run);
    const auto run = run_.id<RunId>(0);
    const std::string kind(run_.text(1));
    run_.reset();
    if (kind == "synthetic") return put_about_text(batch, run, row, outcome);
    if (!record_.bind(id_, row.record).step()) return names_.record(row.record, "ingest the record first");
    const auto record = record_.id<RecordId>(0);
    const auto task = record_.integer_or_null(1);
    const auto original = record_.id<TextId>(2);
    record_.reset();
    if (!task && row.task == "choice") {
      return Problem{"the record has no task",
                     "ingest the dataset with \"task\": {\"question\", \"options\", \"answer\"}"};
    }
    if (row.gold && right_answer(batch, TextId{*task}) != *row.gold) {
      return Problem{"the right answer in the file is not that of the record's task",
                     "check that the file is about these records"};
    }
    if (!seen_.insert(key_of(row)).second) return answered_twice();
    if (was_asked(run, row)) return asked_here();
    if (auto problem = unknown_attribute(batch, row)) return problem;
    const storage::TaskTexts texts{kind == "none" ? original : variant(run, record), original, TextId{task.value_or(0)},
                                   TextId{}};
    const std::int64_t about = storage::task_about(row.task, texts);
    std::optional<TextId> answer;
    if (row.answer) answer = batch.put_text(*row.answer, storage::PrivacyClass::kOriginal);
    outcome = outcome_of(writer_.put({run, row.model, row.task}, {record, answer, about}));
    return std::nullopt;
  }

  void skip(const AnswerRow& row) override { seen_.insert(key_of(row)); }
  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override { writer_.end(); }

 private:
  static std::string key_of(const AnswerRow& row) {
    return fmt::format("{}/{}:{}{}:{}{}", row.task, row.run.size(), row.run, row.model.size(), row.model, row.record);
  }

  bool was_asked(RunId run, const AnswerRow& row) {
    const bool found = asked_.bind(run, row.model, row.task).step();
    asked_.reset();
    return found;
  }

  // About a text of a synthetic run, by its key.
  std::optional<Problem> put_about_text(WriteBatch& batch, RunId run, const AnswerRow& row, Outcome& outcome) {
    if (!storage::is_about_text_alone(row.task)) {
      return Problem{"this task asks about a record, and the texts of this run belong to none",
                     "leave the row out: only coherence and category are about any text"};
    }
    if (!text_.bind(run, row.record).step()) {
      text_.reset();
      return Problem{"the run has no text of this key", "a synthetic text's key is its id, or its line in the file"};
    }
    const auto subject = storage::subject_of(text_.id<VariantId>(0));
    const TextId about = text_.is_null(1) ? TextId{} : text_.id<TextId>(1);
    text_.reset();
    if (!seen_.insert(key_of(row)).second) return answered_twice();
    if (was_asked(run, row)) return asked_here();
    std::optional<TextId> answer;
    if (row.answer) answer = batch.put_text(*row.answer, storage::PrivacyClass::kOriginal);
    outcome = outcome_of(writer_.put({run, row.model, row.task},
                                     {subject, answer, storage::task_about(row.task, {about, TextId{}, TextId{}})}));
    return std::nullopt;
  }

  static Problem answered_twice() {
    return {"an earlier line of this file has an answer of this model about this record",
            "give every further answer a model name of its own: \"gpt-4/repeat-2\""};
  }
  static Problem asked_here() {
    return {"residue asked a model of this name itself", "give the answers in the file a model name of their own"};
  }

  // The run's text of the record; 0: it has none.
  TextId variant(RunId run, RecordId record) {
    TextId text;
    if (variant_.bind(run, record).step() && !variant_.is_null(0)) text = variant_.id<TextId>(0);
    variant_.reset();
    return text;
  }

  // Guesses about an attribute that nothing knows would be compared with no label.
  std::optional<Problem> unknown_attribute(WriteBatch& batch, const AnswerRow& row) {
    if (row.task != "attributes" || !row.answer) return std::nullopt;
    const Json guesses = Json::parse(*row.answer).value();
    for (const auto& [attribute, said] : guesses.items()) {
      if (known_.empty()) load_known(batch);
      if (known_.contains(attribute)) continue;
      const std::vector<std::string> names(known_.begin(), known_.end());
      return Problem{
          fmt::format("the guesses are about an attribute that is not known{}", did_you_mean(attribute, names)),
          "name it as the labels do; ingest labels --map-label NAME=NAME makes a new one known"};
    }
    return std::nullopt;
  }

  // Those that people label, and those of the dataset's labels.
  void load_known(WriteBatch& batch) {
    known_.insert(text::attribute_names().begin(), text::attribute_names().end());
    labelled_.bind(id_);
    while (labelled_.step()) {
      const auto label = Json::parse(batch.facts().text(labelled_.id<TextId>(0))).value_or(Json());
      if (label.is_object()) known_.insert(label.value("attribute", std::string()));
    }
    labelled_.reset();
  }

  static std::string right_answer(WriteBatch& batch, TextId task) {
    const auto json = Json::parse(batch.facts().text(task)).value_or(Json());
    if (!json.is_object() || !json.contains("answer") || !json["answer"].is_string()) return {};
    return json["answer"].get<std::string>();
  }

  storage::Db& db_;
  const std::string dataset_;
  DatasetId id_;
  std::unordered_set<std::string> seen_;  // of this file
  std::set<std::string> known_;           // attributes; empty until there are guesses
  Statement record_, run_, variant_, text_, asked_, labelled_;
  storage::AnswerSetWriter writer_;
  UnknownNames names_;
};

}  // namespace

Outcome outcome_of(storage::AnswerSetWriter::Change change) {
  using Change = storage::AnswerSetWriter::Change;
  return change == Change::kNew ? Outcome::kNew : change == Change::kSame ? Outcome::kSame : Outcome::kChanged;
}

std::optional<Problem> check_answerer(std::string_view model) {
  if (!model.empty() && model.size() <= kMaxModel) return std::nullopt;
  return Problem{"this cannot be the name of a model", "1 to 128 bytes: \"gpt-4/prompt-2\""};
}

IngestResult ingest_answers(storage::Store& store, const std::string& dataset, RowSource<AnswerRow>& source,
                            const SourceIdentity& file, const IngestOptions& options) {
  storage::find_dataset(store.db(), dataset);
  AnswerSink sink(store.db(), dataset);
  return store_rows(store, source, file, fmt::format("answers {}", dataset), options, sink);
}

}  // namespace residue::ingest
