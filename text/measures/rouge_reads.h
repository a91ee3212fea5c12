// Whether ROUGE can read a text at all: it sees a-z and 0-9, and nothing of any other script.
#pragma once

#include <string_view>

namespace residue::text {

// At least half of the letters and digits are such that ROUGE sees them, or there are none (mask signs only: a text
// that says nothing, in any script). What reads less has not been compared, whatever number comes out.
// Cost: one pass, fast for ASCII.
bool rouge_reads(std::string_view text);

}  // namespace residue::text
