#include "tests/stub/stub_gzip.h"

#include <algorithm>
#include <cstdint>

namespace residue::stub {
namespace {

constexpr std::size_t kMostInBlock = 65'535;

void append(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

}  // namespace

std::string gzipped(std::string_view bytes) {
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
  std::string_view rest = bytes;
  do {
    const std::string_view block = rest.substr(0, kMostInBlock);
    rest.remove_prefix(block.size());
    out.push_back(rest.empty() ? '\x01' : '\x00');
    append(out, static_cast<std::uint32_t>(block.size()), 2);
    append(out, ~static_cast<std::uint32_t>(block.size()), 2);
    out += block;
  } while (!rest.empty());
  append(out, crc32(bytes), 4);
  append(out, static_cast<std::uint32_t>(bytes.size()), 4);
  return out;
}

}  // namespace residue::stub
