#include "query/export/snapshot_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace residue::query {
namespace {

// The numbers of the texts that a level may read. 0 is the empty text.
constexpr char kReleasedTexts[] =
    "SELECT 0 AS id UNION SELECT t.text_id FROM main.variant t JOIN main.run u ON u.id = t.run_id"
    " WHERE u.kind IN ('aligned', 'synthetic')";
constexpr char kClaimTexts[] =
    " UNION SELECT text_id FROM main.claim UNION SELECT text_id FROM main.auxiliary_query"
    " UNION SELECT answer_id FROM main.task_answer UNION SELECT payload_id FROM main.label";
constexpr char kOriginalTexts[] =
    " UNION SELECT text_id FROM main.record UNION SELECT task_id FROM main.record UNION SELECT meta_id FROM "
    "main.record";

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
  std::string ids = kReleasedTexts;
  if (level >= ReadLevel::kClaims) ids += kClaimTexts;
  if (level >= ReadLevel::kOriginals) ids += kOriginalTexts;
  return sql + fmt::format(" UNION ALL SELECT {}, t.id, text(t.id){} FROM ({}) t WHERE t.id >= 0", kSnapshotText,
                           padded(2, width), ids);
}

}  // namespace residue::query
