// `scrub`: replaces the structured identifiers that text/recognizers.h finds. Needs no model and no network.
#pragma once

#include <string>
#include <string_view>

#include "ingest/sanitizer.h"
#include "text/recognizers.h"

namespace residue::ingest {

inline constexpr std::string_view kScrubVersion = "scrub/1";

enum class ScrubReplacement {
  kTag,    // [EMAIL]
  kStars,  // as many '*' as the identifier has code points
  kToken,  // [EMAIL_1]: numbered by type within the record, the same value always gets the same number
};

struct ScrubOptions {
  ScrubReplacement replacement = ScrubReplacement::kTag;
  text::EntitySet types = text::EntitySet::all();
};

// Always succeeds. With tags and tokens it is idempotent. Linear; the spans refer to `text`.
SanitizeOutput scrub(std::string_view text, const ScrubOptions& options);

// The parameters of the method, for sanitizer_methods(), and the sanitizer itself.
std::span<const SanitizerParam> scrub_params();
std::unique_ptr<Sanitizer> make_scrub(const SanitizerMethod::Params& params, std::uint64_t seed);

}  // namespace residue::ingest
