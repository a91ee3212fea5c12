// `command`: a program of the user's sanitizes.
//
//   {"id", "text"} a line ──> its standard input;  its standard output ──> {"id", "text" | "spans" | "error"} a line
#pragma once

#include <memory>
#include <span>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

// command: what /bin/sh runs; unit: what offsets of its spans count; merge=scrub: they are united with scrub's
// (merged_spans.h), and an answer without spans fails; timeout: seconds without a line until it is killed. The program
// gets some thousand records, then the end of its input, and answers in any order; it is started again for the next
// ones. A record fails that it does not answer, answers twice or wrongly, or on which it dies or falls silent: then it
// is started again for the records behind that one. Five such ends in a row without an answer stop the command with
// Error{bad input}.
std::span<const SanitizerParam> command_params();
std::unique_ptr<Sanitizer> make_command(const SanitizerSetting& setting);

}  // namespace residue::ingest
