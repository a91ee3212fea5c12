// `p-filter-model`: p-filter by the probabilities that a model behind an endpoint gives (ZSTS, "Privacy-threshold
// filtering").
//
//   what is left of the utterance before + utterance ─> model/token_probabilities.h ─> words below p are redacted
//
// A word's probability is the product of those of its tokens, each behind all that stands before it; ZSTS masks the
// word and so knows what follows as well. Words are sent as they are written. Nothing is put in their place: the
// interface names no other words.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

inline constexpr std::string_view kPFilterModelAsks[] = {"probabilities"};

std::span<const SanitizerParam> p_filter_model_params();
std::unique_ptr<Sanitizer> make_p_filter_model(const SanitizerSetting& setting);

}  // namespace residue::ingest
