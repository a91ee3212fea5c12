// copy_inputs of recompute.h.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/evaluate/recompute.h"
#include "storage/catalog/answer_sets.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/task_answer.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/embedder.h"
#include "storage/catalog/sources/embedder_origin.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/run_claim_set.h"
#include "storage/catalog/sources/variant.h"
#include "storage/catalog/sources/vector.h"
#include "storage/catalog/task_about.h"
#include "storage/vectors.h"

namespace residue::query {
namespace {

using storage::PrivacyClass;
using storage::Statement;

constexpr std::size_t kRowsAtOnce = 5'000;

// Copies rows of one query through `put`, in write batches.
template <class Put>
void copy_rows(storage::Store& store, storage::Store& fresh, Statement& rows, Put put) {
  const auto reader = store.facts().read();
  bool more = rows.step();
  while (more) {
    const auto batch = fresh.write();
    for (std::size_t i = 0; i < kRowsAtOnce && more; ++i) {
      put(*batch, rows, *reader);
      more = rows.step();
    }
    batch->commit();
  }
}

class Copy {
 public:
  Copy(storage::Store& store, storage::Store& fresh) : store_(store), fresh_(fresh) {}

  void dataset(std::int64_t id) {
    const std::int64_t copy = insert_dataset(id);
    records(id, copy);
    claims(id, copy);
    labels(id, copy);
    runs(id, copy);
  }

 private:
  std::int64_t insert_dataset(std::int64_t id) {
    Statement find = store_.db().prepare(storage::sql::kDatasetNameCreationAndContent);
    find.bind(id).step();
    const auto batch = fresh_.write();
    Statement put = batch->db().prepare(storage::sql::kInsertDataset);
    put.run(find.text(0), find.integer(1), Statement::Blob{find.text(2)});
    const std::int64_t copy = batch->db().last_insert_id();
    batch->commit();
    return copy;
  }

  void records(std::int64_t id, std::int64_t copy) {
    keys_.clear();
    Statement rows = store_.db().prepare(storage::sql::kRecordsInKeyOrder);
    rows.bind(id);
    Statement put = fresh_.db().prepare(storage::sql::kInsertRecordWithoutMeta);
    copy_rows(store_, fresh_, rows,
              [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                const TextId text = batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kOriginal);
                std::optional<TextId> task;
                if (!row.is_null(5)) task = batch.put_text(texts.text(row.id<TextId>(5)), PrivacyClass::kOriginal);
                put.run(copy, row.text(1), text, row.text_or_null(3), row.text_or_null(4), task);
                keys_[row.integer(0)] = {fresh_.db().last_insert_id(), text, task.value_or(TextId{})};
              });
  }

  void claims(std::int64_t id, std::int64_t copy) {
    Statement sets = store_.db().prepare(storage::sql::kClaimSetsInNameOrderWithSource);
    sets.bind(id);
    while (sets.step()) {
      std::int64_t set = 0;
      {
        const auto batch = fresh_.write();
        std::optional<Statement::Blob> made_from;
        if (!sets.is_null(6)) made_from = Statement::Blob{sets.text(6)};
        batch->db()
            .prepare(storage::sql::kInsertClaimSetWithCategorizer)
            .run(copy, sets.text(1), sets.text(2), Statement::Blob{sets.text(3)}, sets.text_or_null(4), made_from,
                 sets.text_or_null(7), sets.text(8));
        set = batch->db().last_insert_id();
        batch->commit();
      }
      Statement rows = store_.db().prepare(
          // What rules said they say again.
          storage::sql::kClaimsInKeyOrderWithCategory);
      rows.bind(sets.integer(0), sets.integer(5));
      Statement put = fresh_.db().prepare(storage::sql::kInsertClaim);
      copy_rows(store_, fresh_, rows,
                [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                  put.run(set, keys_.at(row.integer(0)).id, row.integer(1),
                          batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kOriginal), row.text_or_null(3));
                });
    }
  }

