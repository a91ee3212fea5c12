// A value as SQL has it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace residue::query {

struct SqlBlob {
  std::string bytes;
  friend bool operator==(const SqlBlob&, const SqlBlob&) = default;
};
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, SqlBlob>;
using SqlRows = std::vector<std::vector<SqlValue>>;

}  // namespace residue::query
