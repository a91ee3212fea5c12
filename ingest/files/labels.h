// `ingest labels`: what people or ground truth said about records and claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// What the inputs of one command have said so far.
class LabelsRead {
 public:
  // False where something else was said of `key` before; what was said first stays.
  bool agrees(std::uint64_t key, std::uint64_t payload) {
    return said_.try_emplace(key, payload).first->second == payload;
  }

  // Labels of types that nothing here knows: how many, and where the first one stands ("labels.jsonl:3").
  void unknown_type(const std::string& place) {
    if (unknown_types_++ == 0) first_unknown_ = place;
  }
  [[nodiscard]] std::uint64_t unknown_types() const { return unknown_types_; }
  [[nodiscard]] const std::string& first_unknown() const { return first_unknown_; }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> said_;
  std::uint64_t unknown_types_ = 0;
  std::string first_unknown_;
};

// Stores the labels of one file. A label takes the place of the one that the same annotator gave the same thing
// (ingest/label_subject.h). Offsets of spans are checked against the record's text and stored in bytes
// ("unit":"byte"). Bad rows: a record, claim or run that the dataset does not have, offsets outside the text or inside
// a character, a span's text that is not what they cover, an entity that no metric can find in the record's text, two
// labels of one thing by one annotator that differ (`read`: in other inputs of the same command, too). `set` names the
// claim set that "r-12#2" counts in; nothing: any set. Throws as ingest_claims.
IngestResult ingest_labels(storage::Store& store, std::string_view dataset, std::string_view kind,
                           const std::optional<std::string>& set, RowSource<LabelRow>& source,
                           const SourceIdentity& file, const IngestOptions& options = {}, LabelsRead* read = nullptr);

}  // namespace residue::ingest
