// Rows of an input file as values, whatever the format: JSON Lines, a JSON array of objects, CSV or TSV, a folder of
// text files (folder.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/read/byte_source.h"
#include "ingest/read/value.h"

namespace residue::ingest {

class RowReader {
 public:
  virtual ~RowReader() = default;

  // False at the end. Throws Refusal for a row that is none, with row.line set; the next call goes on behind it.
  virtual bool next(InputRow& row) = 0;

  // One line each: what of the file's form had to be found out.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  // Whether only the last row says that the ones before are right: they are stored all or none.
  [[nodiscard]] virtual bool whole() const { return false; }

  [[nodiscard]] virtual std::uint64_t bytes_read() const { return input_.source().bytes_read(); }
  [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const { return input_.source().bytes_total(); }

 protected:
  explicit RowReader(InputBuffer input) : input_(std::move(input)) {}
  InputBuffer input_;
};

// The format is CSV where the name ends in .csv or .tsv (.gz, .zst); else it is told by the first character that is no
// space, and by a name in .json, .jsonl or .ndjson. What separates the columns of CSV is said by its header line
// (separator.h). Throws as open_bytes, and Error{bad input} for a CSV header that is none.
std::unique_ptr<RowReader> open_rows(const std::string& path);
std::unique_ptr<RowReader> open_rows(std::unique_ptr<ByteSource> bytes, const std::string& name);
std::unique_ptr<RowReader> open_rows(InputBuffer input, const std::string& name);

}  // namespace residue::ingest
