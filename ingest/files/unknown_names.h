// Why a row of a file refers to nothing: a record or a run that the dataset does not have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "ingest/rows/names.h"
#include "storage/catalog/sqlite.h"

namespace residue::ingest {

// How `nearest` differs from `key`, without quoting either: ids may be names of people. "differs in upper and lower
// case alone", "has one character more, the 4th". Nothing where they differ in digits only: numbered ids all look
// alike.
std::optional<std::string> difference(std::string_view key, std::string_view nearest);

class UnknownNames {
 public:
  UnknownNames(storage::Db& db, std::string dataset) : db_(db), dataset_(std::move(dataset)) {}

  // "no record with this id in dataset clinic: the nearest id ...". Looks among the first 20,000 ids, for the first
  // 200 unknown ones.
  Problem record(std::string_view key, std::string remedy);

  // Runs have names that the user gave in commands: the nearest is named.
  Problem run(std::string_view name);

  // The record has no claim `n`; `set`: in that claim set, else in any.
  Problem claim(RecordId record, const std::optional<std::string>& set);

 private:
  storage::Db& db_;
  const std::string dataset_;
  std::vector<std::string> keys_;
  std::size_t looked_ = 0;
};

}  // namespace residue::ingest
