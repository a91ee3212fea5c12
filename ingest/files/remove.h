// `rm` and `rename` of datasets and runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::ingest {

// What goes, or went, with a dataset or run.
struct Removed {
  std::uint64_t records = 0;
  std::uint64_t claims = 0;
  std::uint64_t runs = 0;  // the automatic controls not counted
  std::uint64_t variants = 0;
  std::uint64_t links = 0;
  std::uint64_t labels = 0;
  std::uint64_t answers = 0;   // of single records
  std::uint64_t attempts = 0;  // of people on these targets, open ones included
  std::uint64_t named = 0;     // attempts on others, which named one of these: they stay
};

// What removing needs: nobody evaluates a run of the dataset meanwhile.
std::vector<storage::Lock> lock_runs(storage::Store& store, DatasetId dataset);

// Removing writes to the catalog's log before anything gets smaller: a full disk is told as Error{try again}.
Removed with_room(const std::function<Removed()>& work);

// Counts without removing: for the question before. Throws Error{not found} with the nearest names, Error{usage} for an
// automatic control.
Removed count_dataset(storage::Store& store, std::string_view dataset);
Removed count_run(storage::Store& store, std::string_view dataset, std::string_view run);

// Removes the rows; texts stay until `gc`. Throws as the counting, and Error{busy} while a run is being
// evaluated or anything is being ingested, Error{try again} on a full disk: nothing is removed then.
Removed remove_dataset(storage::Store& store, std::string_view dataset);
Removed remove_run(storage::Store& store, std::string_view dataset, std::string_view run);

// The same rows, within a batch: for a removal that does more.
Removed erase_dataset_rows(storage::Db& db, std::string_view dataset);
Removed erase_run_rows(storage::Db& db, std::string_view dataset, std::string_view run);

// Labels of a dataset: of one kind, and of one annotator where he is named.
struct LabelSelection {
  std::string_view kind;
  std::optional<std::string> annotator;
};

// Only `labels` is counted. Throw Error{not found} for the dataset, and where nobody of that name has such labels, with
// the nearest names. What depends on the labels is stale afterwards.
Removed count_labels(storage::Store& store, std::string_view dataset, const LabelSelection& which);
Removed remove_labels(storage::Store& store, std::string_view dataset, const LabelSelection& which);

// What was released of the run, or of all runs of the dataset, never left: the ledger counts it no more. Neither needs
// to be there any more. How many releases were struck out.
std::int64_t strike_releases(storage::Store& store, std::string_view dataset, std::optional<std::string_view> run);

// Done in the same transaction, once the run has its new name.
using AlsoRename = std::function<void(storage::Db& db, DatasetId dataset)>;

// Results stay valid. Throws Error{not found}, Error{usage} for a name that is taken, reserved or ill-formed.
void rename_dataset(storage::Store& store, std::string_view from, std::string_view to);
void rename_run(storage::Store& store, std::string_view dataset, std::string_view from, std::string_view to,
                const AlsoRename& also = {});

}  // namespace residue::ingest
