// What identifies somebody, found by a model as a named-entity tagger would, together with what scrub finds.
//
//   text ─> find ─> passages ─> where they stand ─┬─> spans ─> tags
//                              scrub's own lists ──┘
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

inline constexpr std::string_view kModelTagsAsks[] = {"find"};

std::span<const SanitizerParam> model_tags_params();

// An output's spans are the model's, their types made safe (method/safe_replacements.h), and, unless merge=no, those of
// scrub (mask/merged_spans.h). A passage that the
// model did not copy from the text stays as it is, and notes() counts these; a text that it gave no usable answer about
// has failed, whatever scrub would find there.
std::unique_ptr<Sanitizer> make_model_tags(const SanitizerSetting& setting);

}  // namespace residue::ingest
