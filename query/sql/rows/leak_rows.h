// What the attacker learned from a run, claim after claim, many times as fast as a statement that joins: what is of one
// record is read once for all its claims.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "storage/catalog/sqlite.h"

namespace residue::query {

// The views are valid during the call.
struct LeakRow {
  std::string_view record;  // its key
  std::int64_t n = 0, rating = 0;
  std::optional<std::string_view> category;  // as it is stored
  std::int64_t linked = 0;                   // the record that was found; of a synthetic run the variant
  std::optional<bool> right;                 // it is the record's own; nothing in synthetic runs
  TextId claim_text, linked_text;
};

// The rows of kLinkLeaksOfRun (storage/catalog/results/link.h), in order of records' ids and of claims. Throws
// Error{corrupt|io}. Cost: about a second for each million claims.
void each_leak(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge,
               const std::function<void(const LeakRow&)>& take);

}  // namespace residue::query