  void labels(std::int64_t id, std::int64_t copy) {
    Statement rows = store_.db().prepare(storage::sql::kLabelsWithoutRunInOrder);
    rows.bind(id);
    Statement put = fresh_.db().prepare(storage::sql::kInsertLabelPayloadFirst);
    copy_rows(store_, fresh_, rows,
              [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                put.run(copy, row.text(0), keys_.at(row.integer(1)).id, row.text_or_null(2),
                        batch.put_text(texts.text(row.id<TextId>(3)), PrivacyClass::kOriginal),
                        batch.put_text(texts.text(row.id<TextId>(4)), PrivacyClass::kOriginal));
              });
  }

  void runs(std::int64_t id, std::int64_t copy) {
    Statement rows = store_.db().prepare(storage::sql::kRunsInNameOrderWithCreation);
    rows.bind(id);
    while (rows.step()) {
      std::int64_t run = 0;
      {
        const auto batch = fresh_.write();
        batch->db()
            .prepare(storage::sql::kInsertRunWithoutSpec)
            .run(copy, rows.text(1), rows.text(2), rows.integer(3), Statement::Blob{rows.text(4)}, rows.integer(5),
                 rows.integer(6) != 0);
        run = batch->db().last_insert_id();
        batch->commit();
      }
      variants(rows.integer(0), run);
      run_claims(rows.integer(0), run);
      if (rows.text(2) == "synthetic") {
        answers_about_texts(rows.id<RunId>(0), RunId{run});
      } else {
        answers(rows.id<RunId>(0), RunId{run}, rows.text(2) == "none");
      }
      asked_with(rows.id<RunId>(0), RunId{run});
    }
  }

