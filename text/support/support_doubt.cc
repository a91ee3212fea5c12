#include "text/support/support_doubt.h"

#include <array>
#include <cstddef>

#include "base/hash.h"
#include "text/support/support_words.h"

namespace residue::text {
namespace {

constexpr std::array<std::array<std::int32_t, 5>, 4> kDoubt = {{
    {88, 47, 17, 17, 8},   // names
    {96, 79, 51, 52, 39},  // numbers
    {50, 30, 11, 19, 10},  // ordinary words
    {58, 32, 43, 29, 20},  // words that are in many texts
}};

}  // namespace

WordKind word_kind(const SupportToken& token) {
  if (token.name) return WordKind::kName;
  if (token.number) return WordKind::kNumber;
  return token.weight >= kOrdinaryWeight ? WordKind::kOrdinary : WordKind::kCommon;
}

std::int32_t doubt_percent(WordKind kind, WordPlace place) {
  return kDoubt[static_cast<std::size_t>(kind)][static_cast<std::size_t>(place)];
}

std::uint64_t doubts_digest() {
  std::uint64_t digest = 0;
  for (const auto& kind : kDoubt) {
    for (const auto percent : kind) digest = mix(digest + static_cast<std::uint64_t>(percent));
  }
  return digest;
}

}  // namespace residue::text
