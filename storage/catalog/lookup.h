// Names to ids, and the one wording of "there is no such thing".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {

// A TARGET of the command line: DATASET or DATASET/RUN (record keys may contain '/', names never do).
struct Target {
  std::string dataset;
  std::optional<std::string> run;
};

// Throws Error{usage} for an empty part.
Target parse_target(std::string_view text);

// The dataset's id; Error{not found} with the nearest names.
DatasetId find_dataset(Db& db, std::string_view name);

// The run's id, controls included; Error{not found} with the nearest names. `dataset` is for the message.
RunId find_run(Db& db, std::string_view dataset, std::string_view run);

// The claim set's id; Error{not found} with the nearest names.
ClaimSetId find_claim_set(Db& db, std::string_view dataset, std::string_view set);

// The record's id; Error{not found}: keys are users' identifiers and many, so none is suggested.
RecordId find_record(Db& db, std::string_view dataset, std::string_view key);

}  // namespace residue::storage
