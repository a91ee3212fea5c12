// Writes claims into one claim set and keeps the set's fingerprint: shared by ingest, atomize and paraphrase.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fingerprint.h"
#include "ingest/batches/result.h"
#include "storage/store.h"

namespace residue::ingest {

struct ClaimText {
  std::string_view text;
  std::optional<std::string_view> category;
  std::uint32_t n = 0;  // for replace_numbered()
};

// Of what claims are: the records' texts, or what attackers know from elsewhere.
enum class ClaimOrigin { kTexts, kOutside };

// The notes on a claim set as it is stored: records without claims, and with too few for the default protocol, which
// gives three to the attacker and judges the others.
std::vector<std::string> claim_notes(storage::Db& db, std::string_view dataset, std::string_view set);

// Throws Error{usage} unless claims of `source` may replace those of `old` in the set: ingested ones never replace an
// atomizer's, nor the other way round; another version of the same maker (what stands before '/') does.
void require_maker(std::string_view set, std::string_view old, std::string_view source);

class ClaimWriter {
 public:
  // `source` is what claim_set.source will say: "ingested", or an atomizer's version.
  ClaimWriter(storage::Db& db, std::string set, std::string source, ClaimOrigin origin = ClaimOrigin::kTexts);

  // In a fresh batch: finds or makes the set. Throws as require_maker(), and Error{usage} for a set of another origin.
  void begin(storage::WriteBatch& batch, DatasetId dataset);

  // `claims` become all claims of the record, n = 1, 2, ... A claim with the words of before and no category keeps its
  // categories.
  Outcome replace(storage::WriteBatch& batch, RecordId record, std::string_view key, std::span<const ClaimText> claims);

  // The same under the numbers that they have, ascending: a record may lack some.
  Outcome replace_numbered(storage::WriteBatch& batch, RecordId record, std::string_view key,
                           std::span<const ClaimText> claims);

  // Whether `claims` are the record's, as replace() would leave them.
  bool holds(storage::WriteBatch& batch, RecordId record, std::span<const ClaimText> claims);

  // Sets the claim `n`; the others stay.
  Outcome put(storage::WriteBatch& batch, RecordId record, std::string_view key, std::uint32_t n,
              const ClaimText& claim);

  // Before the commit.
  void end();

  [[nodiscard]] ClaimSetId id() const { return id_; }

 private:
  struct Row {
    std::int64_t n;
    std::int64_t text;
    std::optional<std::string> category;
  };
  void hear(std::span<const ClaimText> claims);
  [[nodiscard]] bool same(const Row& old, TextId text, const ClaimText& claim) const;
  void set(std::string_view key, RecordId record, std::int64_t n, TextId text, const ClaimText& claim, const Row* old);

  storage::Db& db_;
  const std::string name_;
  const std::string source_;
  const std::string_view origin_;  // as claim_set.origin says it
  ClaimSetId id_;
  Fingerprint content_;
  bool categorized_ = false;    // by rules or a model
  bool recategorized_ = false;  // a claim's categories changed in this batch
  std::vector<Row> old_;        // of the record at hand
  std::vector<ClaimText> numbered_;
  storage::Statement claims_of_, claim_, put_, erase_, save_;
};

}  // namespace residue::ingest
