// How doubtful is a word of a claim, by what it is and where the passage has it? Who and when are apart from what: a
// name or a number that is nowhere was hardly ever found to be supported, an ordinary word every other time, said in
// other words.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/support/support_tokens.h"

namespace residue::text {

enum class WordKind : std::uint8_t { kName, kNumber, kOrdinary, kCommon };
enum class WordPlace : std::uint8_t {
  kNowhere,
  kOutside,      // only outside of the evidence window
  kOutsideNear,  // ... near words that it is near in the claim
  kInside,
  kInsideNear,
};

struct DoubtedWord {
  std::string_view word;  // of the claim
  WordKind kind = WordKind::kOrdinary;
  WordPlace place = WordPlace::kNowhere;
};

WordKind word_kind(const SupportToken& token);

// Of 100 such words in the claims of WiCE's train part that people found partly supported (374 claims, 2,586 words), as
// many were marked as unsupported: (marked + 0.7) / (all + 2). Its dev and test parts
// are of other articles.
std::int32_t doubt_percent(WordKind kind, WordPlace place);

// A number that changes with any of these.
std::uint64_t doubts_digest();

}  // namespace residue::text
