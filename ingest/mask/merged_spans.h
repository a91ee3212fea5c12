// Spans that a tagger of the user's found, united with those of scrub.
//
//   its spans ── types that we know ──> entities ── recognized and followed with ours ──> spans
#pragma once

#include <string_view>
#include <vector>

#include "ingest/rows/text_spans.h"

namespace residue::ingest {

// All of `tagged` and all that scrub finds (scrub_entities()), for mask(), which unites what overlaps. Persons, places
// and organisations of the tagger ("PER", "person", "GPE", "ORG" ...) are called name, place and organisation, as ours,
// and followed through the text; other types keep their name and are not. Words of the tagger's own instead of a span
// stay where no longer span covers it.
std::vector<MaskedSpan> merged_with_scrub(std::string_view text, std::vector<MaskedSpan> tagged);

}  // namespace residue::ingest
