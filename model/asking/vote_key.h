// Under which an answer of a model is kept: digests of what was asked, the same in every store.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/digest.h"

namespace residue::model {

// Of a text: SHA-256 of its bytes as they are.
TextDigest text_digest(std::string_view text);

// Of a judge's answer spec, canonical JSON (claim_support.h).
SpecDigest spec_digest(std::string_view spec);

// Under which the answer to one request is kept: spec, passage, claims in the order of the prompt, sample from 0.
VoteKey vote_key(const SpecDigest& spec, const TextDigest& passage, std::span<const TextDigest> claims,
                 std::uint32_t sample);

}  // namespace residue::model
