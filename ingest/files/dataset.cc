#include "ingest/files/dataset.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/counterpart.h"
#include "ingest/batches/key_map.h"
#include "ingest/files/control_of.h"
#include "ingest/read/json_parser.h"
#include "ingest/read/value.h"
#include "storage/catalog/content.h"
#include "storage/catalog/sources/claim_set.h"
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
  friend bool operator==(const Stored&, const Stored&) = default;
};

std::optional<TextId> text_id(const std::optional<std::int64_t>& value) {
  return value ? std::optional<TextId>(TextId{*value}) : std::nullopt;
}

class DatasetSink final : public RowSink<RecordRow> {
 public:
  DatasetSink(storage::Db& db, std::string_view name, std::string_view control_of, bool append)
      : db_(db),
        name_(name),
        control_of_(control_of),
        append_(append),
        claims_(db, std::string(kDefaultClaimSet), "ingested"),
        find_(db.prepare(storage::sql::kRecordByKeyWithAllFields)),
        insert_(db.prepare(storage::sql::kInsertRecord)),
        update_(db.prepare(storage::sql::kUpdateRecord)),
        save_(db.prepare(storage::sql::kUpdateDatasetContent)) {}

  void begin(WriteBatch& batch, const IngestPosition& /*progress*/) override {
    claims_begun_ = false;
    made_of_others_ = false;
    fields_ = {};
    Statement find = db_.prepare(storage::sql::kDatasetByNameWithContent);
    if (find.bind(name_).step()) {
      id_ = find.id<DatasetId>(0);
      content_ = Fingerprint(find.text(1));
      find.reset();
    } else {
      create();
    }
    if (!control_of_.empty()) make_control(batch, id_, name_, control_of_);
    content_before_ = content_.bytes();
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
    return put_record(batch, row, outcome);
  }

  void skip(const RecordRow& row) override { seen_.add(KeyMap::hash(row.key)); }

