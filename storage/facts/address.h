// Content addresses: HMAC-SHA-256 under the store's key, cut to 96 bits.
//
// Why 96 bits are enough: without the key nobody can search for two texts of one address, so only accidents count.
// Among 2^32 texts (a very large store) two share an address with probability 2^-33; each byte more would cost every
// text about 1.3 bytes of B-tree, where a lightly edited variant costs 80 in all. Every read compares the address
// again.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

namespace residue::storage {

inline constexpr std::size_t kAddressBytes = 12;
using Address = std::array<char, kAddressBytes>;

// The states of both HMAC hashes after the key: a text costs its own blocks and two more. Immutable, thread-safe.
class AddressKey {
 public:
  explicit AddressKey(std::string_view key);  // 32 bytes; Error{internal} otherwise
  ~AddressKey();
  AddressKey(const AddressKey&) = delete;
  AddressKey& operator=(const AddressKey&) = delete;

  [[nodiscard]] Address of(std::string_view text) const;

 private:
  struct States;
  std::unique_ptr<States> states_;
};

}  // namespace residue::storage
