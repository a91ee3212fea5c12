// What the scores of a record depend on, folded into one number: equal numbers, nothing to score again.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "numbers/stats/bootstrap.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "query/score/scores.h"

namespace residue::query {

class InputHash {
 public:
  InputHash& operator<<(std::int64_t value) {
    hash_ = mix(hash_ ^ static_cast<std::uint64_t>(value));
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = numbers::kBootstrapSeed;
};

// What is true of a record of the dataset (by its place) before any attack.
RecordCase own_case(const DatasetView& dataset, const RunView& run, std::size_t record);

// The same with what became of the attack on it.
RecordCase attacked_case(const DatasetView& dataset, const RunView& run, const AuxiliaryView& auxiliary,
                         const LinkView& link, std::size_t record);

// Where a link leads to no variant any more: links and variants were read one after the other, and another process
// brought the run in anew between them. Nothing was stored.
Error changed_meanwhile();

// The claims that are judged: those not among `known`, which ascend as they do.
std::vector<ClaimView> claims_outside(const std::vector<ClaimView>& claims, const std::vector<std::uint32_t>& known);

// Of all facts, the record's resampling unit and the passage that was looked at.
std::uint64_t facts_hash(const RecordView& record, const RecordCase& facts, TextId passage);

}  // namespace residue::query
