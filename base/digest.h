// Keys of what models are asked: SHA-256 over fields that cannot run into each other.
//
//   domain, (tag, bytes), (tag, bytes) ...  each with its length before it ──> 32 bytes
//
// Plain SHA-256, not the store's keyed address: answers can move between stores (DESIGN section 2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace residue::model {

inline constexpr std::size_t kDigestBytes = 32;

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

// Of a text: SHA-256 of its bytes as they are.
std::string text_digest(std::string_view text);

// Of a judge's answer spec, canonical JSON (spec.h).
std::string spec_digest(std::string_view spec);

// Under which the answer to one request is kept: spec, passage, claims in the order of the prompt, sample from 0.
std::string vote_key(std::string_view spec, std::string_view passage, std::span<const std::string> claims,
                     std::uint32_t sample);

}  // namespace residue::model
