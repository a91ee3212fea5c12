#include "model/digest.h"

#include "storage/files.h"

namespace residue::model {
namespace {

std::string little_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}

}  // namespace

void Digest::put(std::string_view bytes) { message_.append(little_endian(bytes.size())).append(bytes); }

Digest& Digest::field(std::string_view tag, std::uint64_t number) { return field(tag, little_endian(number)); }

std::string Digest::bytes() const { return storage::sha256(message_); }

std::string text_digest(std::string_view text) { return storage::sha256(text); }

std::string spec_digest(std::string_view spec) { return Digest("residue.answer-spec.v1").field("spec", spec).bytes(); }

std::string vote_key(std::string_view spec, std::string_view passage, std::span<const std::string> claims,
                     std::uint32_t sample) {
  Digest digest("residue.vote.v1");
  digest.field("spec", spec).field("passage", passage).field("claims", std::uint64_t{claims.size()});
  for (const std::string& claim : claims) digest.field("claim", claim);
  return digest.field("sample", std::uint64_t{sample}).bytes();
}

}  // namespace residue::model
