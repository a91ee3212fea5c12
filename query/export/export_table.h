// What can be exported: of each table its columns, their types, and from which level on they may be read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/parquet/parquet_footer.h"
#include "query/sql/levels/readable.h"

namespace residue::query {

// Tables and columns are only ever added, which leaves this number as it is. It is raised when a name or a type gets
// another meaning.
inline constexpr int kExportSchemaVersion = 1;

struct ExportColumn {
  enum class Text : std::uint8_t {
    kNone,       // a value of the view
    kAny,        // the number of a text
    kOfRelease,  // of a text of the row's run: below kOriginals NULL where the run is a control
  };
  const char* name;  // as in the view
  ParquetType type = ParquetType::kUtf8;
  ReadLevel level = ReadLevel::kReleased;  // below it the column is left out
  Text text = Text::kNone;
};

struct ExportTable {
  const char* name;
  const char* from;   // the view, or a subselect that is like one
  const char* what;   // a row is ...
  const char* index;  // columns of the snapshot's first index
  std::span<const ExportColumn> columns;
};

// In the order of help.
std::span<const ExportTable> export_tables();

// Throws Error{usage} with the nearest name.
const ExportTable& export_table(std::string_view name);

// The columns that a reader of this level gets; without texts where `texts` is false.
std::vector<const ExportColumn*> columns_at(const ExportTable& table, ReadLevel level, bool texts);

// A statement of all rows, for query/sql. `where`: as check_condition() passed it; empty: none. Below kOriginals no
// row, no value and no condition depends on a text of another level. The second has the texts' numbers in their place.
std::string export_statement(const ExportTable& table, ReadLevel level, bool texts, std::string_view where);
std::string ids_select(const ExportTable& table, ReadLevel level, bool texts);

}  // namespace residue::query
