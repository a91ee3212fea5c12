#include "cli/print/table_stream.h"

#include <utility>
#include <variant>

#include "cli/print/formats.h"

namespace residue::cli {
namespace {

constexpr std::size_t kRowsAtOnce = 1'000;
constexpr std::size_t kBytesAtOnce = 1U << 20U;

// Columns of numbers stand to the right.
void find_types(Table& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    bool numbers = false;
    bool texts = false;
    for (const auto& row : table.rows) {
      texts = texts || std::holds_alternative<std::string>(row[i]);
      numbers = numbers || !std::holds_alternative<std::monostate>(row[i]);
    }
    if (numbers && !texts) table.columns[i].type = Type::kReal;
  }
}

}  // namespace

TableStream::TableStream(Output& out, const Globals& globals, std::vector<Column> columns)
    : out_(out), globals_(globals), part_{std::move(columns), {}} {}

void TableStream::row(std::vector<Cell> cells) {
  for (const Cell& cell : cells) {
    if (const auto* words = std::get_if<std::string>(&cell)) bytes_ += words->size();
  }
  part_.rows.push_back(std::move(cells));
  if (part_.rows.size() >= kRowsAtOnce || bytes_ >= kBytesAtOnce) write_part(false);
  out_.require_reader();
}

void TableStream::finish() { write_part(true); }

void TableStream::write_part(bool last) {
  // What a document's columns are is said by its first part; a part of a table has a header of its own.
  if (!begun_) find_types(part_);
  if (globals_.format != Format::kTable) {
    const std::string bytes = document(last);
    out_.wants_json() ? out_.write_json(bytes) : out_.write(bytes);
  } else if (!begun_ || !part_.rows.empty()) {
    if (begun_) out_.write("\n");
    out_.table(part_);
  }
  out_.flush();
  begun_ = true;
  bytes_ = 0;
  part_.rows.clear();
}

// A part of the document: of its beginning only the first one has it, of its end the last one.
std::string TableStream::document(bool last) {
  std::string bytes = in_format(part_, globals_);
  const std::string empty = in_format(Table{part_.columns, {}}, globals_);
  if (globals_.format == Format::kJson) {
    if (part_.rows.empty()) return begun_ ? "\n]\n" : empty;
    if (begun_) bytes.replace(0, 1, ",");
    if (!last) bytes.resize(bytes.size() - std::string_view("\n]\n").size());
    return bytes;
  }
  const std::string_view end = globals_.format == Format::kLatex ? kLatexEnd : std::string_view();
  if (!last) bytes.resize(bytes.size() - end.size());
  return begun_ ? bytes.substr(empty.size() - end.size()) : bytes;
}

}  // namespace residue::cli
