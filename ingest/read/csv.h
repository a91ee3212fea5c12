// Rows of a CSV (RFC 4180) or TSV file: a header, then as many cells as it names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/line_reader.h"
#include "ingest/read/value.h"

namespace residue::ingest {

class CsvReader {
 public:
  // `line`: the number of the line at which `input` stands.
  CsvReader(InputBuffer& input, char separator, std::size_t max_bytes = kMaxRowBytes, std::uint64_t line = 1)
      : input_(&input), separator_(separator), max_(max_bytes), line_(line) {}

  // The cells of the next row, quotes undone; blank lines are skipped. False at the end. Throws Refusal for a row that
  // is none, as soon as that is known; the next call goes on behind its line.
  bool next(std::vector<std::string>& cells);

  [[nodiscard]] std::uint64_t line() const { return first_; }  // of the row's (or the fault's) first line, 1-based

 private:
  enum class Parse { kRow, kIncomplete, kStrayQuote };
  Parse parse(std::string_view view, bool last, std::vector<std::string>& cells, std::size_t& size) const;
  void take(std::size_t size);
  [[noreturn]] void refuse(const char* cause, const char* remedy);
  void skip_line();

  InputBuffer* input_;
  char separator_;
  std::size_t max_;
  std::uint64_t line_;
  std::uint64_t first_ = 1;
  bool inside_ = false;  // of a line that was refused
};

}  // namespace residue::ingest
