// VADER's lexicon, from the files that its user names: it is no part of the program.
#pragma once

#include <string>

namespace residue::query {

struct VaderFiles {
  std::string lexicon;  // empty: RESIDUE_VADER_LEXICON names it
  std::string emoji;    // empty: emoji_utf8_lexicon.txt beside the lexicon, if it is there
};

struct VaderContents {
  std::string lexicon;
  std::string emoji;  // empty: there is no table
};

// Whether somebody names a lexicon.
bool names_lexicon(const VaderFiles& files);

// Throws Error{usage} where nobody names a lexicon, Error{not found|io}.
VaderContents read_vader(const VaderFiles& files);

}  // namespace residue::query
