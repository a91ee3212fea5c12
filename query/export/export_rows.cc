#include "query/export/export_rows.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/error.h"
#include "query/export/condition.h"

namespace residue::query {
namespace {

// SQL has a type for each value, a file one for each column.
void fit(SqlValue& value, const ExportColumn& column) {
  if (std::holds_alternative<std::monostate>(value)) return;
  const auto* whole = std::get_if<std::int64_t>(&value);
  switch (column.type) {
    case ParquetType::kUtf8:
      if (std::holds_alternative<std::string>(value)) return;
      break;
    case ParquetType::kDouble:
      if (whole != nullptr) value = static_cast<double>(*whole);
      if (std::holds_alternative<double>(value)) return;
      break;
    case ParquetType::kInt64:
      if (whole != nullptr) return;
      break;
    case ParquetType::kBoolean:
      if (whole != nullptr && (*whole == 0 || *whole == 1)) return;
      break;
  }
  throw Error(Code::kInternal, fmt::format("export: the column {} has a value of another type", column.name),
              "this is a bug of residue");
}

}  // namespace

bool export_rows(const ExportRequest& request, const std::function<void(ExportRow row)>& take) {
  const std::vector<const ExportColumn*> columns = columns_at(*request.table, request.how.level, request.how.texts);
  if (!request.where.empty()) check_condition(request.where, *request.table, columns);
  SqlSink sink;
  sink.row = [&](ExportRow row) {
    for (std::size_t i = 0; i < columns.size(); ++i) fit(row.at(i), *columns[i]);
    take(std::move(row));
  };
  const std::string sql = export_statement(*request.table, request.how.level, request.how.texts, request.where);
  return run_statement(request.how, sql, sink).more;
}

}  // namespace residue::query
