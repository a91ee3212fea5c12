// Sentences: ICU's rules, corrected for abbreviations, list numbers and wrapped lines.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

// The sentences of `text`, in order, without white space at their ends; together they hold every other character once.
// A line end is a boundary only behind terminal punctuation, before a blank line or before a list marker.
std::vector<Span> sentences(std::string_view text);

// Lower-case abbreviations, with their points, that sentences() does not take for an end by themselves.
std::span<const std::string_view> abbreviations();

}  // namespace residue::text
