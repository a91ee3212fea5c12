#include "query/parquet/compact.h"

#include "base/error.h"

namespace residue::query {
namespace {

constexpr unsigned kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12;

void zigzag(std::string& out, std::int64_t value) {
  put_varint(out, (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

void bytes_of(std::string& out, std::string_view bytes) {
  put_varint(out, bytes.size());
  out += bytes;
}

}  // namespace

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

void CompactStruct::field(int id, unsigned type) {
  const int step = id - last_;
  if (step < 1 || step > 15)
    throw Error(Code::kInternal, "parquet: a field is out of order", "this is a bug of residue");
  out_ += static_cast<char>(static_cast<unsigned>(step) << 4U | type);
  last_ = id;
}

void CompactStruct::list(int id, unsigned type, std::size_t count) {
  field(id, kList);
  if (count < 15) {
    out_ += static_cast<char>(static_cast<unsigned>(count) << 4U | type);
  } else {
    out_ += static_cast<char>(0xf0U | type);
    put_varint(out_, count);
  }
}

void CompactStruct::i32(int id, std::int32_t value) {
  field(id, kI32);
  zigzag(out_, value);
}

void CompactStruct::i64(int id, std::int64_t value) {
  field(id, kI64);
  zigzag(out_, value);
}

void CompactStruct::binary(int id, std::string_view bytes) {
  field(id, kBinary);
  bytes_of(out_, bytes);
}

void CompactStruct::inner(int id, const Fill& fill) {
  field(id, kStruct);
  CompactStruct within(out_);
  fill(within);
  within.end();
}

void CompactStruct::structs(int id, std::size_t count,
                            const std::function<void(std::size_t at, CompactStruct&)>& fill) {
  list(id, kStruct, count);
  for (std::size_t at = 0; at < count; ++at) {
    CompactStruct element(out_);
    fill(at, element);
    element.end();
  }
}

void CompactStruct::i32s(int id, std::initializer_list<std::int32_t> values) {
  list(id, kI32, values.size());
  for (const std::int32_t value : values) zigzag(out_, value);
}

void CompactStruct::binaries(int id, std::initializer_list<std::string_view> values) {
  list(id, kBinary, values.size());
  for (const std::string_view value : values) bytes_of(out_, value);
}

}  // namespace residue::query
