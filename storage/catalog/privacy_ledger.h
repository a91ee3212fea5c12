// The ledger of what people's data was spent on: rows of privacy_release, by the names of dataset and run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

struct PrivacyRelease {
  std::string run;
  std::string release;  // 32 bytes: equal ones are one release, under several names
  std::string unit;     // 'person' or 'record'
  std::int64_t units = 0;
  std::string noise;     // 'store key', 'seed', 'none'
  std::string spending;  // JSON
  std::int64_t made_at = 0;
  std::optional<std::int64_t> struck_at;  // it never left, somebody said
};

// The dataset's releases, the first one first.
std::vector<PrivacyRelease> privacy_releases(Db& db, std::string_view dataset);

// Those that count for a unit, each once, under the first of its names.
std::vector<PrivacyRelease> counted_releases(const std::vector<PrivacyRelease>& all, std::string_view unit);

// How many fewer would count, each once, without the last release that was made under the run's name, or without all.
// Nothing: there is none to strike out.
std::optional<std::int64_t> struck_out(const std::vector<PrivacyRelease>& all, std::optional<std::string_view> run);

// The others are called within a write batch. A release that is there already counts once, and again where it was
// struck out.
void keep_privacy_release(Db& db, std::string_view dataset, const PrivacyRelease& release);

// A release that was kept before all was known of it is the release `as`: the row of that name, which counts, where
// there is one. Does nothing where it is not there.
void settle_privacy_release(Db& db, std::string_view dataset, std::string_view run, std::string_view release,
                            std::string_view as);

// As struck_out() says; how many rows.
std::int64_t strike_privacy_releases(Db& db, std::string_view dataset, std::optional<std::string_view> run,
                                     std::int64_t now_ms);

// The ledger of `from` is that of `to`, too.
void rename_privacy_dataset(Db& db, std::string_view from, std::string_view to);
void rename_privacy_run(Db& db, std::string_view dataset, std::string_view from, std::string_view to);

}  // namespace residue::storage
