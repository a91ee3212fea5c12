// A dataset's records, some at a time: ids and texts, for stages that read all of them and write in between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::ingest {

struct RecordText {
  RecordId id;
  TextId text_id;
  std::string key;
  std::string text;
};

class RecordPages {
 public:
  // Throws Error{not found}, and Error{bad input} if an input of the dataset was not read to its end.
  RecordPages(storage::Store& store, std::string_view dataset);

  // The next records, in the order of their ids: at most 4,096 or 16 MiB of text. False after the last.
  bool next(std::vector<RecordText>& records);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] DatasetId dataset() const { return dataset_; }

 private:
  storage::Store& store_;
  DatasetId dataset_;
  RecordId last_;
  std::uint64_t total_ = 0;
  storage::Statement page_;
};

}  // namespace residue::ingest
