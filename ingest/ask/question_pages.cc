#include "ingest/ask/question_pages.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "ingest/batches/progress.h"
#include "ingest/rows/names.h"
#include "ingest/words/asked_words.h"
#include "storage/catalog/answer_sets.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "storage/catalog/task_about.h"

namespace residue::ingest {
namespace {

using model::TaskKind;

constexpr std::size_t kPageRecords = 4096;
constexpr std::size_t kPageBytes = 16U << 20U;

// Texts of the controls are the originals, and nothing.
constexpr std::string_view kPage = storage::sql::kRecordPageWithTextOfRun;

}  // namespace

std::string_view answered_as(TaskKind kind) {
  switch (kind) {
    case TaskKind::kChoice:
      return "choice";
    case TaskKind::kCoherenceMedical:
    case TaskKind::kCoherenceChat:
      return "coherence";
    case TaskKind::kCategory:
      return "category";
    case TaskKind::kAttributes:
      return "attributes";
    case TaskKind::kUtility:
      return "utility";
    case TaskKind::kQuestions:
      return "qa";
    case TaskKind::kRespond:
      return "response";
    default:
      return "";
  }
}

bool asks_text_alone(TaskKind kind) { return storage::is_about_text_alone(answered_as(kind)); }

QuestionPages::QuestionPages(storage::Store& store, std::string_view dataset, std::string_view run, TaskKind kind)
    : store_(store),
      kind_(kind),
      dataset_(storage::find_dataset(store.db(), dataset)),
      run_(storage::find_run(store.db(), dataset, run)),
      page_(store.db().prepare(kPage)),
      text_page_(store.db().prepare(storage::sql::kTextPageOfSyntheticRun)) {
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  check_complete(store.db(), fmt::format("run {}/{}", dataset, run));
  storage::Statement what = store.db().prepare(storage::sql::kRunKind);
  what.bind(run_).step();
  synthetic_ = what.text(0) == "synthetic";
  if (synthetic_ && !asks_text_alone(kind)) {
    throw Error(
        Code::kUsage,
        fmt::format("the task {2} asks about texts of records, and the texts of run {0}/{1} belong to no record",
                    dataset, run, answered_as(kind)),
        "coherence and category can be asked about any text");
  }
  removed_ = what.text(0) == "remove-all";
  if (removed_ && kind != TaskKind::kChoice) {
    throw Error(Code::kUsage, fmt::format("{}/{} has no texts to ask about", dataset, run),
                "the task choice can be asked without a text: --task choice");
  }
  storage::Statement count =
      store.db().prepare(synthetic_ ? storage::sql::kVariantCountOfRun : storage::sql::kRecordCountOfDataset);
  if ((synthetic_ ? count.bind(run_) : count.bind(dataset_)).step())
    total_ = static_cast<std::uint64_t>(count.integer(0));
}

bool QuestionPages::next(std::vector<RecordQuestion>& questions) {
  questions.clear();
  const storage::ReadTransaction snapshot(store_.db());
  const auto texts = store_.facts().read();
  std::size_t bytes = 0, records = 0;
  storage::Statement& page = synthetic_ ? text_page_ : page_;
  page.bind(dataset_, run_, last_, static_cast<std::int64_t>(kPageRecords));
  while (bytes < kPageBytes && page.step()) {
    ++records;
    last_ = page.id<RecordId>(0);
    const bool restores = kind_ == TaskKind::kRespond;
    const storage::TaskTexts ids{page.is_null(3) ? TextId{} : page.id<TextId>(3), page.id<TextId>(1),
                                 page.is_null(2) ? TextId{} : page.id<TextId>(2),
                                 restores && !page.is_null(4) ? page.id<TextId>(4) : TextId{}};
    RecordQuestion question{last_, storage::task_about(answered_as(kind_), ids), {}, {}, {}};
    if (synthetic_) question.id = storage::subject_of(VariantId{last_.value});
    const std::string original = synthetic_ ? std::string() : texts->text(ids.original);
    std::vector<std::string> choice;
    if (kind_ == TaskKind::kChoice && ids.task.value != 0) choice = choice_of(texts->text(ids.task));
    if ((is_blank(original) && !synthetic_) || (kind_ == TaskKind::kChoice && choice.empty())) {
      ++without_;
      continue;
    }
    if (ids.variant.value == 0 && !removed_) {
      ++failed_;
      continue;
    }
    if (kind_ == TaskKind::kUtility) question.texts.push_back(original);
    question.texts.push_back(removed_ ? std::string() : texts->text(ids.variant));
    if (ids.restored.value != 0) {
      question.substitutions = texts->text(ids.restored);
      question.original = original;
    }
    if ((restores || synthetic_) && is_blank(question.texts.back())) {  // no prompt
      ++failed_;
      continue;
    }
    for (std::string& part : choice) question.texts.push_back(std::move(part));
    for (const std::string& text : question.texts) bytes += text.size();
    questions.push_back(std::move(question));
  }
  page.reset();
  passed_ += records;
  return records > 0;
}

}  // namespace residue::ingest
