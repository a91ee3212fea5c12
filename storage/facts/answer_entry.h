// An entry of the table `answers` (facts_answers.cc), as it lies there.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/hash.h"
#include "storage/disk/big_endian.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts.h"

namespace residue::storage {

inline constexpr std::size_t kAnswerAttemptBytes = 4;
inline constexpr std::size_t kAnswerPlaceBytes = kDigestBytes + kAnswerAttemptBytes;
inline constexpr std::size_t kAnswerChecksumBytes = 8;
inline constexpr std::size_t kAnswerNumberBytes = 8;

// The key of an answer, after its first letter.
inline std::string answer_place(const VoteKey& vote, std::uint32_t attempt) {
  return std::string(vote.bytes()) + big_endian(attempt, kAnswerAttemptBytes);
}

inline std::uint64_t answer_checksum(std::string_view place, std::string_view envelope) {
  constexpr std::uint64_t kSeed = 0x616e7377657273;
  return hash_of(hash_bytes(place, kSeed), envelope);
}

// Nothing where it is not what was stored.
inline std::optional<SavedAnswer> read_answer(std::string_view place, std::string_view entry) {
  if (place.size() != kAnswerPlaceBytes || entry.size() < kAnswerChecksumBytes) return std::nullopt;
  std::uint64_t stored = 0;
  std::memcpy(&stored, entry.data(), kAnswerChecksumBytes);
  const std::string_view envelope = entry.substr(kAnswerChecksumBytes);
  if (stored != answer_checksum(place, envelope) && !mutant("answer-unchecked")) return std::nullopt;
  SavedAnswer answer;
  answer.vote = VoteKey(place.substr(0, kDigestBytes));
  answer.attempt = static_cast<std::uint32_t>(of_big_endian(place.substr(kDigestBytes)));
  answer.envelope = std::string(envelope);
  return answer;
}

}  // namespace residue::storage
