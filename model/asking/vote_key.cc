#include "model/asking/vote_key.h"

namespace residue::model {

TextDigest text_digest(std::string_view text) { return TextDigest(sha256(text)); }

SpecDigest spec_digest(std::string_view spec) {
  return SpecDigest(TaggedHash("residue.answer-spec.v1").field("spec", spec).bytes());
}

VoteKey vote_key(const SpecDigest& spec, const TextDigest& passage, std::span<const TextDigest> claims,
                 std::uint32_t sample) {
  TaggedHash key("residue.vote.v1");
  key.field("spec", spec).field("passage", passage).field("claims", std::uint64_t{claims.size()});
  for (const TextDigest& claim : claims) key.field("claim", claim);
  return VoteKey(key.field("sample", std::uint64_t{sample}).bytes());
}

}  // namespace residue::model
