// Records that say the same, and persons with several: why a hit on another record may be a hit on the person, and
// what is drawn together when intervals are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::query {

// Of a dataset, in records.
struct Repeats {
  std::int64_t records = 0;
  std::int64_t same_text = 0;   // another record has the text as well, byte for byte; empty texts aside
  std::int64_t of_persons = 0;  // their person has several
  std::int64_t persons = 0;     // such persons

  [[nodiscard]] bool any() const { return same_text + of_persons > 0; }
};

// Cost: one pass over the rows of the dataset's records; no text is read.
Repeats repeats(storage::Store& store, DatasetId dataset);

// "448 of 901 records have the text of another record: ..."; empty where there is none.
std::string repeats_note(const Repeats& repeats);

// The resampling units of a dataset's records. Ten copies of a record say no more than one: without a person they are
// one unit, that of their smallest key, which depends on nothing but the records. Empty originals are no copies.
class ResamplingUnits {
 public:
  // Cost: one pass over the rows of the records.
  ResamplingUnits(storage::Db& db, DatasetId dataset, std::optional<TextId> empty_text);

  [[nodiscard]] std::uint64_t of(std::string_view key, const std::optional<std::string>& person, TextId text) const;

 private:
  std::unordered_map<TextId, std::string> first_;  // of texts that several records without a person have
};

}  // namespace residue::query