  void variants(std::int64_t id, std::int64_t run) {
    Statement rows = store_.db().prepare(storage::sql::kVariantsInKeyOrder);
    rows.bind(id);
    variants_.clear();
    Statement put = fresh_.db().prepare(storage::sql::kInsertVariant);
    copy_rows(store_, fresh_, rows,
              [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                std::optional<std::int64_t> record;
                std::optional<TextId> original, text;
                if (!row.is_null(0)) {
                  const Record& copied = keys_.at(row.integer(0));
                  record = copied.id;
                  original = copied.text;
                }
                if (!row.is_null(2))
                  text = batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kSanitized, original);
                std::optional<TextId> table, spans;
                if (!row.is_null(5)) table = batch.put_text(texts.text(row.id<TextId>(5)), PrivacyClass::kOriginal);
                if (!row.is_null(6)) spans = batch.put_text(texts.text(row.id<TextId>(6)), PrivacyClass::kOriginal);
                put.run(run, record, row.text_or_null(1), text, row.text_or_null(3), table, spans);
                variants_[row.integer(4)] = fresh_.db().last_insert_id();
              });
  }

  // After the run's variants.
  void run_claims(std::int64_t id, std::int64_t run) {
    Statement sets = store_.db().prepare(storage::sql::kRunClaimSetsFinishedOfRun);
    sets.bind(id);
    while (sets.step()) {
      std::int64_t set = 0;
      {
        const auto batch = fresh_.write();
        batch->db()
            .prepare(storage::sql::kInsertRunClaimSetWithMadeFrom)
            .run(run, sets.text(1), sets.text(2), Statement::Blob{sets.text(3)}, Statement::Blob{sets.text(4)});
        set = batch->db().last_insert_id();
        batch->commit();
      }
      Statement rows = store_.db().prepare(storage::sql::kRunClaimsOfSetByVariant);
      rows.bind(sets.integer(0));
      Statement put = fresh_.db().prepare(storage::sql::kInsertRunClaim);
      copy_rows(store_, fresh_, rows,
                [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                  put.run(set, variants_.at(row.integer(0)), row.integer(1),
                          batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kSanitized));
                });
    }
  }

  // After the run's variants. An answer about other texts than those that are there stays one.
  void answers(RunId id, RunId run, bool originals) {
    Statement rows = store_.db().prepare(storage::sql::kTaskAnswersOfRunWithTexts);
    rows.bind(id);
    Statement find = fresh_.db().prepare(storage::sql::kVariantTextAndSubstitutionsOfRecord);
    storage::AnswerSetWriter writer(fresh_.db());
    copy_rows(
        store_, fresh_, rows,
        [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
          const auto number = [](const Statement& from, int at) { return TextId{from.integer(at)}; };  // NULL: 0
          const Record& copied = keys_.at(row.integer(0));
          const std::string task(row.text(2));
          const storage::TaskTexts then{number(row, originals ? 5 : 7), number(row, 5), number(row, 6), number(row, 8)};
          storage::TaskTexts now{originals ? copied.text : TextId{}, copied.text, copied.task};
          const bool there = !originals && find.bind(run, RecordId{copied.id}).step();
          if (there) now.variant = number(find, 0);
          if (there && then.restored.value != 0) now.restored = number(find, 1);
          find.reset();
          std::optional<TextId> answer;
          if (!row.is_null(3)) answer = batch.put_text(texts.text(row.id<TextId>(3)), PrivacyClass::kOriginal);
          const std::int64_t is = storage::task_about(task, now), was = storage::task_about(task, then);
          writer.begin();
          writer.put({run, std::string(row.text(1)), task},
                     {RecordId{copied.id}, answer, row.integer(4) == was ? is : ~is});
          writer.end();
        });
  }

  // Likewise, of a synthetic run.
  void answers_about_texts(RunId id, RunId run) {
    Statement rows = store_.db().prepare(storage::sql::kTaskAnswersOfSyntheticRun);
    rows.bind(id);
    Statement find = fresh_.db().prepare(storage::sql::kVariantTextById);
    storage::AnswerSetWriter writer(fresh_.db());
    copy_rows(store_, fresh_, rows,
              [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                const VariantId copied{variants_.at(row.integer(0))};
                const std::string task(row.text(2));
                TextId text;
                if (find.bind(copied).step()) text = TextId{find.integer(0)};
                find.reset();
                std::optional<TextId> answer;
                if (!row.is_null(3)) answer = batch.put_text(texts.text(row.id<TextId>(3)), PrivacyClass::kOriginal);
                const std::int64_t was = storage::task_about(task, {TextId{row.integer(5)}, {}, {}});
                const std::int64_t is = storage::task_about(task, {text, {}, {}});
                writer.begin();
                writer.put({run, std::string(row.text(1)), task},
                           {storage::subject_of(copied), answer, row.integer(4) == was ? is : ~is});
                writer.end();
              });
  }

  // Whether two sets answer the same questions.
  void asked_with(RunId id, RunId run) {
    const auto batch = fresh_.write();
    Statement sets = store_.db().prepare(storage::sql::kAnswerSetsOfRun);
    sets.bind(id);
    Statement mark = fresh_.db().prepare(storage::sql::kUpdateAnswerSetDigestAndParser);
    while (sets.step()) {
      if (!sets.is_null(2)) mark.run(run, sets.text(0), sets.text(1), Statement::Blob{sets.text(2)}, sets.integer(3));
    }
    batch->commit();
  }

  struct Record {
    std::int64_t id = 0;
    TextId text, task;
  };
  storage::Store& store_;
  storage::Store& fresh_;
  std::unordered_map<std::int64_t, Record> keys_;
  std::unordered_map<std::int64_t, std::int64_t> variants_;  // of the run at hand
};

