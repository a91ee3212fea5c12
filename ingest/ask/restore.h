// `restore`: responses to a run's texts from files, told of the originals again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "model/tasks/task_asker.h"
#include "storage/store.h"

namespace residue::ingest {

// A row of the output, in the order of the file. Exactly one of `text` and `error` is set.
struct RestoredRow {
  std::string key;
  std::optional<std::string> text;
  std::optional<std::string> error;                   // the file's own, or why nothing can be restored
  std::optional<std::uint64_t> put_back;              // nothing: a model restored, and nobody counted
  std::uint64_t ambiguous = 0, left = 0, absent = 0;  // RestoredResponse
};

struct RestoreCounts {
  std::uint64_t rows = 0;
  std::uint64_t failed = 0;
  std::uint64_t changed = 0;  // texts
  std::uint64_t put_back = 0, ambiguous = 0, left = 0, absent = 0;
};

// Reads responses by the keys of the records whose texts in the run they respond to; several may respond to one. A row
// with an error keeps it. Throws Error{usage} for a run that kept no mapping, Error{bad input} with file and line for a
// row that is none or belongs to no record, Error{not found}, and as restored(). Memory: some thousand rows.
RestoreCounts restore_rows(storage::Store& store, std::string_view dataset, std::string_view run,
                           RowSource<VariantRow>& source, const SourceIdentity& file, model::TaskAsker* asker,
                           const IngestOptions& options, const std::function<void(const RestoredRow&)>& put);

}  // namespace residue::ingest
