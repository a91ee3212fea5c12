#include "storage/catalog/privacy_ledger.h"

#include <algorithm>
#include <set>
#include <utility>

#include "storage/catalog/schema.h"
#include "storage/catalog/sources/privacy_release.h"

namespace residue::storage {
namespace {

bool has_ledger(Db& db) {
  Statement find = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'privacy_release'");
  return find.step();
}

// A store of the same format that was made before the table was thought of gets it with its first release.
void make_ledger(Db& db) { db.run(of_schema("CREATE TABLE IF NOT EXISTS privacy_release", " STRICT;").c_str()); }

}  // namespace

std::vector<PrivacyRelease> privacy_releases(Db& db, std::string_view dataset) {
  std::vector<PrivacyRelease> out;
  if (!has_ledger(db)) return out;
  Statement find = db.prepare(sql::kPrivacyReleasesOfDataset);
  find.bind(dataset);
  while (find.step()) {
    out.push_back({std::string(find.text(0)), std::string(find.text(1)), std::string(find.text(2)), find.integer(3),
                   std::string(find.text(4)), std::string(find.text(5)), find.integer(6), find.integer_or_null(7)});
  }
  return out;
}

std::vector<PrivacyRelease> counted_releases(const std::vector<PrivacyRelease>& all, std::string_view unit) {
  std::vector<PrivacyRelease> out;
  for (const PrivacyRelease& one : all) {
    if (one.struck_at || one.unit != unit) continue;
    if (std::ranges::find(out, one.release, &PrivacyRelease::release) == out.end()) out.push_back(one);
  }
  return out;
}

std::optional<std::int64_t> struck_out(const std::vector<PrivacyRelease>& all, std::optional<std::string_view> run) {
  const PrivacyRelease* last = nullptr;
  for (const PrivacyRelease& one : all) {
    if (!one.struck_at && (!run || one.run == *run) && (last == nullptr || one.made_at >= last->made_at)) last = &one;
  }
  if (last == nullptr) return std::nullopt;
  std::set<std::pair<std::string, std::string>> before, after;
  for (const PrivacyRelease& one : all) {
    if (one.struck_at) continue;
    before.emplace(one.unit, one.release);
    if (run && &one != last) after.emplace(one.unit, one.release);
  }
  return static_cast<std::int64_t>(before.size() - after.size());
}

void keep_privacy_release(Db& db, std::string_view dataset, const PrivacyRelease& release) {
  if (!has_ledger(db)) make_ledger(db);
  db.prepare(sql::kInsertOrCountPrivacyRelease)
      .run(dataset, release.run, Statement::Blob{release.release}, release.unit, release.units, release.noise,
           release.spending, release.made_at);
}

void settle_privacy_release(Db& db, std::string_view dataset, std::string_view run, std::string_view release,
                            std::string_view as) {
  if (has_ledger(db))
    db.prepare(sql::kUpdatePrivacyRelease).run(dataset, run, Statement::Blob{release}, Statement::Blob{as});
}

std::int64_t strike_privacy_releases(Db& db, std::string_view dataset, std::optional<std::string_view> run,
                                     std::int64_t now_ms) {
  if (!has_ledger(db)) return 0;
  db.prepare(sql::kStrikePrivacyReleases).run(dataset, run, now_ms);
  return db.changes();
}

void rename_privacy_dataset(Db& db, std::string_view from, std::string_view to) {
  if (has_ledger(db)) db.prepare(sql::kCopyPrivacyReleasesOfDataset).run(from, to);
}

void rename_privacy_run(Db& db, std::string_view dataset, std::string_view from, std::string_view to) {
  if (has_ledger(db)) db.prepare(sql::kUpdatePrivacyReleaseRun).run(dataset, from, to);
}

}  // namespace residue::storage
