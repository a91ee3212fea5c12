// The claims of a set, some records at a time: as RecordPages has a dataset's texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::ingest {

struct RecordClaims {
  struct Claim {
    std::uint32_t n = 0;
    std::string text;
  };
  RecordId id;
  std::string key;
  std::vector<Claim> claims;  // ascending n
};

// Of all claims, record by record; views into `records`.
std::vector<std::string_view> texts_of(std::span<const RecordClaims> records);

class ClaimPages {
 public:
  ClaimPages(storage::Store& store, DatasetId dataset, ClaimSetId set);

  // The next records of the dataset, those without claims as well, in the order of their ids: at most 1,024. False
  // after the last.
  bool next(std::vector<RecordClaims>& records);

  [[nodiscard]] std::uint64_t total() const { return total_; }  // claims

 private:
  storage::Store& store_;
  DatasetId dataset_;
  ClaimSetId set_;
  RecordId last_;
  std::uint64_t total_ = 0;
  storage::Statement page_, claims_;
};

}  // namespace residue::ingest