  void end(WriteBatch& batch, IngestPosition& progress, bool /*last*/) override {
    require_apart(batch, id_, name_);
    const std::string content = content_.bytes();
    save_.run(id_, Statement::Blob{content});
    if (claims_begun_) claims_.end();
    progress.fields += fields_;
    if (made_of_others_ || content == content_before_) return;
    // Whose a record is says nothing to what was made of its text.
    for (const char* sql : {storage::sql::kUpdateAlignedRunsMadeFrom, storage::sql::kUpdateClaimSetsMadeFrom}) {
      db_.prepare(sql).run(id_, Statement::Blob{content_before_}, Statement::Blob{content});
    }
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

  // New rows usually follow new rows: then one statement is enough.
  std::optional<Problem> put_record(WriteBatch& batch, const RecordRow& row, Outcome& outcome) {
    std::optional<Stored> old;
    if (!expect_new_ || !row.text) old = find(row.key);
    if (!old && row.text) {
      Stored record = merged(batch, row, {});
      if (insert(row.key, record)) {
        expect_new_ = true;
        outcome = Outcome::kNew;
        if (row.claims) put_claims(batch, row, record.id);
        return std::nullopt;
      }
      old = find(row.key);
    }
    expect_new_ = !old;
    if (!old) {
      return Problem{"field \"text\" is missing",
                     "name the field with --text; only a line about a record that is there may leave it out"};
    }
    if (!row.text) ++fields_.kept_texts;
    const Stored now = merged(batch, row, *old);
    if (append_) {
      if (auto problem = refuse_change(batch, row, *old, now)) return problem;
    }
    bool changed = false;
    if (!(now == *old)) {
      update_.run(now.id, now.text, now.person, now.label, now.task, now.meta);
      content_.remove(row.key, old->text.value, old->rest());
      content_.add(row.key, now.text.value, now.rest());
      count_changes(*old, now, row.text && is_blank(*row.text));
      changed = true;
    }
    if (row.claims && put_claims(batch, row, now.id) != Outcome::kSame) {
      ++fields_.changed[FieldCounts::kClaims];
      changed = true;
    }
    outcome = changed ? Outcome::kChanged : Outcome::kSame;
    return std::nullopt;
  }

  // `old` with what the row says.
  Stored merged(WriteBatch& batch, const RecordRow& row, Stored record) {
    const auto keep = [&row](RecordField field, bool said) { return !said && !row.empties_field(field); };
    // Nothing to read is nothing to keep, whatever it is written with: not applicable in every metric, and never asked.
    if (row.text) record.text = batch.put_text(is_blank(*row.text) ? "" : *row.text, PrivacyClass::kOriginal);
    if (!keep(RecordField::kPerson, row.person.has_value())) record.person = row.person;
    if (!keep(RecordField::kLabel, row.label.has_value())) record.label = row.label;
    const auto id_of = [&batch](const std::optional<std::string>& json) {
      return json ? std::optional(batch.put_text(*json, PrivacyClass::kOriginal)) : std::nullopt;
    };
    if (!keep(RecordField::kTask, row.task.has_value())) record.task = id_of(row.task);
    if (row.meta && record.meta && !row.empties_field(RecordField::kMeta)) {
      record.meta = id_of(with_fields(batch.facts().text(*record.meta), *row.meta));
    } else if (!keep(RecordField::kMeta, row.meta.has_value())) {
      record.meta = id_of(row.meta);
    }
    return record;
  }

  // Both are canonical JSON objects: the members of `old` that `now` does not name, and those of `now`.
  std::string with_fields(const std::string& old, const std::string& now) {
    Value before, after;
    meta_before_.parse(old, before, true);
    meta_after_.parse(now, after, true);
    for (const Value& item : before.items) {
      if (after.member(item.key) == nullptr) after.items.push_back(item);
    }
    return canonical(after);
  }

  std::optional<Problem> refuse_change(WriteBatch& batch, const RecordRow& row, const Stored& old, const Stored& now) {
    const auto another = [](std::string_view field) {
      return Problem{fmt::format("the record exists with another {}", field), "leave out --append to change it"};
    };
    if (old.text != now.text) return another("text");
    if (old.person != now.person) return another("person");
    if (old.label != now.label) return another("label");
    if (old.task != now.task) return another("task");
    if (old.meta != now.meta) {
      return Problem{"the record exists with other values in fields that are kept as metadata",
                     "leave out --append to change them"};
    }
    if (!row.claims) return std::nullopt;
    begin_claims(batch);
    if (claims_.holds(batch, old.id, texts_of(*row.claims))) return std::nullopt;
    return Problem{"the record exists with other claims", "leave out --append to change them"};
  }

  void count_changes(const Stored& old, const Stored& now, bool blank) {
    using F = FieldCounts;
    const auto count = [this](F::Field field, bool other, bool gone) {
      if (!other) return;
      ++fields_.changed[field];
      if (gone) ++fields_.emptied[field];
    };
    count(F::kText, old.text != now.text, blank);
    count(F::kPerson, old.person != now.person, !now.person);
    count(F::kLabel, old.label != now.label, !now.label);
    count(F::kTask, old.task != now.task, !now.task);
    count(F::kMeta, old.meta != now.meta, !now.meta);
    made_of_others_ = made_of_others_ || old.text != now.text || old.task != now.task;
  }

  bool insert(const std::string& key, Stored& record) {
    insert_.run(id_, key, record.text, record.person, record.label, record.task, record.meta);
    if (db_.changes() == 0) return false;
    record.id = RecordId{db_.last_insert_id()};
    content_.add(key, record.text.value, record.rest());
    made_of_others_ = true;
    return true;
  }

  void begin_claims(WriteBatch& batch) {
    if (!claims_begun_) claims_.begin(batch, id_);
    claims_begun_ = true;
  }

  static std::vector<ClaimText> texts_of(const std::vector<std::string>& claims) {
    std::vector<ClaimText> texts;
    for (const std::string& claim : claims) texts.push_back({claim, std::nullopt});
    return texts;
  }

  Outcome put_claims(WriteBatch& batch, const RecordRow& row, RecordId record) {
    begin_claims(batch);
    return claims_.replace(batch, record, row.key, texts_of(*row.claims));
  }

  storage::Db& db_;
  const std::string name_, control_of_;
  const bool append_;
  DatasetId id_;
  Fingerprint content_;
  ClaimWriter claims_;
  bool claims_begun_ = false;
  bool expect_new_ = true;
  std::string content_before_;   // the batch
  bool made_of_others_ = false;  // it has other records, texts or tasks: what claims and aligned runs are made from
  FieldCounts fields_;           // of the batch
  JsonParser meta_before_, meta_after_;
  KeyMap seen_;
  Statement find_, insert_, update_, save_;
};

IngestResult store_records(storage::Store& store, std::string_view name, std::string_view control_of,
                           RowSource<RecordRow>& source, const SourceIdentity& file, const IngestOptions& options) {
  check_name("dataset", name);
  DatasetSink sink(store.db(), name, control_of, options.append);
  IngestOptions how = options;
  if (!control_of.empty() || has_counterpart(store.db(), name)) how.batch_rows = kOneBatch;
  IngestResult result = store_rows(store, source, file, fmt::format("dataset {}", name), how, sink);
  Statement empty = store.db().prepare(storage::sql::kRecordCountOfDatasetByName);
  if (empty.bind(name).step() && empty.integer(0) == 0) result.notes.emplace_back("the dataset has no records");
  return result;
}

}  // namespace

IngestResult ingest_dataset(storage::Store& store, std::string_view name, RowSource<RecordRow>& source,
                            const SourceIdentity& file, const IngestOptions& options) {
  return store_records(store, name, {}, source, file, options);
}

IngestResult ingest_control(storage::Store& store, std::string_view name, std::string_view of,
                            RowSource<RecordRow>& source, const SourceIdentity& file, const IngestOptions& options) {
  return store_records(store, name, of, source, file, options);
}

std::vector<std::string> field_notes(const IngestResult& result) {
  std::vector<std::string> notes;
  const FieldCounts& fields = result.fields;
  std::string what;
  for (std::size_t i = 0; i < FieldCounts::kCount; ++i) {
    if (fields.changed[i] == 0) continue;
    what += fmt::format("{}{} of {}", what.empty() ? "" : ", ", FieldCounts::kNames[i], fields.changed[i]);
    if (fields.emptied[i] > 0) what += fmt::format(" (emptied: {})", fields.emptied[i]);
  }
  if (!what.empty()) {
    notes.push_back(fmt::format("{} {} changed: {}", result.counts.changed,
                                result.counts.changed == 1 ? "record" : "records", what));
  }
  if (fields.kept_texts > 0) {
    notes.push_back(fmt::format("{} {} no text: what is stored stays", fields.kept_texts,
                                fields.kept_texts == 1 ? "line has" : "lines have"));
  }
  return notes;
}

}  // namespace residue::ingest
