// Surrogates of what is written in digits and signs: digits by digits, addresses by addresses of nobody's.
//
// Pure: each depends on the draws of its scope, the original and the attempt alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/method/draws.h"

namespace residue::ingest {

// Which characters become others: kDigits, digits alone; kDates, those that are no year; kCapitals, and capitals.
enum class Shape : std::uint8_t { kLetters, kDigits, kDates, kHex, kCapitals };

// Letters by letters, digits by digits, the first `keep` bytes and all signs as they are; of some shapes letters too.
std::string shaped(const Draws& draw, std::string_view original, std::uint64_t attempt, std::size_t keep,
                   Shape shape = Shape::kLetters);

// All digits by others, a first one by none that is 0.
std::string other_digits(const Draws& draw, std::string_view original, std::uint64_t attempt, std::string words);

// At example.org, and in the blocks that are kept for documentation (RFC 5737, RFC 3849).
std::string email_like(const Draws& draw, std::string_view original, std::uint64_t attempt);
std::string url_like(const Draws& draw, std::string_view original, std::uint64_t attempt);
std::string ip_like(const Draws& draw, std::string_view original, std::uint64_t attempt);

}  // namespace residue::ingest
