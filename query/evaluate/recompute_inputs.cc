// copy_inputs of recompute.h.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/evaluate/recompute.h"
#include "storage/catalog/answer_sets.h"
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
    Statement find = store_.db().prepare("SELECT name, created_at, content FROM dataset WHERE id = ?1");
    find.bind(id).step();
    const auto batch = fresh_.write();
    Statement put = batch->db().prepare("INSERT INTO dataset (name, created_at, content) VALUES (?1, ?2, ?3)");
    put.run(find.text(0), find.integer(1), Statement::Blob{find.text(2)});
    const std::int64_t copy = batch->db().last_insert_id();
    batch->commit();
    return copy;
  }

  void records(std::int64_t id, std::int64_t copy) {
    keys_.clear();
    Statement rows = store_.db().prepare(
        "SELECT id, key, text_id, person, label, task_id FROM record WHERE dataset_id = ?1 ORDER BY key");
    rows.bind(id);
    Statement put = fresh_.db().prepare(
        "INSERT INTO record (dataset_id, key, text_id, person, label, task_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
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
    Statement sets = store_.db().prepare(
        "SELECT id, name, source, content, categorizer, coalesce(categorizer GLOB 'rules/*', 0) FROM claim_set "
        "WHERE dataset_id = ?1 ORDER BY name");
    sets.bind(id);
    while (sets.step()) {
      std::int64_t set = 0;
      {
        const auto batch = fresh_.write();
        batch->db()
            .prepare(
                "INSERT INTO claim_set (dataset_id, name, source, content, categorizer) VALUES (?1, ?2, ?3, ?4, ?5)")
            .run(copy, sets.text(1), sets.text(2), Statement::Blob{sets.text(3)}, sets.text_or_null(4));
        set = batch->db().last_insert_id();
        batch->commit();
      }
      Statement rows = store_.db().prepare(
          // What rules said they say again.
          "SELECT c.record_id, c.n, c.text_id, CASE WHEN ?2 THEN NULL ELSE c.category END FROM claim c "
          "JOIN record r ON r.id = c.record_id WHERE c.claim_set_id = ?1 ORDER BY r.key, c.n");
      rows.bind(sets.integer(0), sets.integer(5));
      Statement put = fresh_.db().prepare(
          "INSERT INTO claim (claim_set_id, record_id, n, text_id, category) "
          "VALUES (?1, ?2, ?3, ?4, ?5)");
      copy_rows(store_, fresh_, rows,
                [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                  put.run(set, keys_.at(row.integer(0)).id, row.integer(1),
                          batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kOriginal), row.text_or_null(3));
                });
    }
  }

  void labels(std::int64_t id, std::int64_t copy) {
    Statement rows = store_.db().prepare(
        "SELECT kind, record_id, annotator, payload_id, subject_id FROM label "
        "WHERE dataset_id = ?1 AND run_id IS NULL ORDER BY id");
    rows.bind(id);
    Statement put = fresh_.db().prepare(
        "INSERT INTO label (dataset_id, kind, record_id, annotator, payload_id, subject_id) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    copy_rows(store_, fresh_, rows,
              [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                put.run(copy, row.text(0), keys_.at(row.integer(1)).id, row.text_or_null(2),
                        batch.put_text(texts.text(row.id<TextId>(3)), PrivacyClass::kOriginal),
                        batch.put_text(texts.text(row.id<TextId>(4)), PrivacyClass::kOriginal));
              });
  }

  void runs(std::int64_t id, std::int64_t copy) {
    Statement rows = store_.db().prepare(
        "SELECT id, name, kind, removes_everything, content, created_at FROM run WHERE dataset_id = ?1 ORDER BY name");
    rows.bind(id);
    while (rows.step()) {
      std::int64_t run = 0;
      {
        const auto batch = fresh_.write();
        batch->db()
            .prepare(
                "INSERT INTO run (dataset_id, name, kind, removes_everything, content, created_at) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .run(copy, rows.text(1), rows.text(2), rows.integer(3), Statement::Blob{rows.text(4)}, rows.integer(5));
        run = batch->db().last_insert_id();
        batch->commit();
      }
      variants(rows.integer(0), run);
      run_claims(rows.integer(0), run);
      answers(rows.id<RunId>(0), RunId{run}, rows.text(2) == "none");
    }
  }

  void variants(std::int64_t id, std::int64_t run) {
    Statement rows = store_.db().prepare(
        "SELECT v.record_id, v.key, v.text_id, v.error, v.id, v.substitutions_id FROM variant v LEFT JOIN record r ON "
        "r.id = v.record_id "
        "WHERE v.run_id = ?1 ORDER BY coalesce(r.key, v.key)");
    rows.bind(id);
    variants_.clear();
    Statement put = fresh_.db().prepare(
        "INSERT INTO variant (run_id, record_id, key, text_id, error, substitutions_id) VALUES (?1, ?2, ?3, ?4, ?5, "
        "?6)");
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
                std::optional<TextId> table;
                if (!row.is_null(5)) table = batch.put_text(texts.text(row.id<TextId>(5)), PrivacyClass::kOriginal);
                put.run(run, record, row.text_or_null(1), text, row.text_or_null(3), table);
                variants_[row.integer(4)] = fresh_.db().last_insert_id();
              });
  }

  // After the run's variants.
  void run_claims(std::int64_t id, std::int64_t run) {
    Statement sets = store_.db().prepare(
        "SELECT id, name, source, content, made_from FROM run_claim_set WHERE run_id = ?1 AND made_from IS NOT NULL "
        "ORDER BY name");
    sets.bind(id);
    while (sets.step()) {
      std::int64_t set = 0;
      {
        const auto batch = fresh_.write();
        batch->db()
            .prepare("INSERT INTO run_claim_set (run_id, name, source, content, made_from) VALUES (?1, ?2, ?3, ?4, ?5)")
            .run(run, sets.text(1), sets.text(2), Statement::Blob{sets.text(3)}, Statement::Blob{sets.text(4)});
        set = batch->db().last_insert_id();
        batch->commit();
      }
      Statement rows =
          store_.db().prepare("SELECT variant_id, n, text_id FROM run_claim WHERE set_id = ?1 ORDER BY variant_id, n");
      rows.bind(sets.integer(0));
      Statement put =
          fresh_.db().prepare("INSERT INTO run_claim (set_id, variant_id, n, text_id) VALUES (?1, ?2, ?3, ?4)");
      copy_rows(store_, fresh_, rows,
                [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
                  put.run(set, variants_.at(row.integer(0)), row.integer(1),
                          batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kSanitized));
                });
    }
  }

  // After the run's variants. An answer about other texts than those that are there stays one.
  void answers(RunId id, RunId run, bool originals) {
    Statement rows = store_.db().prepare(
        "SELECT a.record_id, a.model, a.task, a.answer_id, a.about, r.text_id, r.task_id, v.text_id,"
        " iif(s.digest IS NULL, NULL, v.substitutions_id) FROM task_answer a JOIN record r ON r.id = a.record_id"
        " JOIN answer_set s USING (run_id, model, task) LEFT JOIN variant v ON v.run_id = a.run_id AND"
        " v.record_id = r.id WHERE a.run_id = ?1 ORDER BY a.model, a.task, r.key");
    rows.bind(id);
    Statement find =
        fresh_.db().prepare("SELECT text_id, substitutions_id FROM variant WHERE run_id = ?1 AND record_id = ?2");
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
    // Whether two sets answer the same questions.
    const auto batch = fresh_.write();
    Statement sets = store_.db().prepare("SELECT model, task, digest, parser FROM answer_set WHERE run_id = ?1");
    sets.bind(id);
    Statement mark = fresh_.db().prepare(
        "UPDATE answer_set SET digest = ?4, parser = ?5 WHERE run_id = ?1 AND model = ?2 AND task = ?3");
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
  Statement rows = store.db().prepare("SELECT text_id FROM vector WHERE embedder_id = ?1 ORDER BY text_id");
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
  Statement judges = store.db().prepare(
      "SELECT name, spec, digest, claims_per_request FROM judge WHERE NOT embedded AND json_extract(spec, "
      "'$.imported') "
      "IS NULL");
  Statement put = batch->db().prepare(
      "INSERT INTO judge (name, embedded, spec, digest, claims_per_request) VALUES (?1, 0, ?2, ?3, ?4)");
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
    Statement rows = store.db().prepare(
        "SELECT id, name, spec, digest, revision FROM judge WHERE json_extract(spec, '$.imported') IS NOT NULL");
    Statement put =
        batch->db().prepare("INSERT INTO judge (name, embedded, spec, digest, revision) VALUES (?1, 0, ?2, ?3, ?4)");
    while (rows.step()) {
      put.run(rows.text(1), rows.text(2), Statement::Blob{rows.text(3)}, rows.integer(4));
      judges[rows.integer(0)] = JudgeId{batch->db().last_insert_id()};
    }
    batch->commit();
  }
  if (judges.empty()) return;
  Statement rows = store.db().prepare(
      "SELECT m.judge_id, m.passage_id, m.claim_id, m.rating FROM judgment m JOIN judge j ON j.id = m.judge_id "
      "WHERE json_extract(j.spec, '$.imported') IS NOT NULL");
  Statement put =
      fresh.db().prepare("INSERT INTO judgment (judge_id, passage_id, claim_id, rating) VALUES (?1, ?2, ?3, ?4)");
  copy_rows(store, fresh, rows,
            [&](storage::WriteBatch& batch, const Statement& row, const storage::Facts::Reader& texts) {
              put.run(judges.at(row.integer(0)), batch.put_text(texts.text(row.id<TextId>(1)), PrivacyClass::kOriginal),
                      batch.put_text(texts.text(row.id<TextId>(2)), PrivacyClass::kOriginal), row.integer(3));
            });
}

}  // namespace

void copy_inputs(storage::Store& store, storage::Store& fresh) {
  Copy copy(store, fresh);
  Statement datasets = store.db().prepare("SELECT id, name FROM dataset ORDER BY name");
  while (datasets.step()) copy.dataset(datasets.integer(0));
  Statement embedders = store.db().prepare("SELECT name FROM embedder ORDER BY name");
  while (embedders.step()) copy_vectors(store, fresh, storage::find_embedder(store.db(), embedders.text(0)));
  const auto batch = fresh.write();
  Statement origins = store.db().prepare("SELECT name FROM embedder_origin");
  while (origins.step()) {
    storage::put_embedder_origin(batch->db(), *storage::embedder_origin(store.db(), origins.text(0)));
  }
  batch->commit();
  copy_answers(store, fresh);
  copy_judgments(store, fresh);
}

}  // namespace residue::query
