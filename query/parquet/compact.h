// Thrift's compact protocol, as far as the headers and the footer of a Parquet file need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace residue::query {

void put_varint(std::string& out, std::uint64_t value);

// One struct that is being written. Fields are written in ascending order of their ids; the owner calls end() once.
class CompactStruct {
 public:
  using Fill = std::function<void(CompactStruct&)>;

  // Appends to `out`, which outlives this.
  explicit CompactStruct(std::string& out) : out_(out) {}

  void i32(int id, std::int32_t value);
  void i64(int id, std::int64_t value);
  void binary(int id, std::string_view bytes);

  // A struct within, filled by `fill`.
  void inner(int id, const Fill& fill);

  // Lists of `count` elements.
  void structs(int id, std::size_t count, const std::function<void(std::size_t at, CompactStruct&)>& fill);
  void i32s(int id, std::initializer_list<std::int32_t> values);
  void binaries(int id, std::initializer_list<std::string_view> values);

  void end() { out_ += '\0'; }

 private:
  void field(int id, unsigned type);
  void list(int id, unsigned type, std::size_t count);

  std::string& out_;
  int last_ = 0;
};

}  // namespace residue::query
