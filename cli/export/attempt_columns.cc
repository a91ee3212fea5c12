#include "cli/export/attempt_columns.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace residue::cli {
namespace {

constexpr query::ExportColumn kColumns[] = {{"state"}, {"named_changed", query::ParquetType::kBoolean}};

}  // namespace

std::span<const query::ExportColumn> AttemptColumns::columns() { return kColumns; }

void AttemptColumns::add_to(query::ExportRow& row, const std::vector<const query::ExportColumn*>& of) const {
  const auto value = [&](std::string_view name) -> const query::SqlValue& {
    std::size_t at = 0;
    while (of.at(at)->name != name) ++at;
    return row.at(at);
  };
  const auto word = [&](std::string_view name) { return std::get<std::string>(value(name)); };
  const auto found = states_.find({word("dataset"), word("run"), word("protocol"),
                                   std::get<std::int64_t>(value("sample")), word("annotator"), word("record")});
  const bool known = found != states_.end();
  const bool answered = known && found->second.state != "open";
  row.push_back(known ? query::SqlValue(std::string(found->second.state)) : query::SqlValue());
  row.push_back(answered ? query::SqlValue(std::int64_t{found->second.named_changed}) : query::SqlValue());
}

}  // namespace residue::cli
