// HMAC-SHA-256: a hash that nobody can compute, or check a guess with, who does not have the key.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace residue {

// The states of both hashes after the key: a message costs its own blocks and two more. Immutable, thread-safe.
class KeyedHash {
 public:
  explicit KeyedHash(std::string_view key);  // kDigestBytes; Error{internal} otherwise
  ~KeyedHash();
  KeyedHash(KeyedHash&&) noexcept;
  KeyedHash& operator=(KeyedHash&&) noexcept;

  using Bytes = std::array<char, kDigestBytes>;
  // Of both, one behind the other.
  [[nodiscard]] Bytes of(std::string_view message, std::string_view rest = {}) const;

 private:
  struct States;
  std::unique_ptr<States> states_;
};

}  // namespace residue
