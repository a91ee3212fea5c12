#include "query/export/snapshot_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "query/sql/levels/readable.h"

namespace residue::query {
namespace {

// The columns of the catalog that the columns *_text of an export name. Which level reads them: levels/readable.h.
constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
    {"variant", "text_id"},  {"claim", "text_id"},  {"auxiliary_query", "text_id"}, {"task_answer", "answer_id"},
    {"label", "payload_id"}, {"record", "text_id"}, {"record", "task_id"},          {"record", "meta_id"}};

// The numbers of the texts that a level may read. 0 is the empty text.
std::string ids_of_texts(ReadLevel level) {
  std::string ids = "SELECT 0 AS id";
  for (const ReadColumn& column : text_columns()) {
    if (column.level > level || std::ranges::find(kNamed, std::pair(column.table, column.column)) == std::end(kNamed)) {
      continue;
    }
    ids += fmt::format(" UNION SELECT {} FROM main.{}", column.column, column.table);
  }
  return ids;
}

std::string padded(std::size_t columns, std::size_t width) {
  std::string nulls;
  for (; columns < width; ++columns) nulls += ", NULL";
  return nulls;
}

}  // namespace

std::string snapshot_statement(ReadLevel level, bool texts) {
  std::size_t width = 2;
  for (const ExportTable& table : export_tables()) width = std::max(width, columns_at(table, level, texts).size());
  std::string sql;
  std::int64_t place = 0;
  for (const ExportTable& table : export_tables()) {
    sql += fmt::format("{}SELECT {}, x.*{} FROM ({}) x", place == 0 ? "" : " UNION ALL ", place,
                       padded(columns_at(table, level, texts).size(), width), ids_select(table, level, texts));
    ++place;
  }
  sql += fmt::format(" UNION ALL SELECT {}, key, value{} FROM main.store_info WHERE key = 'uuid'", kSnapshotStore,
                     padded(2, width));
  if (!texts) return sql;
  return sql + fmt::format(" UNION ALL SELECT {}, t.id, text(t.id){} FROM ({}) t WHERE t.id >= 0", kSnapshotText,
                           padded(2, width), ids_of_texts(level));
}

}  // namespace residue::query
