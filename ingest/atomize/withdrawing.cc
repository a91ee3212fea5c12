#include "ingest/atomize/withdrawing.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/result.h"
#include "model/tasks/text_task.h"
#include "storage/catalog/answers/asked_with.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run_claim_set.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

using storage::Statement;

// "model NAME/1f2e3d4c5b6a7988.4": the spec whose digest begins so.
std::optional<SpecDigest> asked_with(storage::Db& db, std::string_view source) {
  source = source.substr(source.rfind('/') + 1);
  Statement find = db.prepare(storage::sql::kAskedWithDigestByBeginning);
  if (!find.bind(source.substr(0, source.find('.'))).step()) return std::nullopt;
  return SpecDigest(find.text(0));
}

struct Made {
  std::int64_t owner = 0;  // dataset, or run
  std::int64_t set = 0;    // of a run
  std::string name, source;
};

std::vector<Made> sets_by_models(storage::Db& db, const char* sql) {
  std::vector<Made> sets;
  Statement row = db.prepare(sql);
  while (row.step()) {
    sets.push_back({row.integer(0), row.integer(1), std::string(row.text(2)), std::string(row.text(3))});
  }
  return sets;
}

struct Fallen {
  RecordId record;
  std::string key;
};

std::vector<Fallen> fallen_records(storage::Store& store, storage::Db& db, DatasetId dataset, const SpecDigest& digest,
                                   const model::VoteSet& votes) {
  std::vector<Fallen> fallen;
  const auto texts = store.facts().read();
  Statement row = db.prepare(storage::sql::kRecordKeysAndTextsOfDataset);
  row.bind(dataset);
  while (row.step()) {
    if (!votes.contains(model::text_vote(digest, texts->text(row.id<TextId>(2))))) continue;
    fallen.push_back({row.id<RecordId>(0), std::string(row.text(1))});
  }
  return fallen;
}

std::uint64_t fallen_texts(storage::Store& store, storage::Db& db, RunId run, const SpecDigest& digest,
                           const model::VoteSet& votes) {
  std::uint64_t fallen = 0;
  const auto texts = store.facts().read();
  Statement row = db.prepare(storage::sql::kVariantTextsOfRun);
  row.bind(run);
  while (row.step()) fallen += votes.contains(model::text_vote(digest, texts->text(row.id<TextId>(0)))) ? 1 : 0;
  return fallen;
}

}  // namespace

std::uint64_t withdraw_claims(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
  storage::Db& db = batch.db();
  std::uint64_t withdrawn = 0;
  for (const Made& made : sets_by_models(db, storage::sql::kClaimSetsAtomizedByModels)) {
    const auto digest = asked_with(db, made.source);
    if (!digest) continue;
    const DatasetId dataset{made.owner};
    const std::vector<Fallen> fallen = fallen_records(store, db, dataset, *digest, votes);
    if (fallen.empty()) continue;
    ClaimWriter writer(db, made.name, made.source);
    writer.begin(batch, dataset);
    for (const Fallen& one : fallen) {
      withdrawn += writer.replace(batch, one.record, one.key, {}) == Outcome::kChanged ? 1 : 0;
    }
    writer.end();
  }
  for (const Made& made : sets_by_models(db, storage::sql::kRunClaimSetsByModels)) {
    const auto digest = asked_with(db, made.source);
    const std::uint64_t fallen = digest ? fallen_texts(store, db, RunId{made.owner}, *digest, votes) : 0;
    if (fallen == 0) continue;
    db.prepare(storage::sql::kUpdateRunClaimSetUnfinished).run(made.set);
    withdrawn += fallen;
  }
  return withdrawn;
}

}  // namespace residue::ingest
