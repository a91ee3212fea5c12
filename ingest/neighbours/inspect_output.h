// What a sample of inspect_ai came to: a text, or why there is none. Pure.
//
// inspect_ai, src/inspect_ai/log/_log.py (EvalSample) and src/inspect_ai/model/_model_output.py (ModelOutput).
#pragma once

#include <optional>
#include <string>

#include "ingest/neighbours/items.h"
#include "ingest/read/value.h"

namespace residue::ingest {

// `path`: where the text is, if not in output.completion or, where that is empty, in the message of the first choice.
// There is no text where the sample ended with an error or at a limit or was declared invalid, where the model's
// output was cut off, blocked by a filter or moderation, or calls tools (but "submit", the answer of an agent). Throws
// Refusal for a text that is none, and for one kept as an attachment that is not there.
ItemOutput inspect_output(const Value& sample, const std::optional<std::string>& path);

}  // namespace residue::ingest
