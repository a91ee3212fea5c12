// A dataset's records, some at a time: ids and texts, for stages that read all of them and write in between.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::ingest {

struct RecordText {
  RecordId id;
  TextId text_id;
  std::string key;
  std::string text = {};    // the original; of a run what it has instead
  std::string person = {};  // whom it is about, if somebody said
  std::string error = {};   // of a run: why it has no text; empty: it has one
};

class RecordPages {
 public:
  // Throws Error{not found}, and Error{bad input} if an input of the dataset was not read to its end.
  // `run`: the texts of this aligned run instead of the originals.
  RecordPages(storage::Store& store, std::string_view dataset, std::optional<std::string> run = std::nullopt);

  // Whether nothing has to be done about a record: it is left out, and its text is not read. Asked before `text` and
  // `error` are there.
  using Done = std::function<bool(const RecordText& record)>;

  // The next records, in the order of their ids: at most 4,096 or 16 MiB of text. False after the last; with `done`,
  // `records` may be empty before.
  bool next(std::vector<RecordText>& records, const Done& done = {});

  // The next page begins behind this record.
  void go_on_behind(RecordId last) { last_ = last; }

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] DatasetId dataset() const { return dataset_; }

 private:
  storage::Store& store_;
  DatasetId dataset_;
  std::optional<RunId> run_;
  RecordId last_;
  std::uint64_t total_ = 0;
  storage::Statement page_;
};

}  // namespace residue::ingest
