#include "ingest/batches/claim_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

constexpr std::int64_t kKnownClaims = 3;  // random:3

constexpr std::string_view kTexts = "texts", kOutside = "outside";

// What attackers find among the originals depends on it: the same claims of another origin are another content.
Fingerprint nothing_of(std::string_view origin) {
  Fingerprint content;
  if (origin == kOutside) content.add(origin, 0);
  return content;
}

void require_origin(std::string_view set, std::string_view old, std::string_view origin) {
  if (old == origin) return;
  throw Error(Code::kUsage,
              old == kOutside ? fmt::format("the set \"{}\" holds claims from outside the texts", set)
                              : fmt::format("the set \"{}\" holds claims of the texts, not from outside", set),
              old == kOutside ? "say --outside again, or name another set with --set"
                              : "name another set with --set, or leave out --outside");
}

std::string_view family(std::string_view source) { return source.substr(0, source.find('/')); }

}  // namespace

std::vector<std::string> claim_notes(storage::Db& db, std::string_view dataset, std::string_view set) {
  std::vector<std::string> notes;
  storage::Statement count = db.prepare(storage::sql::kRecordCountsByNumberOfClaims);
  count.bind(storage::find_dataset(db, dataset), storage::find_claim_set(db, dataset, set), kKnownClaims);
  if (!count.step()) return notes;
  const std::int64_t records = count.integer(0), without = count.integer(1), few = count.integer(2);
  if (without > 0) {
    notes.push_back(
        fmt::format("{} of {} records of {} have no claims in the set \"{}\"", without, records, dataset, set));
  }
  if (few > 0) {
    notes.push_back(
        fmt::format("{} of {} records of {} have 1 to {} claims in the set \"{}\": an attacker with random:{} knows "
                    "all of them, and none is left to judge",
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

ClaimWriter::ClaimWriter(storage::Db& db, std::string set, std::string source, ClaimOrigin origin)
    : db_(db),
      name_(std::move(set)),
      source_(std::move(source)),
      origin_(origin == ClaimOrigin::kOutside ? kOutside : kTexts),
      claims_of_(db.prepare(storage::sql::kClaimsOfRecordWithCategory)),
      claim_(db.prepare(storage::sql::kClaimByN)),
      put_(db.prepare(storage::sql::kInsertOrUpdateClaim)),
      erase_(db.prepare(storage::sql::kDeleteClaim)),
      save_(db.prepare(storage::sql::kUpdateClaimSetContent)) {}

void ClaimWriter::begin(storage::WriteBatch& /*batch*/, DatasetId dataset) {
  storage::Statement find = db_.prepare(storage::sql::kClaimSetByNameWithSource);
  if (!find.bind(dataset, name_).step()) {
    content_ = nothing_of(origin_);
    categorized_ = recategorized_ = false;
    storage::Statement add = db_.prepare(storage::sql::kInsertClaimSet);
    add.run(dataset, name_, source_, storage::Statement::Blob{content_.bytes()}, origin_);
    id_ = ClaimSetId{db_.last_insert_id()};
    return;
  }
  id_ = find.id<ClaimSetId>(0);
  const std::string source(find.text(1));
  content_ = Fingerprint(find.text(2));
  categorized_ = !find.is_null(3);
  recategorized_ = false;
  const std::string origin(find.text(4));
  find.reset();
  require_maker(name_, source, source_);
  require_origin(name_, origin, origin_);
  if (source != source_) {
    storage::Statement update = db_.prepare(storage::sql::kUpdateClaimSetSource);
    update.run(id_, source_);
  }
}

// Files that say what claims are about speak for the whole set: what rules or a model said of it goes.
void ClaimWriter::hear(std::span<const ClaimText> claims) {
  const auto says = [](const ClaimText& claim) { return claim.category.has_value(); };
  if (!categorized_ || std::none_of(claims.begin(), claims.end(), says)) return;
  categorized_ = false;
  recategorized_ = true;
  db_.prepare(storage::sql::kUpdateClaimCategoriesToNull).run(id_);
  db_.prepare(storage::sql::kUpdateClaimSetCategorizerToNull).run(id_);
}

bool ClaimWriter::same(const Row& old, TextId text, const ClaimText& claim) const {
  if (old.text != text.value) return false;
  return !claim.category || (!categorized_ && old.category == claim.category);
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

bool ClaimWriter::holds(storage::WriteBatch& batch, RecordId record, std::span<const ClaimText> claims) {
  bool same_claims = true;
  std::size_t count = 0;
  claims_of_.bind(id_, record);
  while (claims_of_.step()) {
    const Row old{claims_of_.integer(0), claims_of_.integer(1), claims_of_.text_or_null(2)};
    same_claims = same_claims && count < claims.size() && old.n == static_cast<std::int64_t>(count + 1) &&
                  same(old, batch.put_text(claims[count].text, storage::PrivacyClass::kOriginal), claims[count]);
    ++count;
  }
  return same_claims && count == claims.size();
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
