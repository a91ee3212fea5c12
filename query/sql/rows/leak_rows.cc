#include "query/sql/rows/leak_rows.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <optional>

#include "base/error.h"
#include "query/sql/rows/judged_walk.h"

namespace residue::query {
namespace {

void must(sqlite3* db, int code) {
  if (code == SQLITE_OK) return;
  if (const auto damage = storage::damage_of(db, sqlite3_extended_errcode(db))) throw *damage;
  throw Error(Code::kIo, fmt::format("catalog: {}", sqlite3_errstr(code)), "residue check");
}

}  // namespace

void each_leak(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge,
               const std::function<void(const LeakRow&)>& take) {
  sqlite3* const handle = db.handle();
  JudgedWalk walk;
  must(handle, walk.begin(handle, {.run = run.value,
                                   .protocol = protocol.value,
                                   .judge = judge.value,
                                   .only_leaks = true,
                                   .scores = false,
                                   .key = std::nullopt}));
  while (!walk.at_end()) {
    const JudgedRecord& of = walk.record();
    const JudgedClaim& claim = walk.claim();
    take({.record = of.key,
          .n = claim.n,
          .rating = claim.rating,
          .category = claim.category,
          .linked = of.linked,
          .right = walk.synthetic() ? std::nullopt : std::optional(of.right),
          .claim_text = TextId{claim.text},
          .linked_text = TextId{of.passage}});
    must(handle, walk.next());
  }
}

}  // namespace residue::query
