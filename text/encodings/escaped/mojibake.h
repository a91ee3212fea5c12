// UTF-8 that was read as Latin-1 or Windows-1252, once or more: "Ã‰lodie", "donâ€™t", "ZÃƒÂ¼rich".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there is none. Characters that are the bytes of one character beyond ASCII become it, where that is a
// Latin letter, a sign of Latin-1, or punctuation; of other scripts where at least three stand in a row. A capital
// before a quotation mark ("QUALITÄ“") may be what was written: such stay unless the text has others, or a letter
// follows.
std::optional<std::string> without_mojibake(std::string_view text);

}  // namespace residue::text
