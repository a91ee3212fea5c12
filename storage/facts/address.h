// Content addresses: HMAC-SHA-256 under the store's key, cut to 96 bits.
//
// Why 96 bits are enough: without the key nobody can search for two texts of one address, so only accidents count.
// Among 2^32 texts (a very large store) two share an address with probability 2^-33; each byte more would cost every
// text about 1.3 bytes of B-tree, where a lightly edited variant costs 80 in all. Every read compares the address
// again.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/keyed_hash.h"

namespace residue::storage {

inline constexpr std::size_t kAddressBytes = 12;
using Address = std::array<char, kAddressBytes>;

// Immutable, thread-safe.
class AddressKey {
 public:
  explicit AddressKey(std::string_view key) : hash_(key) {}  // 32 bytes; Error{internal} otherwise

  [[nodiscard]] Address of(std::string_view text) const;

 private:
  KeyedHash hash_;
};

}  // namespace residue::storage
