// What tasks for models have in common on the way out and back: marker lines around a text, and what models put around
// their answers.
#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/json.h"

namespace residue::model {

struct Messages {
  std::string system, user;
};

// A line of hexadecimal digits that depends on (spec, text) and does not occur in the text: whoever wrote the text
// cannot end it.
std::string marker_line(const SpecDigest& spec, std::string_view text);

// `what` ("Passage", "Record"), then the text alone between two marker lines.
std::string fenced(std::string_view what, const SpecDigest& spec, std::string_view text);

std::string_view trimmed(std::string_view text);

// A text without white space at its ends and a reasoning section before it: up to the first </think>, with or without
// its opening tag, but not where JSON or a code fence opens the answer.
std::string_view without_reasoning(std::string_view content);

// Whether a reasoning section begins, at the start of a line, and never ends: what stands in it is no answer yet. Not
// where JSON or a code fence opens the answer.
bool unfinished_reasoning(std::string_view content);

// Takes off what models put around an answer although nobody asked for it: white space, a reasoning section before it,
// a code fence around it.
std::string_view unwrapped(std::string_view content);

// The list that an answer is, or that it has under a key; null where there is neither.
const Json* list_in(const Json& json, std::string_view key);

// Whether a string in it, or a key, has a NUL in it, which no file of texts may have.
bool has_nul(const Json& json);

// The one JSON object in words; the words as they are where there is none, or several.
std::string_view one_object_in(std::string_view words);

}  // namespace residue::model
