#include "ingest/files/purge.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/keyed_hash.h"
#include "ingest/files/remove_record.h"
#include "ingest/words/asked_words.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/references.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/erasure.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/erase/paid.h"
#include "storage/erase/views.h"
#include "storage/facts/address.h"
#include "storage/facts/forgetting.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using Texts = std::unordered_set<std::int64_t>;

// The target's name itself may be what is to be forgotten.
std::string digest_of(const storage::Store& store, const PurgeTarget& target) {
  const auto kind = std::to_string(static_cast<int>(target.kind));
  const std::string words = fmt::format("residue.purge.v1/{}/{}/{}", kind, target.dataset, target.name);
  const auto bytes = KeyedHash(store.key()).of(words);
  return {bytes.data(), bytes.size()};
}

bool begun_before(storage::Store& store, const PurgeTarget& target) {
  Statement find = store.db().prepare(storage::sql::kErasureExists);
  return find.bind(Statement::Blob{digest_of(store, target)}).step();
}

Removed& operator+=(Removed& all, const Removed& one) {
  all.records += one.records;
  all.claims += one.claims;
  all.runs += one.runs;
  all.variants += one.variants;
  all.links += one.links;
  all.labels += one.labels;
  all.answers += one.answers;
  all.attempts += one.attempts;
  all.named += one.named;
  return all;
}

Removed erase_person(storage::Db& db, const PurgeTarget& target) {
  std::vector<std::string> keys;
  Statement find = db.prepare(storage::sql::kRecordKeysOfPerson);
  find.bind(storage::find_dataset(db, target.dataset), target.name);
  while (find.step()) keys.emplace_back(find.text(0));
  if (keys.empty()) {
    throw Error(
        Code::kNotFound, fmt::format("dataset {} has no record of this person", target.dataset),
        fmt::format("the name is that of the field --person when {} was ingested, letter for letter", target.dataset));
  }
  Removed gone;
  for (const std::string& key : keys) gone += erase_record_rows(db, target.dataset, key);
  return gone;
}

Removed erase_rows(storage::Db& db, const PurgeTarget& target) {
  switch (target.kind) {
    case PurgeKind::kPerson:
      return erase_person(db, target);
    case PurgeKind::kRecord:
      return erase_record_rows(db, target.dataset, target.name);
    case PurgeKind::kRun:
      return erase_run_rows(db, target.dataset, target.name);
    case PurgeKind::kRemoved:
      return {};
    case PurgeKind::kDataset:
      break;
  }
  return erase_dataset_rows(db, target.dataset);
}

// Texts that are there and that anybody has, `named`: one that is kept for a rating alone may be an earlier wording.
// The words are those of now.
storage::Present had_by_somebody(storage::Store& store, const Texts& named) {
  const auto words = std::make_shared<const std::set<storage::Address>>(asked_words(store));
  return {[&store, &named](const storage::Address& address) {
            const auto id = storage::Forgetting::find(store.facts(), address);
            return id && named.count(id->value) != 0;
          },
          [words](const storage::Address& address) { return words->count(address) != 0; }};
}

// The ledger remembers questions whose answers have gone. A damaged answer is one.
std::set<VoteKey> with_answers(const storage::Store& store, std::set<VoteKey> votes) {
  const auto reader = store.facts().read();
  std::erase_if(votes, [&](const VoteKey& vote) {
    try {
      return reader->answers(vote).empty();
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      return false;
    }
  });
  return votes;
}

// The addresses of all texts that can be read. A damaged text has none: its answers are not found by it.
std::set<storage::Address> addresses(const storage::Store& store, const Texts& texts) {
  std::set<storage::Address> found;
  const storage::AddressKey key(store.key());
  const auto reader = store.facts().read();
  for (const std::int64_t id : texts) {
    try {
      found.insert(key.of(reader->text(TextId{id})));
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
    }
  }
  return found;
}

std::vector<std::string> synthetic_runs(storage::Db& db, DatasetId dataset) {
  std::vector<std::string> names;
  Statement find = db.prepare(storage::sql::kRunNamesOfSynthetic);
  find.bind(dataset);
  while (find.step()) names.emplace_back(find.text(0));
  return names;
}

// What a judge says of a passage hangs on answers, too (canaries): where some of them go unseen, all is computed again.
void forget_evaluations_by_models(storage::Db& db, DatasetId dataset) {
  std::vector<std::int64_t> evaluations;
  Statement find = db.prepare(storage::sql::kEvaluationsByPaidJudges);
  find.bind(dataset);
  while (find.step()) evaluations.push_back(find.integer(0));
  Statement erase = db.prepare(storage::sql::kDeleteEvaluation);
  for (const std::int64_t id : evaluations) erase.run(id);
}

// With the last dataset everything goes: whoever had an earlier wording had it there.
bool takes_all(storage::Db& db, const PurgeTarget& target) {
  if (target.kind == PurgeKind::kRemoved) return true;
  return target.kind == PurgeKind::kDataset && !db.prepare(storage::sql::kDatasetNamesInOrder).step();
}

std::int64_t created(storage::Db& db, DatasetId dataset) {
  Statement find = db.prepare(storage::sql::kDatasetNameCreationAndContent);
  return find.bind(dataset).step() ? find.integer(1) : 0;
}

