// One column of one row group: values in, compressed pages out.
//
//   values ── PLAIN, a bit for each null ──> page ── zstd ──> pages of the chunk
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace residue::query {

enum class ParquetType { kBoolean, kInt64, kDouble, kUtf8 };

// zstd for one thread. Its memory is used again by every page.
class PageCompressor {
 public:
  PageCompressor();
  ~PageCompressor();
  PageCompressor(const PageCompressor&) = delete;
  PageCompressor& operator=(const PageCompressor&) = delete;

  // Appends `raw`, compressed, to `out`; returns how many bytes that took. Throws Error{try again} without memory.
  std::size_t append(std::string& out, std::string_view raw);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What the footer says of a chunk.
struct ChunkFacts {
  std::int64_t values = 0;  // nulls included
  std::int64_t nulls = 0;
  std::int64_t raw_bytes = 0;  // headers of pages included
  std::int64_t bytes = 0;      // the same, compressed
  // The smallest and largest value, PLAIN; both or none. None where no value is there, where one is NaN, and where a
  // text is longer than kMostStatisticBytes.
  std::optional<std::string> least, most;
};

class ChunkBuilder {
 public:
  static constexpr std::size_t kPageBytes = 1U << 20U;   // a page ends with the value that reaches this
  static constexpr std::size_t kPageValues = 1U << 17U;  // or with this many
  static constexpr std::size_t kMostStatisticBytes = 64;
  static constexpr std::size_t kMostTextBytes = 1U << 30U;  // of one value

  // `compressor` outlives this.
  ChunkBuilder(ParquetType type, PageCompressor& compressor) : type_(type), compressor_(&compressor) {}

  [[nodiscard]] ParquetType type() const { return type_; }

  // Appends a value; it must be of the column's type. Texts are UTF-8 (not looked at). Throws Error{usage} for a text
  // above kMostTextBytes.
  void null();
  void boolean(bool value);
  void int64(std::int64_t value);
  void real(double value);
  void utf8(std::string_view value);

  // Memory that the chunk holds by now, compressed pages and the open one.
  [[nodiscard]] std::size_t bytes() const { return pages_.size() + values_.size() + present_.size(); }

  // Ends the chunk: `pages` gets its bytes, and the next value begins another chunk.
  ChunkFacts finish(std::string& pages);

 private:
  void mark(bool present);
  void end_page();
  [[nodiscard]] std::string levels() const;

  ParquetType type_;
  PageCompressor* compressor_;
  std::string values_;       // PLAIN, of the open page
  std::string present_;      // a bit a value of the open page, lowest first
  std::size_t count_ = 0;    // values of the open page
  std::size_t nulls_ = 0;    // of these
  std::string pages_, raw_;  // pages that are done; room for the next one
  ChunkFacts facts_;
  bool ordered_ = true;  // no value so far that forbids least and most
  std::int64_t least_int_ = 0, most_int_ = 0;
  double least_real_ = 0, most_real_ = 0;
  std::string least_text_, most_text_;
  bool any_ = false;  // a value was there
};

}  // namespace residue::query
