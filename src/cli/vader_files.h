// VADER's lexicon, from the files that its user names: it is no part of the program.
#pragma once

#include <string>

#include "text/vader.h"

namespace residue::cli {

struct VaderFiles {
  std::string lexicon;  // empty: RESIDUE_VADER_LEXICON names it
  std::string emoji;    // empty: emoji_utf8_lexicon.txt beside the lexicon, if it is there
};

struct ReadVader {
  text::Vader vader;
  bool has_emoji = false;
};

// Throws Error{usage} where nobody names a lexicon, Error{not found|io}, Error{bad input} where a file is no lexicon.
ReadVader read_vader(const VaderFiles& files);

}  // namespace residue::cli
