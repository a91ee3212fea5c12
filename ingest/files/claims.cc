#include "ingest/files/claims.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/batches/batch.h"
#include "ingest/batches/claim_writer.h"
#include "ingest/batches/key_map.h"
#include "ingest/files/unknown_names.h"
#include "model/suspicion/suspected.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

constexpr std::uint32_t kArray = 0xFFFFFFFF;  // the record's claims were given as an array

class ClaimsSink final : public RowSink<ClaimsRow> {
 public:
  ClaimsSink(storage::Db& db, std::string_view dataset, std::string_view set, ClaimOrigin origin)
      : db_(db),
        dataset_(dataset),
        claims_(db, std::string(set), "ingested", origin),
        find_(db.prepare(storage::sql::kRecordByKeyWithText)),
        names_(db, dataset_) {}

  void begin(WriteBatch& batch, const IngestPosition& /*progress*/) override {
    id_ = storage::find_dataset(db_, dataset_);
    claims_.begin(batch, id_);
  }

  std::optional<Problem> put(WriteBatch& batch, const ClaimsRow& row, Outcome& outcome) override {
    if (!find_.bind(id_, row.record).step()) {
      return names_.record(row.record, "name the field of the record's id with --record, or ingest the record first");
    }
    const auto record = find_.id<RecordId>(0);
    const auto original = find_.id<TextId>(1);
    find_.reset();
    for (const auto& claim : row.claims) {
      if (is_blank(claim.text)) return Problem{"a claim is blank", "remove the claim"};
      if (!model::looks_failed(claim.text)) continue;
      const std::string words = batch.facts().text(original);
      const auto looks = model::suspected_failure(claim.text, words);
      if (!looks || words.find(claim.text) != std::string::npos) continue;
      return Problem{fmt::format("a claim is {}, and the record's text is not", model::words_of(*looks)),
                     "leave it out: no text supports it, so it would look like privacy"};
    }
    if (auto problem = number(row)) return problem;
    if (row.replaces) {
      texts_.clear();
      for (const auto& claim : row.claims) texts_.push_back({claim.text, claim.category});
      outcome = claims_.replace(batch, record, row.record, texts_);
      return std::nullopt;
    }
    outcome = Outcome::kSame;
    for (std::size_t i = 0; i < row.claims.size(); ++i) {
      const auto& claim = row.claims[i];
      const Outcome one = claims_.put(batch, record, row.record, numbers_[i], {claim.text, claim.category});
      if (outcome == Outcome::kSame) outcome = one;
    }
    return std::nullopt;
  }

  void skip(const ClaimsRow& row) override { static_cast<void>(number(row)); }

  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override { claims_.end(); }

 private:
  // The numbers of a row's claims, into numbers_; remembers them.
  std::optional<Problem> number(const ClaimsRow& row) {
    const std::uint64_t hash = KeyMap::hash(row.record);
    auto [last, inserted] = records_.at(hash, 0);
    if (row.replaces ? !inserted : last == kArray) {
      return Problem{"the claims of this record were on an earlier line already", "keep one array for each record"};
    }
    if (row.replaces) {
      last = kArray;
      return std::nullopt;
    }
    numbers_.clear();
    std::uint32_t next = last;
    for (const auto& claim : row.claims) {
      next = claim.n.value_or(next + 1);
      if (next == 0 || next == kArray) return Problem{"a claim's number is out of range", "count from 1"};
      if (!pairs_.add(KeyMap::hash(row.record, next))) {
        return Problem{"a claim with this number was on an earlier line already",
                       "number the record's claims 1, 2, ..."};
      }
      numbers_.push_back(next);
    }
    last = next;
    return std::nullopt;
  }

  storage::Db& db_;
  const std::string dataset_;
  DatasetId id_;
  ClaimWriter claims_;
  KeyMap records_;  // hash of key -> number of the file's last claim
  KeyMap pairs_;    // hashes of (key, n)
  std::vector<std::uint32_t> numbers_;
  std::vector<ClaimText> texts_;
  Statement find_;
  UnknownNames names_;
};

}  // namespace

IngestResult ingest_claims(storage::Store& store, std::string_view dataset, std::string_view set,
                           RowSource<ClaimsRow>& source, const SourceIdentity& file, const IngestOptions& options,
                           ClaimOrigin origin) {
  check_name("claim set", set);
  storage::find_dataset(store.db(), dataset);
  ClaimsSink sink(store.db(), dataset, set, origin);
  IngestResult result = store_rows(store, source, file, fmt::format("claims {}/{}", dataset, set), options, sink);
  result.notes = claim_notes(store.db(), dataset, set);
  return result;
}

}  // namespace residue::ingest
