// Numbers as bytes, the highest first: as SQLite writes them into its files, and as keys that sort as the numbers do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace residue::storage {

// The lowest `bytes` bytes of it.
inline std::string big_endian(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out.push_back(static_cast<char>(number >> (8 * i)));
  return out;
}

// Of at most eight bytes.
inline std::uint64_t of_big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace residue::storage
