// How a text is worded, whatever it is written with: two texts that only an id, a date, a space or a full stop tells
// apart say the same.
//
//   "Document 17 was processed." "document 4f0a91  was processed" ── wording ──> "documentwasprocessed"
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

// As it is read and in small letters (as_read.h), without white space and invisible characters, without numbers, and
// without what is no letter at both ends. A number is a run of digits with the signs between them ("2024-03-01",
// "1,5"); a word of digits and the letters a to f is one, too, with its hyphens. Empty for a text without letters.
// Cost: linear.
std::string wording(std::string_view text);

}  // namespace residue::text
