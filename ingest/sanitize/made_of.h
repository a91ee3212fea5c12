// What the variants of a run were made of: what has not changed is not made again.
//
//   record, person ─┐
//   spec, dataset ──┴─> digest ── stored with the variant (program_answer) ──> the same: it stays as it is
//
// This is for methods that ask nobody. What models and programs said is kept as answers (asking_sanitizer.h,
// Making::ask).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "ingest/batches/record_pages.h"
#include "ingest/method/sanitizer.h"
#include "storage/store.h"

namespace residue::ingest {

class MadeOf {
 public:
  // `dataset`, `name`: whose records, and what it is called; replacements are drawn with the name.
  MadeOf(storage::Store& store, DatasetId dataset, std::string_view name, std::string_view run, Sanitizer& sanitizer);

  // Whether the record's variant is what the method would make of it again. Reads no text.
  bool is_current(const RecordText& record);

  // How many variants that were current have their record's own text. Blank texts do not count.
  [[nodiscard]] std::int64_t unchanged() const { return unchanged_; }

  // Inside a batch, behind the variant: what it was made of. Failed ones are always made again.
  void keep(RunId run, const RecordText& record);

 private:
  // 32 bytes: of all that decides the variant besides the record's text.
  const std::string& digest_for(const std::string& person);

  const std::string settings_;  // empty: nothing is kept
  std::string person_, digest_;
  std::optional<RunId> run_;       // as it was before
  std::optional<TextId> nothing_;  // the empty text
  std::int64_t unchanged_ = 0;
  storage::Statement find_, keep_;
};

}  // namespace residue::ingest
