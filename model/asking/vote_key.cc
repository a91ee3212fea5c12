#include "model/asking/vote_key.h"

#include "base/digest.h"

namespace residue::model {

std::string text_digest(std::string_view text) { return sha256(text); }

std::string spec_digest(std::string_view spec) { return Digest("residue.answer-spec.v1").field("spec", spec).bytes(); }

std::string vote_key(std::string_view spec, std::string_view passage, std::span<const std::string> claims,
                     std::uint32_t sample) {
  Digest digest("residue.vote.v1");
  digest.field("spec", spec).field("passage", passage).field("claims", std::uint64_t{claims.size()});
  for (const std::string& claim : claims) digest.field("claim", claim);
  return digest.field("sample", std::uint64_t{sample}).bytes();
}

}  // namespace residue::model
