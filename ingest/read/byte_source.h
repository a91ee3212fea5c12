// The bytes of an input file, decompressed: plain, gzip or zstd, told apart by their first bytes, never by the name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Up to `size` bytes; 0 is the end. Throws Error{io}, and Error{bad input} for damaged or cut compression.
  virtual std::size_t read(char* to, std::size_t size) = 0;

  // Bytes consumed of the file as it lies on disk, and its size; nothing for a pipe.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const = 0;
};

// `path` may be "-". Memory is constant, however large the decompressed bytes. Throws Error{not found}, Error{usage}
// for a directory, Error{io}.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// How messages name an input: without its folder, "standard input" for "-".
std::string shown_name(const std::string& path);

// Bytes in memory, for tests and fuzzing; the view must outlive the source.
std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes);

// A window of unread bytes that grows only as far as its user asks. Views live until the next more().
// At least 64 readable bytes follow the window (simdjson reads past the end).
class InputBuffer {
 public:
  explicit InputBuffer(std::unique_ptr<ByteSource> source);

  [[nodiscard]] std::string_view view() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes) { begin_ += bytes; }

  // Reads more behind the window; false at the end of the input.
  bool more();

  // Drops the byte order mark, if any, and answers the first byte that is not white space (0: none in the first block).
  char begin();

  [[nodiscard]] const ByteSource& source() const { return *source_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace residue::ingest
