// The engines' versions, and what is known of them.
#include <fmt/format.h>
#include <lmdb.h>
#include <sqlite3.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "storage/health/machine.h"

namespace residue::storage {

bool older(const char* have, const char* wanted) {
  for (int part = 0; part < 3; ++part) {
    char* after_have = nullptr;
    char* after_wanted = nullptr;
    const long one = std::strtol(have, &after_have, 10);
    const long other = std::strtol(wanted, &after_wanted, 10);
    if (one != other) return one < other;
    have = *after_have == '.' ? after_have + 1 : after_have;
    wanted = *after_wanted == '.' ? after_wanted + 1 : after_wanted;
  }
  return false;
}

Findings look_at_engines() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  const char* const sqlite = sqlite3_libversion();
  mdb_version(&major, &minor, &patch);
  // The WAL-reset error: a checkpoint beside a writer can damage the file (fixed in 3.51.3, 3.50.7 and 3.44.6).
  const bool guarded = older(sqlite, "3.51.3");
  return {{"SQLite", Health::kOk,
           guarded ? fmt::format("{}: has the WAL-reset error, which the store's locks keep from happening", sqlite)
                   : std::string(sqlite),
           guarded ? "write to catalog.db with residue only; read it with sqlite3 -readonly" : ""},
          {"LMDB", Health::kOk, fmt::format("{}.{}.{}", major, minor, patch), ""},
          {"zstd", Health::kOk, ZSTD_versionString(), ""}};
}

}  // namespace residue::storage
