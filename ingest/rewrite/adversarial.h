// Adversarial anonymization (AA section 4): one model infers attributes of the author from a text, one changes the text
// so that this is no longer possible, again and again.
//
//   text of round n ─> infer ─> nothing: it stays ──────────> text of round n + 1
//                           └─> inferences ─> anonymize ─────┘
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

inline constexpr std::string_view kAdversarialAsks[] = {"infer", "anonymize"};

std::span<const SanitizerParam> adversarial_params();
std::unique_ptr<Sanitizer> make_adversarial(const SanitizerSetting& setting);

}  // namespace residue::ingest
