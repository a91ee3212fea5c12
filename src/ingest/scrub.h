// `scrub`: replaces the structured identifiers that text/recognizers.h finds. Needs no model and no network.
#pragma once

#include <string>
#include <string_view>

#include "ingest/sanitizer.h"
#include "ingest/span_masking.h"
#include "text/recognizers.h"

namespace residue::ingest {

inline constexpr std::string_view kScrubVersion = "scrub/2";

struct ScrubOptions {
  Masking replacement = Masking::kTag;
  text::EntitySet types = text::EntitySet::all();
};

// Always succeeds. With tags and tokens it is idempotent. Linear; the spans refer to `text`.
SanitizeOutput scrub(std::string_view text, const ScrubOptions& options);

// The parameters of the method, for sanitizer_methods(), and the sanitizer itself.
std::span<const SanitizerParam> scrub_params();
std::unique_ptr<Sanitizer> make_scrub(const SanitizerSetting& setting);

}  // namespace residue::ingest