// Those with a text of id `least` or later, and those made since `since_ms`: what goes may have been edited after them.
std::vector<storage::RecordedBackup> backups_since(storage::Db& db, std::int64_t least, std::int64_t since_ms) {
  std::set<std::string> sure;
  for (const auto& backup : storage::backups_with(db, least)) sure.insert(backup.path);
  std::vector<storage::RecordedBackup> all = storage::backups_with(db, 0);
  std::erase_if(all, [&](const auto& backup) { return backup.at_ms <= since_ms && sure.count(backup.path) == 0; });
  return all;
}

// Everything but the commit.
Purged purge_in(storage::Store& store, storage::Db& db, const PurgeTarget& target) {
  Purged gone;
  db.run("PRAGMA secure_delete=ON");
  const bool of_dataset = target.kind != PurgeKind::kRemoved;
  const DatasetId dataset = of_dataset ? storage::find_dataset(db, target.dataset) : DatasetId{};
  const std::int64_t since = of_dataset ? created(db, dataset) : std::numeric_limits<std::int64_t>::max();
  std::optional<RunId> run;
  if (target.kind == PurgeKind::kRun) run = storage::find_run(db, target.dataset, target.name);
  if (target.kind == PurgeKind::kDataset) run = RunId{};
  std::set<VoteKey> votes;
  if (run) votes = storage::votes_of_runs(db, dataset, *run);
  const Texts before = storage::named_texts(db);
  std::set<VoteKey> left_before;  // what was left before the run goes is not the run's, and stays
  if (target.kind == PurgeKind::kRun) {
    left_before = storage::votes_about_nothing(db, target.dataset, had_by_somebody(store, before));
  }
  gone.rows = erase_rows(db, target);
  if (target.kind == PurgeKind::kRun) gone.views = storage::drop_views_naming(db, target.name);
  if (target.kind == PurgeKind::kDataset) gone.views = storage::drop_views_naming(db, target.dataset);
  const Texts after = storage::named_texts(db);
  const bool all = takes_all(db, target);
  Texts going;
  std::int64_t least = std::numeric_limits<std::int64_t>::max() - 1;
  const auto add = [&](std::int64_t id) {
    if (after.count(id) != 0) return;
    going.insert(id);
    least = std::min(least, id);
  };
  if (!all) {
    for (const std::int64_t id : before) add(id);
  } else {
    store.facts().read()->each([&](TextId id, TextId) { add(id.value); });
  }
  gone.texts = going.size();
  gone.ratings = storage::drop_ratings(db, going);
  votes.merge(storage::votes_about(db, addresses(store, going)));
  (void)storage::erase_later(db, votes);
  std::set<VoteKey> unknown =
      storage::votes_about_nothing(db, all ? "" : target.dataset, had_by_somebody(store, after));
  std::erase_if(unknown, [&](const VoteKey& vote) { return left_before.contains(vote); });
  unknown = with_answers(store, std::move(unknown));
  const std::uint64_t erased = storage::erase_later(db, unknown);
  if (target.kind != PurgeKind::kRun) {
    gone.unknown_answers = erased;
    if (of_dataset && !unknown.empty()) forget_evaluations_by_models(db, dataset);
  }
  votes.merge(unknown);
  gone.answers = votes.size();
  gone.backups = backups_since(db, going.empty() ? 0 : least, since);
  if (target.kind == PurgeKind::kPerson || target.kind == PurgeKind::kRecord) {
    gone.synthetic = synthetic_runs(db, dataset);
  }
  db.prepare(storage::sql::kInsertErasure).run(Statement::Blob{digest_of(store, target)}, now_ms());
  return gone;
}

Purged purge_or_count(storage::Store& store, const PurgeTarget& target, bool commit) {
  try {
    std::vector<storage::Lock> locks;
    if (commit) locks.push_back(store.claim_targets());
    if (commit && target.kind != PurgeKind::kRemoved) {
      for (auto& lock : lock_runs(store, storage::find_dataset(store.db(), target.dataset))) {
        locks.push_back(std::move(lock));
      }
    }
    const auto batch = store.write();
    const Purged gone = purge_in(store, batch->db(), target);
    if (commit) batch->commit();
    return gone;
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound || !begun_before(store, target)) throw;
    Purged gone;
    gone.begun = true;
    return gone;
  }
}

}  // namespace

PaidLeft paid_left(storage::Store& store, const std::string& dataset) {
  const Texts named = storage::named_texts(store.db());
  PaidLeft left;
  store.facts().read()->each([&](TextId id, TextId) { left.texts += named.count(id.value) == 0 ? 1 : 0; });
  left.answers = with_answers(store, storage::votes_left_by(store.db(), dataset, had_by_somebody(store, named))).size();
  return left;
}

Purged count_purge(storage::Store& store, const PurgeTarget& target) { return purge_or_count(store, target, false); }

Purged purge_rows(storage::Store& store, const PurgeTarget& target) {
  Purged gone;
  (void)with_room([&] {
    gone = purge_or_count(store, target, true);
    return gone.rows;
  });
  return gone;
}

}  // namespace residue::ingest
