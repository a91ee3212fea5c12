// Texts that models wrote anew: what they put around them taken off, and what is no such text known as one.
#pragma once

#include <optional>
#include <string_view>

namespace residue::model {

struct Rewritten {
  std::string_view text;          // a part of the answer; not blank where there is no problem
  const char* problem = nullptr;  // "refused", "no text" ...; null: none
};

// Without what the model put around it (around_text.h). No answer is a refusal (refusal.h), a word in the place of a
// text ("N/A", "No changes needed."), what has not a word of an original of eight words and more and not half its
// length, and what has no content word of an original of eight such and more (content_words.h): each would pass for a
// perfectly private text.
Rewritten rewritten(std::string_view answer, std::string_view original);

struct Parted {
  std::string_view before, text;
};

// What stands before and behind the line that is a single '#'; a second one and remarks behind it are no part of the
// text. Where a model has lost it: behind the one line that
// begins with '#' or is a rule ("---"), or behind the one label ("Anonymized text:"). Nothing where none or several
// could be meant, and where `original` has such lines itself.
std::optional<Parted> parted(std::string_view words, std::string_view original);

// Whether the two changed places: what should explain is made of the original, which has eight words or more, and holds
// most of it, and the text has hardly anything of it. Words are compared three in a row. What is kept of an original
// that was changed throughout, or is short, is not told from an explanation.
bool swapped(const Parted& parts, std::string_view original);

}  // namespace residue::model
