// Lines of bounded length with exact numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

inline constexpr std::size_t kMaxRowBytes = std::size_t{16} << 20;

class LineReader {
 public:
  enum class Result { kLine, kTooLong, kEnd };

  explicit LineReader(InputBuffer& input, std::size_t max_bytes = kMaxRowBytes) : input_(&input), max_(max_bytes) {}

  // The next line that is not blank, without its LF or CRLF; lives until the next call. kTooLong: over `max_bytes`,
  // said as soon as that is known, the end of an endless line is not waited for; the next call skips the rest.
  Result next(std::string_view& line);

  [[nodiscard]] std::uint64_t number() const { return number_; }  // of the line last returned, 1-based
  [[nodiscard]] std::uint64_t blank() const { return blank_; }    // blank lines skipped so far

 private:
  bool find(std::string_view& line, bool& too_long);
  bool skip_rest();

  InputBuffer* input_;
  std::size_t max_;
  std::uint64_t number_ = 0;
  std::uint64_t blank_ = 0;
  bool inside_ = false;  // of a line that was too long
};

}  // namespace residue::ingest
