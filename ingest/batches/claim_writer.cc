#include "ingest/batches/claim_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "storage/catalog/lookup.h"

namespace residue::ingest {
namespace {

constexpr std::int64_t kKnownClaims = 3;  // random:3

std::string_view family(std::string_view source) { return source.substr(0, source.find('/')); }

}  // namespace

std::vector<std::string> claim_notes(storage::Db& db, std::string_view dataset, std::string_view set) {
  std::vector<std::string> notes;
  storage::Statement count = db.prepare(
      "SELECT count(*), count(*) FILTER (WHERE claims = 0), count(*) FILTER (WHERE claims BETWEEN 1 AND ?3) FROM"
      " (SELECT (SELECT count(*) FROM claim WHERE claim_set_id = ?2 AND record_id = record.id) AS claims"
      " FROM record WHERE dataset_id = ?1)");
  count.bind(storage::find_dataset(db, dataset), storage::find_claim_set(db, dataset, set), kKnownClaims);
  if (!count.step()) return notes;
  const std::int64_t records = count.integer(0), without = count.integer(1), few = count.integer(2);
  if (without > 0) {
    notes.push_back(
        fmt::format("{} of {} records of {} have no claims in the set \"{}\"", without, records, dataset, set));
  }
  if (few > 0) {
    notes.push_back(
        fmt::format("{} of {} records of {} have 1 to {} claims in the set \"{}\": with random:{} none is left"
                    " to be judged",
                    few, records, dataset, kKnownClaims, set, kKnownClaims));
  }
  return notes;
}

void require_maker(std::string_view set, std::string_view old, std::string_view source) {
  if (family(old) == family(source)) return;
  throw Error(Code::kUsage,
              old == "ingested" ? fmt::format("the set \"{}\" holds claims that were read from files", set)
                                : fmt::format("the set \"{}\" holds claims that were made by {}", set, old),
              "name another set with --set");
}

ClaimWriter::ClaimWriter(storage::Db& db, std::string set, std::string source)
    : db_(db),
      name_(std::move(set)),
      source_(std::move(source)),
      claims_of_(db.prepare("SELECT n, text_id, category FROM claim WHERE claim_set_id = ?1 AND record_id = ?2"
                            " ORDER BY n")),
      claim_(
          db.prepare("SELECT n, text_id, category FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3")),
      put_(db.prepare("INSERT INTO claim (claim_set_id, record_id, n, text_id, category) VALUES (?1, ?2, ?3, ?4, ?5)"
                      " ON CONFLICT DO UPDATE SET text_id = ?4, category = ?5")),
      erase_(db.prepare("DELETE FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3")),
      save_(
          db.prepare("UPDATE claim_set SET content = ?2, categories = CASE WHEN ?3 THEN randomblob(16) ELSE categories "
                     "END WHERE id = ?1")) {}

void ClaimWriter::begin(storage::WriteBatch& /*batch*/, DatasetId dataset) {
  storage::Statement find =
      db_.prepare("SELECT id, source, content, categorizer FROM claim_set WHERE dataset_id = ?1 AND name = ?2");
  if (!find.bind(dataset, name_).step()) {
    content_ = Fingerprint();
    categorized_ = recategorized_ = false;
    storage::Statement add =
        db_.prepare("INSERT INTO claim_set (dataset_id, name, source, content) VALUES (?1, ?2, ?3, ?4)");
    add.run(dataset, name_, source_, storage::Statement::Blob{content_.bytes()});
    id_ = ClaimSetId{db_.last_insert_id()};
    return;
  }
  id_ = find.id<ClaimSetId>(0);
  const std::string source(find.text(1));
  content_ = Fingerprint(find.text(2));
  categorized_ = !find.is_null(3);
  recategorized_ = false;
  find.reset();
  require_maker(name_, source, source_);
  if (source != source_) {
    storage::Statement update = db_.prepare("UPDATE claim_set SET source = ?2 WHERE id = ?1");
    update.run(id_, source_);
  }
}

// Files that say what claims are about speak for the whole set: what rules or a model said of it goes.
void ClaimWriter::hear(std::span<const ClaimText> claims) {
  const auto says = [](const ClaimText& claim) { return claim.category.has_value(); };
  if (!categorized_ || std::none_of(claims.begin(), claims.end(), says)) return;
  categorized_ = false;
  recategorized_ = true;
  db_.prepare("UPDATE claim SET category = NULL WHERE claim_set_id = ?1").run(id_);
  db_.prepare("UPDATE claim_set SET categorizer = NULL WHERE id = ?1").run(id_);
}

bool ClaimWriter::same(const Row& old, TextId text, const ClaimText& claim) const {
  if (old.text != text.value) return false;
  return categorized_ ? !claim.category : old.category == claim.category;
}

void ClaimWriter::set(std::string_view key, RecordId record, std::int64_t n, TextId text, const ClaimText& claim,
                      const Row* old) {
  put_.run(id_, record, n, text, claim.category);
  recategorized_ = recategorized_ || claim.category || (old != nullptr && old->category);
  if (old != nullptr) content_.remove(key, old->text, n);
  content_.add(key, text.value, n);
}

Outcome ClaimWriter::replace(storage::WriteBatch& batch, RecordId record, std::string_view key,
                             std::span<const ClaimText> claims) {
  numbered_.assign(claims.begin(), claims.end());
  std::uint32_t n = 0;
  for (ClaimText& claim : numbered_) claim.n = ++n;
  return replace_numbered(batch, record, key, numbered_);
}

Outcome ClaimWriter::replace_numbered(storage::WriteBatch& batch, RecordId record, std::string_view key,
                                      std::span<const ClaimText> claims) {
  hear(claims);
  old_.clear();
  claims_of_.bind(id_, record);
  while (claims_of_.step()) {
    old_.push_back({claims_of_.integer(0), claims_of_.integer(1), claims_of_.text_or_null(2)});
  }
  bool changed = false;
  std::size_t at = 0;  // in old_, which is ordered by n but may have gaps
  const auto drop_until = [&](std::int64_t n) {
    for (; at < old_.size() && old_[at].n < n; ++at) {
      erase_.run(id_, record, old_[at].n);
      content_.remove(key, old_[at].text, old_[at].n);
      changed = true;
    }
  };
  for (const ClaimText& claim : claims) {
    const auto n = static_cast<std::int64_t>(claim.n);
    drop_until(n);
    const TextId text = batch.put_text(claim.text, storage::PrivacyClass::kOriginal);
    const Row* old = at < old_.size() && old_[at].n == n ? &old_[at++] : nullptr;
    if (old != nullptr && same(*old, text, claim)) continue;
    set(key, record, n, text, claim, old);
    changed = true;
  }
  drop_until(std::numeric_limits<std::int64_t>::max());
  if (old_.empty() && changed) return Outcome::kNew;
  return changed ? Outcome::kChanged : Outcome::kSame;
}

Outcome ClaimWriter::put(storage::WriteBatch& batch, RecordId record, std::string_view key, std::uint32_t n,
                         const ClaimText& claim) {
  hear(std::span(&claim, 1));
  const TextId text = batch.put_text(claim.text, storage::PrivacyClass::kOriginal);
  std::optional<Row> old;
  if (claim_.bind(id_, record, n).step()) {
    old = Row{claim_.integer(0), claim_.integer(1), claim_.text_or_null(2)};
    claim_.reset();
    if (same(*old, text, claim)) return Outcome::kSame;
  }
  set(key, record, n, text, claim, old ? &*old : nullptr);
  return old ? Outcome::kChanged : Outcome::kNew;
}

void ClaimWriter::end() { save_.run(id_, storage::Statement::Blob{content_.bytes()}, recategorized_); }

}  // namespace residue::ingest
