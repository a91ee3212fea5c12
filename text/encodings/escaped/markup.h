// Tags of HTML inside words and around them: "K<b></b>elvin", "K<!-- x -->elvin", "<p>Kelvin</p><p>lives</p>".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there are none. Tags of HTML's own names go where the text has three or one stands within a word: those
// that begin a line or block leave a space, others nothing, as on a page. A name counts where it is opened and closed,
// or needs no end. Comments go from within words. What attributes and comments of several words say stays, once, at the
// end. Placeholders (<PERSON>), other names, and "<" as less than stay.
std::optional<std::string> without_markup(std::string_view text);

}  // namespace residue::text
