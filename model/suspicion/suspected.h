// Failures that arrive as text. A sanitizer that could not work sometimes says so where its text should stand: "I'm
// sorry, but I can't help with that", "Error code: 429", "nan". Taken for a text, it would make the original look
// perfectly private.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace residue::model {

enum class Suspicion : std::uint8_t { kRefusal, kErrorMessage, kNothing };

// "a refusal", "an error message", "a word for nothing".
std::string_view words_of(Suspicion suspicion);

// What `words` look like as a whole, whatever they were made from: a refusal (refusal.h), the message of a program or a
// server, or a word that programs write for a value that is not there (nan, None, null, N/A, undefined). A text that
// speaks of an error is none. Cost: linear; long texts are decided by their beginning.
std::optional<Suspicion> looks_failed(std::string_view words);

// The same of what was made of `source`: nothing where the source itself reads so.
std::optional<Suspicion> suspected_failure(std::string_view words, std::string_view source);

}  // namespace residue::model
