// Sanitizers that have a model write each text anew: paraphrase (FSP G.2.2; stands in for Dipper), anonymize (AA's
// baseline without feedback), and one after the other (FSP C.1, "sanitize and paraphrase").
//
//   text ─> anonymize ─> paraphrase ─> text
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

inline constexpr std::string_view kParaphraseAsks[] = {"paraphrase"};
inline constexpr std::string_view kAnonymizeAsks[] = {"anonymize"};
inline constexpr std::string_view kSanitizeParaphraseAsks[] = {"anonymize", "paraphrase"};

inline constexpr std::uint32_t kMostRounds = 20;

// An anonymized text may be the text as it was: there may have been nothing to anonymize. A paraphrase never is.
std::span<const SanitizerParam> anonymize_params();
std::unique_ptr<Sanitizer> make_paraphrase(const SanitizerSetting& setting);
std::unique_ptr<Sanitizer> make_anonymize(const SanitizerSetting& setting);
std::unique_ptr<Sanitizer> make_sanitize_paraphrase(const SanitizerSetting& setting);

}  // namespace residue::ingest