void copy_vectors(storage::Store& store, storage::Store& fresh, const storage::Embedder& embedder) {
  Statement rows = store.db().prepare(storage::sql::kVectorTextsOfEmbedderInOrder);
  rows.bind(embedder.id);
  storage::VectorWriter writer(fresh.db(), embedder.name);
  const auto reader = store.facts().read();
  bool more = rows.step();
  while (more) {
    const auto batch = fresh.write();
    writer.begin();
    for (std::size_t i = 0; i < kRowsAtOnce && more; ++i) {
      const auto text = rows.id<TextId>(0);
      const std::vector<float> values = storage::load_vectors(store.db(), *reader, embedder, std::span(&text, 1));
      writer.put(*batch, batch->put_text(reader->text(text), PrivacyClass::kOriginal), values);
      more = rows.step();
    }
    writer.end();
    batch->commit();
  }
}

// What models said is input: their judgments are made from it again.
void copy_answers(storage::Store& store, storage::Store& fresh) {
  const auto batch = fresh.write();
  Statement judges = store.db().prepare(storage::sql::kJudgesOfModels);
  Statement put = batch->db().prepare(storage::sql::kInsertJudgeOfModel);
  while (judges.step()) {
    put.run(judges.text(0), judges.text(1), Statement::Blob{judges.text(2)}, judges.integer(3));
  }
  store.facts().read()->each_answer([&](const storage::SavedAnswer& answer) {
    batch->facts().put_answer(answer.vote, answer.attempt, answer.envelope);
  });
  batch->commit();
}

// What was judged elsewhere is input, too.
void copy_judgments(storage::Store& store, storage::Store& fresh) {
  std::unordered_map<std::int64_t, JudgeId> judges;
  {
    const auto batch = fresh.write();
    Statement rows = store.db().prepare(storage::sql::kJudgesElsewhere);
    Statement put = batch->db().prepare(storage::sql::kInsertJudgeElsewhereWithRevision);
    while (rows.step()) {
      put.run(rows.text(1), rows.text(2), Statement::Blob{rows.text(3)}, rows.integer(4));
      judges[rows.integer(0)] = JudgeId{batch->db().last_insert_id()};
    }
    batch->commit();
  }
  if (judges.empty()) return;
  Statement rows = store.db().prepare(storage::sql::kJudgmentsElsewhere);
  Statement put = fresh.db().prepare(storage::sql::kInsertJudgmentElsewhere);
  copy_rows(store, fresh, rows,
            [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
              put.run(judges.at(row.integer(0)), batch.put_text(texts.text(row.id<TextId>(1)), PrivacyClass::kOriginal),
                      batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kOriginal), row.integer(3));
            });
}

// Which dataset is a control of which.
void copy_controls(storage::Store& store, storage::Store& fresh) {
  const auto batch = fresh.write();
  Statement pairs = store.db().prepare(storage::sql::kDatasetControlPairs);
  Statement put = batch->db().prepare(storage::sql::kUpdateDatasetControlOf);
  while (pairs.step()) {
    put.run(storage::find_dataset(batch->db(), pairs.text(0)), storage::find_dataset(batch->db(), pairs.text(1)));
  }
  batch->commit();
}

}  // namespace

void copy_inputs(storage::Store& store, storage::Store& fresh) {
  Copy copy(store, fresh);
  Statement datasets = store.db().prepare(storage::sql::kDatasetsInNameOrder);
  while (datasets.step()) copy.dataset(datasets.integer(0));
  copy_controls(store, fresh);
  Statement embedders = store.db().prepare(storage::sql::kEmbedderNamesInOrder);
  while (embedders.step()) copy_vectors(store, fresh, storage::find_embedder(store.db(), embedders.text(0)));
  const auto batch = fresh.write();
  Statement origins = store.db().prepare(storage::sql::kEmbedderOriginNames);
  while (origins.step()) {
    storage::put_embedder_origin(batch->db(), *storage::embedder_origin(store.db(), origins.text(0)));
  }
  batch->commit();
  copy_answers(store, fresh);
  copy_judgments(store, fresh);
}

}  // namespace residue::query
