// Spans of a text replaced by something that says little: what sanitizers share that find spans.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/sanitizer.h"
#include "ingest/rows/text_spans.h"

namespace residue::ingest {

enum class Masking {
  kTag,    // [EMAIL]
  kStars,  // as many '*' as the span has code points
  // [EMAIL_1]: numbered by type within the record, the same words always get the same number, and none gets a tag that
  // the text has already. An organisation that the text has with and without its legal form ("Siemens AG", "Siemens")
  // has one number, and keeps the form behind it: "[ORGANISATION_1] AG".
  kToken,
};

// tag, stars, token. Throws Error{usage} naming `method`.
Masking masking_named(std::string_view name, std::string_view method);
std::string_view name_of(Masking masking);

// The text with its spans replaced, and what was replaced, in order. Spans that overlap are replaced together, as one
// of the first one's type (of equal starts the longer one); empty ones are left out unless they have words of their
// own. Spans lie inside the text, on code points. Cost: linear, and sorting the spans.
SanitizeOutput mask(std::string_view text, std::vector<MaskedSpan> spans, Masking masking);

// What stands for what in the output: the replacements that stand for one wording only, in the form of substitutions.h.
// Nothing where there is none.
std::optional<std::string> substitutions_of(const SanitizeOutput& output, std::string_view original);

// The span table of one text, [[begin, end, type, replacement], ...] in bytes of the input, canonical JSON. Nothing
// where the method cannot say, or nothing was replaced.
std::optional<std::string> span_table(const SanitizeOutput& output);

}  // namespace residue::ingest
