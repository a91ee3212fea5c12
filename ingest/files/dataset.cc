#include "ingest/files/dataset.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/key_map.h"
#include "storage/catalog/content.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

using storage::PrivacyClass;
using storage::Statement;
using storage::WriteBatch;

// A record as the catalog has it.
struct Stored {
  RecordId id;
  TextId text;
  std::optional<std::string> person, label;
  std::optional<TextId> task, meta;

  [[nodiscard]] std::int64_t rest() const { return storage::RecordRest{person, label, task, meta}.hash(); }
};

std::optional<TextId> text_id(const std::optional<std::int64_t>& value) {
  return value ? std::optional<TextId>(TextId{*value}) : std::nullopt;
}

class DatasetSink final : public RowSink<RecordRow> {
 public:
  DatasetSink(storage::Db& db, std::string_view name, bool append)
      : db_(db),
        name_(name),
        append_(append),
        claims_(db, std::string(kDefaultClaimSet), "ingested"),
        find_(db.prepare(storage::sql::kRecordByKeyWithAllFields)),
        insert_(db.prepare(storage::sql::kInsertRecord)),
        update_(db.prepare(storage::sql::kUpdateRecord)),
        save_(db.prepare(storage::sql::kUpdateDatasetContent)) {}

  void begin(WriteBatch& /*batch*/, const IngestPosition& /*progress*/) override {
    claims_begun_ = false;
    Statement find = db_.prepare(storage::sql::kDatasetByNameWithContent);
    if (find.bind(name_).step()) {
      id_ = find.id<DatasetId>(0);
      content_ = Fingerprint(find.text(1));
      find.reset();
    } else {
      create();
    }
  }

  std::optional<Problem> put(WriteBatch& batch, const RecordRow& row, Outcome& outcome) override {
    if (auto problem = check_key(row.key)) return problem;
    // A hash met before is a duplicate only if the store has the key: it holds all keys of the file's earlier rows.
    if (!seen_.add(KeyMap::hash(row.key)) && find(row.key)) {
      return Problem{"the id was on an earlier line already", "give every record an id of its own"};
    }
    if (row.claims) {
      for (const std::string& claim : *row.claims) {
        if (is_blank(claim)) return Problem{"a claim is blank", "remove the claim"};
      }
    }
    Stored record;
    // Nothing to read is nothing to keep, whatever it is written with: not applicable in every metric, and never asked.
    record.text = batch.put_text(is_blank(row.text) ? std::string_view() : row.text, PrivacyClass::kOriginal);
    record.person = row.person;
    record.label = row.label;
    if (row.task) record.task = batch.put_text(*row.task, PrivacyClass::kOriginal);
    if (row.meta) record.meta = batch.put_text(*row.meta, PrivacyClass::kOriginal);
    if (auto problem = put_record(row.key, record, outcome)) return problem;
    if (row.claims) put_claims(batch, row, record.id, outcome);
    return std::nullopt;
  }

  void skip(const RecordRow& row) override { seen_.add(KeyMap::hash(row.key)); }

  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override {
    save_.run(id_, Statement::Blob{content_.bytes()});
    if (claims_begun_) claims_.end();
  }

 private:
  void create() {
    content_ = Fingerprint();
    const std::string empty = content_.bytes();
    Statement add = db_.prepare(storage::sql::kInsertDataset);
    add.run(name_, now_ms(), Statement::Blob{empty});
    id_ = DatasetId{db_.last_insert_id()};
    Statement control = db_.prepare(storage::sql::kInsertRunOfControl);
    for (const char* name : {"none", "remove-all"}) {
      control.run(id_, name, std::string_view(name) == "remove-all", Statement::Blob{empty}, now_ms());
    }
  }

  std::optional<Stored> find(std::string_view key) {
    if (!find_.bind(id_, key).step()) return std::nullopt;
    Stored stored{find_.id<RecordId>(0),
                  find_.id<TextId>(1),
                  find_.text_or_null(2),
                  find_.text_or_null(3),
                  text_id(find_.integer_or_null(4)),
                  text_id(find_.integer_or_null(5))};
    find_.reset();
    return stored;
  }

  // Sets record.id. New rows usually follow new rows: then one statement is enough.
  std::optional<Problem> put_record(const std::string& key, Stored& record, Outcome& outcome) {
    if (expect_new_ && insert(key, record)) {
      outcome = Outcome::kNew;
      return std::nullopt;
    }
    const auto old = find(key);
    expect_new_ = !old;
    if (!old) {
      insert(key, record);
      outcome = Outcome::kNew;
      return std::nullopt;
    }
    record.id = old->id;
    if (append_ && old->text != record.text) {
      return Problem{"the record exists with another text", "leave out --append to change it"};
    }
    outcome = Outcome::kSame;
    if (old->text == record.text && old->person == record.person && old->label == record.label &&
        old->task == record.task && old->meta == record.meta) {
      return std::nullopt;
    }
    update_.run(record.id, record.text, record.person, record.label, record.task, record.meta);
    content_.remove(key, old->text.value, old->rest());
    content_.add(key, record.text.value, record.rest());
    outcome = Outcome::kChanged;
    return std::nullopt;
  }

  bool insert(const std::string& key, Stored& record) {
    insert_.run(id_, key, record.text, record.person, record.label, record.task, record.meta);
    if (db_.changes() == 0) return false;
    record.id = RecordId{db_.last_insert_id()};
    content_.add(key, record.text.value, record.rest());
    return true;
  }

  void put_claims(WriteBatch& batch, const RecordRow& row, RecordId record, Outcome& outcome) {
    if (!claims_begun_) claims_.begin(batch, id_);
    claims_begun_ = true;
    std::vector<ClaimText> claims;
    for (const std::string& claim : *row.claims) claims.push_back({claim, std::nullopt});
    const Outcome of_claims = claims_.replace(batch, record, row.key, claims);
    if (outcome == Outcome::kSame && of_claims != Outcome::kSame) outcome = Outcome::kChanged;
  }

  storage::Db& db_;
  const std::string name_;
  const bool append_;
  DatasetId id_;
  Fingerprint content_;
  ClaimWriter claims_;
  bool claims_begun_ = false;
  bool expect_new_ = true;
  KeyMap seen_;
  Statement find_, insert_, update_, save_;
};

}  // namespace

IngestResult ingest_dataset(storage::Store& store, std::string_view name, RowSource<RecordRow>& source,
                            const SourceIdentity& file, const IngestOptions& options) {
  check_name("dataset", name);
  DatasetSink sink(store.db(), name, options.append);
  IngestResult result = store_rows(store, source, file, fmt::format("dataset {}", name), options, sink);
  Statement empty = store.db().prepare(storage::sql::kRecordCountOfDatasetByName);
  if (empty.bind(name).step() && empty.integer(0) == 0) result.notes.emplace_back("the dataset has no records");
  return result;
}

}  // namespace residue::ingest
