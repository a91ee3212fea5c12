// Spans as other programs write them, made into those of a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"
#include "text/characters/unicode.h"

namespace residue::ingest {

// Bytes [begin, end) of a text.
struct MaskedSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type;                 // "email"; the tag is its capitals
  std::optional<std::string> with;  // instead of what the masking says
};

// From [[start, end], [start, end, replacement], ...] or [{"start", "end", "type", "replacement"}, ...], which TAB
// calls "start_offset", "end_offset" and "entity_type"; offsets count `unit`s of `text` from 0, the end is behind the
// last one. "text" (TAB: "span_text"), where it stands, must be what they cover. A span without a type is "masked".
// They may overlap; one that covers nothing has a replacement. Throws Refusal, which numbers spans from 1, for anything
// else, and for offsets outside the text or inside a character. Cost: linear in the text, and sorting the spans.
std::vector<MaskedSpan> text_spans(const Value& spans, std::string_view text, text::Unit unit = text::Unit::kCodepoint);

// codepoint, byte, utf16: how labels and spans name what their offsets count.
std::optional<text::Unit> unit_named(std::string_view name);

// The shape alone, before there is a text: throws as text_spans() for spans that fit no text at all.
void check_spans(const Value& spans);

}  // namespace residue::ingest
