#include "ingest/files/vectors.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/key_map.h"
#include "ingest/files/unknown_names.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/run_claim.h"
#include "storage/catalog/sources/variant.h"
#include "storage/vectors.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::VectorWriter;
using storage::WriteBatch;

Outcome outcome_of(VectorWriter::Change change) {
  switch (change) {
    case VectorWriter::Change::kNew:
      return Outcome::kNew;
    case VectorWriter::Change::kSame:
      return Outcome::kSame;
    case VectorWriter::Change::kChanged:
      break;
  }
  return Outcome::kChanged;
}

class VectorSink final : public RowSink<VectorRow> {
 public:
  VectorSink(storage::Db& db, std::string_view dataset, std::string_view model, std::string_view set)
      : db_(db),
        dataset_(dataset),
        model_(model),
        set_(set),
        vectors_(db, model_),
        record_(db.prepare(storage::sql::kRecordByKeyWithText)),
        run_(db.prepare(storage::sql::kRunByName)),
        variant_(db.prepare(storage::sql::kVariantTextByRecordOrKey)),
        claim_(db.prepare(storage::sql::kClaimTextByN)),
        run_claim_(db.prepare(storage::sql::kRunClaimTextBySetNameAndVariant)),
        names_(db, dataset_) {
    refresh();
  }

  void begin(WriteBatch& /*batch*/, const IngestPosition& /*progress*/) override { refresh(); }

  std::optional<Problem> put(WriteBatch& batch, const VectorRow& row, Outcome& outcome) override {
    TextId text;
    if (auto problem = find(row, text)) return problem;
    if (vectors_.dimension() != 0 && row.values.size() != vectors_.dimension()) {
      return Problem{fmt::format("the vector has {} values, those of model {} have {}", row.values.size(), model_,
                                 vectors_.dimension()),
                     "give each model a --model name of its own"};
    }
    if (!ids_.add(hash_of_id(row))) {
      return Problem{"a vector of this id was on an earlier line already", "keep one of them"};
    }
    if (texts_.add(hash_of_text(text))) {
      outcome = outcome_of(vectors_.put(batch, text, row.values));
    } else {
      ++repeated_;
      outcome = Outcome::kSame;
    }
    return std::nullopt;
  }

  void skip(const VectorRow& row) override {
    TextId text;
    const bool taken = !find(row, text) && row.values.size() == vectors_.dimension() && ids_.add(hash_of_id(row));
    if (taken && !texts_.add(hash_of_text(text))) ++repeated_;
  }

  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override { vectors_.end(); }

  [[nodiscard]] std::vector<std::string> notes() const {
    if (repeated_ == 0) return {};
    return {fmt::format("rows with the text of an earlier row, whose vector was kept: {}", repeated_)};
  }

 private:
  static std::uint64_t hash_of_id(const VectorRow& row) {
    const std::uint64_t run = row.run ? KeyMap::hash(*row.run) : 0;
    return KeyMap::hash(row.key, mix(run ^ static_cast<std::uint64_t>(row.of)) ^ row.claim);
  }
  static std::uint64_t hash_of_text(TextId text) { return KeyMap::hash("", static_cast<std::uint64_t>(text.value)); }

  void refresh() {
    id_ = storage::find_dataset(db_, dataset_);
    claim_set_ = {};
    vectors_.begin();
  }

  // The text that a row speaks of, or why there is none.
  std::optional<Problem> find(const VectorRow& row, TextId& text) {
    RecordId record;
    if (record_.bind(id_, row.key).step()) {
      record = record_.id<RecordId>(0);
      text = record_.id<TextId>(1);
    }
    record_.reset();
    if (row.of == VectorOf::kVariant) return find_variant(row, record, text);
    if (row.of == VectorOf::kClaim && row.run) return find_run_claim(row, record, text);
    if (record.value == 0) {
      return names_.record(row.key, "ingest the record first, or say with --of whose vectors these are");
    }
    return row.of == VectorOf::kClaim ? find_claim(row, record, text) : std::nullopt;
  }

  std::optional<RunId> run_of(const VectorRow& row) {
    std::optional<RunId> run;
    if (run_.bind(id_, *row.run).step()) run = run_.id<RunId>(0);
    run_.reset();
    return run;
  }
  std::optional<Problem> find_run_claim(const VectorRow& row, RecordId record, TextId& text) {
    const auto run = run_of(row);
    if (!run) return names_.run(*row.run);
    const bool there = run_claim_.bind(*run, set_, record, row.key, row.claim).step();
    if (there) text = run_claim_.id<TextId>(0);
    run_claim_.reset();
    if (there) return std::nullopt;
    return Problem{fmt::format("the run's text has no claim with this number in the set {}", set_),
                   fmt::format("residue atomize {}/RUN makes claims; --set names another set", dataset_)};
  }

  std::optional<Problem> find_variant(const VectorRow& row, RecordId record, TextId& text) {
    const auto run = run_of(row);
    if (!run) return names_.run(*row.run);
    if (!variant_.bind(*run, record, row.key).step()) {
      return Problem{"the run has no variant with this id", "ingest the run's rows first"};
    }
    const auto found = variant_.integer_or_null(0);
    variant_.reset();
    if (!found) return Problem{"the variant failed: it has no text", "leave the row out"};
    text = TextId{*found};
    return std::nullopt;
  }

  std::optional<Problem> find_claim(const VectorRow& row, RecordId record, TextId& text) {
    if (claim_set_.value == 0) claim_set_ = storage::find_claim_set(db_, dataset_, set_);
    if (!claim_.bind(claim_set_, record, row.claim).step()) {
      return Problem{fmt::format("the record has no claim with this number in the set {}", set_),
                     "ingest its claims first, or name their set with --set"};
    }
    text = claim_.id<TextId>(0);
    claim_.reset();
    return std::nullopt;
  }

  storage::Db& db_;
  const std::string dataset_, model_, set_;
  DatasetId id_;
  ClaimSetId claim_set_;
  VectorWriter vectors_;
  KeyMap ids_;    // hashes of what the file's rows name
  KeyMap texts_;  // hashes of the texts they belong to
  std::uint64_t repeated_ = 0;
  Statement record_, run_, variant_, claim_, run_claim_;
  UnknownNames names_;
};

}  // namespace

IngestResult ingest_vectors(storage::Store& store, std::string_view dataset, std::string_view model,
                            std::string_view set, RowSource<VectorRow>& source, const SourceIdentity& file,
                            const IngestOptions& options) {
  check_name("model", model);
  storage::find_dataset(store.db(), dataset);
  if (storage::embedder_origin(store.db(), model)) {
    throw Error(Code::kUsage, fmt::format("a server makes the vectors of \"{}\"", model),
                "give the vectors of the file another name, with --model: the two cannot be mixed");
  }
  VectorSink sink(store.db(), dataset, model, set);
  IngestResult result = store_rows(store, source, file, fmt::format("vectors {}/{}", dataset, model), options, sink);
  result.notes = sink.notes();
  return result;
}

}  // namespace residue::ingest
