// Records that say the same, and persons with several: why a hit on another record may be a hit on the person.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace residue::query
