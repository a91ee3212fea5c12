// The task claim support: which of these claims does somebody learn who reads this passage? FSP appendix G.4.
//
//   passage, claims ── messages ──> model ── content ── parse_support ──> a rating per claim, or why there is none
//
// The template is a file (claim_support.txt) in our own words, with the paper's scale and rubric.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/json.h"
#include "model/replies/asking_words.h"
#include "model/server/endpoint.h"

namespace residue::model {

// Raised when parse_support() reads an answer otherwise than before: answers are then read again, not asked again.
inline constexpr int kSupportParser = 5;

// Raised when messages are laid out otherwise.
inline constexpr int kSupportLayout = 2;

std::string_view support_template();

// Of a user's template: with {passage} and {claims} it is the whole message; without both, instructions like ours.
// Throws Error{bad input} for one that has only one of them, is empty or longer than 64 KiB.
void check_template(std::string_view instructions);

// Everything that an answer to this task depends on but passage, claims and sample: canonical JSON, every setting
// there, null where it is left to the server. Its digest is part of every vote key. `claims_per_request`: at most so
// many are asked about at once (a record's last request has fewer).
std::string support_spec(const Asking& asking, std::string_view instructions, std::size_t claims_per_request = 1);

// `spec`: the digest of the spec. The passage stands alone between two marker lines that depend on (spec, passage) and
// do not occur in it; the claims come after it, so that servers can keep what they read for the next request.
// Each claim stands on one line. Instructions with {passage} and {claims} are the whole of it, filled in: `system` is
// empty then.
Messages support_messages(std::string_view instructions, const SpecDigest& spec, std::string_view passage,
                          std::span<const std::string_view> claims);

// What a strict answer looks like.
Json support_schema(std::size_t claims);

struct SupportAnswer {
  std::vector<std::uint8_t> ratings;  // 1 to 3, one per claim; empty where the answer cannot be used
  std::string problem;                // then, in words of ours: "rating out of range", "a claim is missing" ...
};

// Exactly one JSON object with every claim once and whole ratings from 1 to 3. A reasoning section before it, and words
// and a code fence around it (answer_json.h), are taken off, unless these words rate too; nothing is guessed.
SupportAnswer parse_support(std::string_view content, std::size_t claims);

// The same of free text, which an endpoint asked in the form `text` may give: JSON as above, or as often as there are
// claims "rating: R", in their order ("claim N" before it has to agree, and where claims are named by their words these
// too), or for one claim the number alone or in a sentence (said_rating.h).
SupportAnswer parse_support(std::string_view content, std::span<const std::string> claims, AnswerForm form);

// The same where only the number of the claims is known.
SupportAnswer parse_support(std::string_view content, std::size_t claims, AnswerForm form);

}  // namespace residue::model
