// A text whose characters were encoded so that people still read it, as it was before:
//
//   "J&#111;hn", "J o h n   i s   h e r e", "John_is_here", "J0hn 1s h3r3", "Jоhn" with Cyrillic о ── decoded ──> "John
//   is here"
//
// A linker or judge that compares words would find nothing in such a text, and a release would look private that anyone
// can read. Only what nobody writes by itself is undone: placeholders, addresses, codes and texts of other scripts
// stay.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace residue::text {

// Raised when a text is decoded otherwise.
inline constexpr int kDecoding = 3;

// Nothing where the text is as it reads. Undone are, again until nothing is left, four times at most: what
// programs write for characters (escaped/: entities, escapes, bytes of another encoding, tags), wide and mathematical
// letters, marks on letters that have none, signs or capitals in place of spaces, spaces or signs between letters,
// letters of other scripts that look Latin, digits and signs in place of letters. Valid UTF-8 stays valid. Cost:
// linear; one look at each byte where nothing is encoded.
std::optional<std::string> decoded(std::string_view text);

// The text as it reads: `text` itself, or what `store` holds then.
inline std::string_view decoded(std::string_view text, std::string& store) {
  auto found = decoded(text);
  if (!found) return text;
  store = std::move(*found);
  return store;
}

// The text as words are compared: decoded, in the shapes that are read (text/characters/as_read.h, letters as they
// are), and without accents (text/characters/accents.h). `text` itself, or what `store` holds then.
std::string_view compared(std::string_view text, std::string& store);

}  // namespace residue::text
