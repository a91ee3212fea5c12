// Latin letters without what is written above, below or through them: "Élodie", "Łódź", "Straße" ── without_accents ──>
// "Elodie", "Lodz", "Strasse".
//
// Whoever drops the accents of a text changes nothing that a reader could not put back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there are none, so that such a text stays what it is. Marks go from Latin letters alone; letters with a
// stroke become the letter without it; ß is ss, æ ae, œ oe, þ th, ð d, dotless ı i. German ä, ö and ü are a, o and u:
// "ae" for "ä" is another spelling. Other scripts stay. Cost: linear; one look at each byte of ASCII text.
std::optional<std::string> without_accents(std::string_view text);

// The text without accents: `text` itself, or what `store` holds then.
std::string_view without_accents(std::string_view text, std::string& store);

// Whether a word with accents of one text stands in the other without them.
bool accents_dropped(std::string_view a, std::string_view b);

}  // namespace residue::text
