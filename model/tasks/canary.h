// Canary claims: claims whose right rating is known, asked about each passage in a request of their own. A passage that
// tells its judge what to answer gives itself away by them.
//
//   hash(spec, passage) ──> a claim it does not make, a sentence of it ──> ratings ──> suspect?
//
// They depend on spec and passage alone: whoever asks again asks the same, and finds the answer saved.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace residue::model {

// Raised when other claims are chosen or ratings are held against them otherwise.
inline constexpr int kCanaries = 1;

struct Canaries {
  std::vector<std::string> claims;  // one or two, on one line each
  std::vector<bool> stated;         // is it a sentence of the passage?
};

// `spec`: the digest of the judge's answer spec. An invented claim, with a number that the passage does not have, and a
// sentence of the passage if one is long enough to be a statement; in an order that the passage cannot foresee.
Canaries canaries(const SpecDigest& spec, std::string_view passage);

// Was the judge led? The invented claim is anything but unsupported, or the sentence of the passage is unsupported.
// `ratings` as the claims.
bool led(const Canaries& canaries, std::span<const std::uint8_t> ratings);

}  // namespace residue::model
