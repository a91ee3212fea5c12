// Bytes that name other bytes: SHA-256, hexadecimal, random keys, and digests over fields that cannot run into each
// other.
//
//   domain, (tag, bytes), (tag, bytes) ...  each with its length before it ──> 32 bytes
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// Error{corrupt} unless these are kDigestBytes.
void check_digest(std::string_view bytes);

// The SHA-256 of one kind of thing: distinct types, so that the digest of a text is never passed for a vote key.
template <class Of>
class Digest {
 public:
  Digest() = default;  // zeros: the digest of nothing
  // Error{corrupt} unless there are kDigestBytes of them.
  explicit Digest(std::string_view bytes) {
    check_digest(bytes);
    bytes.copy(bytes_.data(), kDigestBytes);
  }

  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), kDigestBytes}; }

  friend bool operator==(const Digest&, const Digest&) = default;
  // In the order of the bytes, as unsigned numbers.
  friend std::strong_ordering operator<=>(const Digest& a, const Digest& b) { return a.bytes() <=> b.bytes(); }

 private:
  std::array<char, kDigestBytes> bytes_{};
};

using TextDigest = Digest<struct DigestedText>;  // of a text's bytes as they are
using SpecDigest = Digest<struct DigestedSpec>;  // of what an answer depends on but the texts: canonical JSON
using VoteKey = Digest<struct DigestedVote>;     // of a request: spec, texts, sample

// Plain SHA-256 over tagged fields, not the store's keyed address: such digests may move between stores.
class TaggedHash {
 public:
  // `domain` says what is hashed and its version: "residue.vote.v1".
  explicit TaggedHash(std::string_view domain) { put(domain); }
  TaggedHash& field(std::string_view tag, std::string_view bytes) {
    put(tag);
    put(bytes);
    return *this;
  }
  template <class Of>
  TaggedHash& field(std::string_view tag, const Digest<Of>& digest) {
    return field(tag, digest.bytes());
  }
  TaggedHash& field(std::string_view tag, std::uint64_t number);
  [[nodiscard]] std::string bytes() const;  // kDigestBytes

 private:
  void put(std::string_view bytes);

  std::string message_;
};

}  // namespace residue

template <class Of>
struct std::hash<residue::Digest<Of>> {
  std::size_t operator()(const residue::Digest<Of>& digest) const noexcept {
    return std::hash<std::string_view>{}(digest.bytes());
  }
};
