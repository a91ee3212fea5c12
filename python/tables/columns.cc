#include "python/tables/columns.h"

#include <algorithm>

namespace residue::python {

ColumnType Column::type() const {
  const std::size_t texts = ends_.size();
  const std::size_t numbers = whole_.size() + real_.size();
  if (texts + numbers == 0) return ColumnType::kEmpty;
  if (texts == 0) return real_.empty() ? ColumnType::kWhole : ColumnType::kReal;
  if (numbers != 0) return ColumnType::kMixed;
  const auto blobs = static_cast<std::size_t>(std::count(tags_.begin(), tags_.end(), 'b'));
  if (blobs == 0) return ColumnType::kText;
  return blobs == texts ? ColumnType::kBlob : ColumnType::kMixed;
}

bool Column::has_null() const { return whole_.size() + real_.size() + ends_.size() < tags_.size(); }

}  // namespace residue::python
