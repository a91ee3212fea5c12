// Lines of a file or of standard input, in batches as they arrive: a filter answers as soon as its input pauses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace residue::cli {

inline constexpr std::size_t kMaxLineBytes = 16U << 20U;

class LineReader {
 public:
  // "-" is standard input. Throws Error{not found|io}.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next complete lines (some 4 MiB of them, fewer if the input pauses), without their ends; false after the last.
  // The views live until the next call. Throws Error{bad input} for a line over 16 MiB, Error{interrupted}.
  bool next(std::vector<std::string_view>& lines);

  // How errors call the input: the path, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }

  // 1-based number of the first line of the last batch.
  [[nodiscard]] std::uint64_t first_line() const { return first_line_; }

 private:
  bool fill();  // false at the end of the input

  std::string name_;
  int fd_ = -1;
  bool at_end_ = false;
  std::string buffer_;
  std::size_t used_ = 0;  // bytes of buffer_ that earlier batches took
  std::uint64_t first_line_ = 1;
  std::uint64_t lines_ = 0;  // lines of the last batch
};

}  // namespace residue::cli
