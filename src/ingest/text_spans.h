// Spans as other programs write them, made into those of a text.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/span_masking.h"
#include "ingest/value.h"

namespace residue::ingest {

// From [[start, end], [start, end, replacement], ...] or [{"start", "end", "type", "replacement"}, ...]; offsets count
// code points of `text` from 0, the end is behind the last one. A span without a type is "masked". They may overlap.
// Throws Refusal for anything else, and for offsets outside the text. Cost: linear in the text, and sorting the spans.
std::vector<MaskedSpan> text_spans(const Value& spans, std::string_view text);

}  // namespace residue::ingest
