#include "ingest/files/remove_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "storage/catalog/answer_sets.h"
#include "storage/catalog/answers/answer_set.h"
#include "storage/catalog/content.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/run_claim_set.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using Blob = storage::Statement::Blob;

std::optional<TextId> text_of(std::optional<std::int64_t> id) { return id ? std::optional(TextId{*id}) : std::nullopt; }

Removed own_rows(storage::Db& db, RecordId record) {
  Removed gone;
  gone.records = 1;
  Statement count = db.prepare(storage::sql::kRecordCountsOfWhatIsItsOwn);
  if (!count.bind(record).step()) return gone;
  const auto number = [&count](int column) { return static_cast<std::uint64_t>(count.integer(column)); };
  gone.claims = number(0);
  gone.variants = number(1);
  gone.links = number(2);
  gone.labels = number(3);
  gone.answers = number(4);
  gone.attempts = number(5);
  gone.named = number(6);
  return gone;
}

// Takes one record out of every fingerprint that it is in; then its row goes, and with it the rows that refer to it.
class RecordRemoval {
 public:
  RecordRemoval(storage::Db& db, DatasetId dataset, RecordId record, std::string_view key)
      : db_(db), dataset_(dataset), record_(record), key_(key) {}

  void run() {
    from_claim_sets();
    from_answers();
    std::vector<RunId> runs;
    Statement all = db_.prepare(storage::sql::kRunIdsInOrder);
    all.bind(dataset_);
    while (all.step()) runs.push_back(all.id<RunId>(0));
    for (const RunId run : runs) from_run(run);
    from_dataset();
    db_.prepare(storage::sql::kDeleteRecord).run(record_);
  }

 private:
  void from_dataset() {
    Statement find = db_.prepare(storage::sql::kRecordByKeyWithAllFields);
    find.bind(dataset_, key_).step();
    const auto text_id = [&find](int column) {
      const auto value = find.integer_or_null(column);
      return value ? std::optional(TextId{*value}) : std::nullopt;
    };
    const auto person = find.text_or_null(2), label = find.text_or_null(3);
    const storage::RecordRest rest{person, label, text_id(4), text_id(5)};
    Statement dataset = db_.prepare(storage::sql::kDatasetContent);
    dataset.bind(dataset_).step();
    const std::string before(dataset.text(0));
    dataset.reset();
    Fingerprint content(before);
    content.remove(key_, find.integer(1), rest.hash());
    find.reset();
    const std::string now = content.bytes();
    db_.prepare(storage::sql::kUpdateDatasetContent).run(dataset_, Blob{now});
    db_.prepare(storage::sql::kUpdateClaimSetsMadeFrom).run(dataset_, Blob{before}, Blob{now});
  }

  void from_claim_sets() {
    struct Set {
      ClaimSetId id;
      std::string name, content;
    };
    std::vector<Set> sets;
    Statement all = db_.prepare(storage::sql::kClaimSetsInNameOrder);
    all.bind(dataset_);
    while (all.step()) sets.push_back({all.id<ClaimSetId>(0), std::string(all.text(1)), std::string(all.text(2))});
    Statement claims = db_.prepare(storage::sql::kClaimsOfRecordWithCategory);
    for (const Set& set : sets) {
      Fingerprint content(set.content);
      bool categories = false;
      claims.bind(set.id, record_);
      while (claims.step()) {
        content.remove(key_, claims.integer(1), claims.integer(0));
        categories = categories || !claims.is_null(2);
      }
      const std::string now = content.bytes();
      db_.prepare(storage::sql::kUpdateClaimSetContent).run(set.id, Blob{now}, categories);
      db_.prepare(storage::sql::kUpdateClaimSetsMadeFromWords).run(dataset_, set.name, Blob{set.content}, Blob{now});
    }
  }

  void from_answers() {
    std::vector<storage::AnswerSet> sets;
    Statement all = db_.prepare(storage::sql::kAnswerSetsOfDataset);
    all.bind(dataset_, RunId{});
    while (all.step()) sets.push_back({all.id<RunId>(1), std::string(all.text(3)), std::string(all.text(4))});
    storage::AnswerSetWriter writer(db_);
    writer.begin();
    for (const storage::AnswerSet& set : sets) writer.erase(set, record_);
    writer.end();
  }

  void from_run(RunId run) {
    Statement find = db_.prepare(storage::sql::kVariantByRecord);
    if (!find.bind(run, record_).step()) return;
    const auto variant = find.id<VariantId>(0);
    const auto text = find.integer_or_null(1);
    const auto table = find.integer_or_null(3);
    const auto spans = find.integer_or_null(4);
    find.reset();
    Statement contents = db_.prepare(storage::sql::kRunContentAndSubstitutions);
    contents.bind(run).step();
    const std::string before(contents.text(0));
    Fingerprint content(before), tables(contents.text(1));
    contents.reset();
    content.remove(key_, storage::variant_number(text_of(text), text_of(spans)));
    if (table) tables.remove(key_, *table);
    const std::string now = content.bytes(), left = tables.bytes();
    const bool any = !(tables == Fingerprint());
    db_.prepare(storage::sql::kUpdateRunContent).run(run, Blob{now}, any ? std::optional(Blob{left}) : std::nullopt);
    from_run_claims(run, variant);
    db_.prepare(storage::sql::kUpdateRunClaimSetsMadeFrom).run(run, Blob{before}, Blob{now});
  }

  void from_run_claims(RunId run, VariantId variant) {
    std::vector<std::pair<std::int64_t, std::string>> sets;
    Statement all = db_.prepare(storage::sql::kRunClaimSetsOfRun);
    all.bind(run);
    while (all.step()) sets.emplace_back(all.integer(0), std::string(all.text(1)));
    Statement claims = db_.prepare(storage::sql::kRunClaimsOfVariant);
    for (const auto& [set, stored] : sets) {
      Fingerprint content(stored);
      claims.bind(set, variant);
      while (claims.step()) content.remove(key_, claims.integer(1), claims.integer(0));
      const std::string now = content.bytes();
      db_.prepare(storage::sql::kUpdateRunClaimSetContent).run(set, Blob{now});
    }
  }

  storage::Db& db_;
  const DatasetId dataset_;
  const RecordId record_;
  const std::string key_;
};

}  // namespace

bool has_record(storage::Store& store, std::string_view dataset, std::string_view key) {
  Statement find = store.db().prepare(storage::sql::kRecordExistsByKey);
  return find.bind(storage::find_dataset(store.db(), dataset), key).step();
}

Removed count_record(storage::Store& store, std::string_view dataset, std::string_view key) {
  return own_rows(store.db(), storage::find_record(store.db(), dataset, key));
}

Removed erase_record_rows(storage::Db& db, std::string_view dataset, std::string_view key) {
  const DatasetId id = storage::find_dataset(db, dataset);
  const RecordId record = storage::find_record(db, dataset, key);
  const Removed gone = own_rows(db, record);
  RecordRemoval(db, id, record, key).run();
  return gone;
}

Removed remove_record(storage::Store& store, std::string_view dataset, std::string_view key) {
  const auto alone = store.claim_targets();
  const auto locks = lock_runs(store, storage::find_dataset(store.db(), dataset));
  return with_room([&] {
    const auto batch = store.write();
    const Removed gone = erase_record_rows(batch->db(), dataset, key);
    batch->commit();
    return gone;
  });
}

}  // namespace residue::ingest
