// The small store, read by exports.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/export/export_rows.h"
#include "tests/query/small_store.h"

namespace residue::query {

class ExportTest : public testing::SmallStoreTest {
 protected:
  ExportTest() {
    store_.reset();  // nothing may be open in the process that forks
    request_.how.store = dir_ / ".residue";
  }

  static std::string shown(const SqlValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
    return "NULL";
  }

  // All rows, cells joined by '|'.
  std::vector<std::string> rows(std::string_view table, std::string where = {}) {
    request_.table = &export_table(table);
    request_.where = std::move(where);
    std::vector<std::string> lines;
    export_rows(request_, [&](const ExportRow& row) {
      std::string line;
      for (const SqlValue& value : row) line += (&value == &row.front() ? "" : "|") + shown(value);
      lines.push_back(line);
    });
    return lines;
  }

  ExportRequest request_;
};

// Words of originals and claims; no text of run 'r' has them.
inline bool tells_original(const std::string& text) {
  for (const char* word : {"Maria", "Graz", "Tom", "Bern", "aspirin", "clocks"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace residue::query
