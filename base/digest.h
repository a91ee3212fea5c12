// Bytes that name other bytes: SHA-256, hexadecimal, random keys, and digests over fields that cannot run into each
// other.
//
//   domain, (tag, bytes), (tag, bytes) ...  each with its length before it ──> 32 bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace residue {

inline constexpr std::size_t kDigestBytes = 32;

// SHA-256 of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  Sha256& add(std::string_view bytes);
  [[nodiscard]] std::string finish();  // 32 raw bytes; nothing may be added afterwards.

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// SHA-256 of bytes: 32 raw bytes.
std::string sha256(std::string_view bytes);

// Lower-case hexadecimal.
std::string to_hex(std::string_view bytes);

// `bytes` cryptographically random bytes; Error{io} if the system has none.
std::string random_bytes(std::size_t bytes);

// Plain SHA-256 over tagged fields, not the store's keyed address: such digests may move between stores.
class Digest {
 public:
  // `domain` says what is hashed and its version: "residue.vote.v1".
  explicit Digest(std::string_view domain) { put(domain); }
  Digest& field(std::string_view tag, std::string_view bytes) {
    put(tag);
    put(bytes);
    return *this;
  }
  Digest& field(std::string_view tag, std::uint64_t number);
  [[nodiscard]] std::string bytes() const;  // 32

 private:
  void put(std::string_view bytes);

  std::string message_;
};

}  // namespace residue
