// The embedded atomizer: a text into claims, each stating as little as can be separated safely.
//
//   text ──> sentences ──> independent clauses ──> coordinated findings ──> claims
//
// "She denies fever, cough or rash." gives "She denies fever.", "She denies cough.", "She denies rash." Where a split
// might change the meaning, the sentence stays whole. Nothing is invented: a claim consists of words of its sentence,
// the lead-in repeated, and every word except the joints (and, or, but) is in at least one claim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

// The source of a claim set that atomize() made. Any change of its output is a new version.
inline constexpr std::string_view kAtomizerVersion = "sentences/1";

// The claims of `text` in document order, trimmed, not empty, each once. Linear in practice; deterministic.
std::vector<std::string> atomize(std::string_view text);

}  // namespace residue::ingest
