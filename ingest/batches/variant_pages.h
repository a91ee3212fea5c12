// A run's variants, some at a time: as RecordPages has a dataset's records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::ingest {

struct VariantPage {
  VariantId id;
  std::optional<TextId> text_id;  // nothing: failed
  std::optional<TextId> spans_id;
  std::string key;                // of its record, or its own in a synthetic run
  std::string text;               // empty where it failed
};

class VariantPages {
 public:
  // Throws Error{not found}, and Error{bad input} if an input of the run was not read to its end.
  VariantPages(storage::Store& store, std::string_view dataset, std::string_view run);

  // The next variants, failed ones included, in the order of their ids: at most 4,096 or 16 MiB of text. False after
  // the last.
  bool next(std::vector<VariantPage>& variants);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] RunId run() const { return run_; }

 private:
  storage::Store& store_;
  RunId run_;
  VariantId last_;
  std::uint64_t total_ = 0;
  storage::Statement page_;
};

}  // namespace residue::ingest
