// What the tests of the reading half share: bytes to a file, a source to its rows and refusals.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// A file of the given bytes that goes with its object.
class TempFile {
 public:
  explicit TempFile(const std::string& bytes, const std::string& ending = ".jsonl") {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("residue-read-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + ending);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <class Row>
struct Read {
  std::vector<Row> rows;
  std::vector<RowError> bad;
};

template <class Row>
Read<Row> read_all(std::unique_ptr<RowSource<Row>> source) {
  Read<Row> read;
  Row row;
  RowError bad;
  for (;;) {
    const RowResult result = source->next(row, bad);
    if (result == RowResult::kEnd) return read;
    if (result == RowResult::kRow) read.rows.push_back(row);
    if (result == RowResult::kBad) read.bad.push_back(bad);
  }
}

inline Read<RecordRow> read_records(const std::string& bytes, RecordSourceOptions options = {},
                                    const std::string& ending = ".jsonl") {
  const TempFile file(bytes, ending);
  options.path = file.path();
  return read_all(open_records(options));
}

inline Read<VariantRow> read_variants(const std::string& bytes, VariantSourceOptions options = {},
                                      const std::string& ending = ".jsonl") {
  const TempFile file(bytes, ending);
  options.path = file.path();
  return read_all(open_variants(options));
}

inline Read<ClaimsRow> read_claims(const std::string& bytes, ClaimSourceOptions options = {},
                                   const std::string& ending = ".jsonl") {
  const TempFile file(bytes, ending);
  options.path = file.path();
  return read_all(open_claims(options));
}

inline Read<LabelRow> read_labels(const std::string& bytes, LabelSourceOptions options) {
  const TempFile file(bytes);
  options.path = file.path();
  return read_all(open_labels(options));
}

// The code of the Error that `f` throws; 0 where it throws none.
template <class F>
int error_code(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
  return 0;
}

}  // namespace residue::ingest
