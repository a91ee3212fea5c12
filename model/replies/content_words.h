// The words that say what a text is about: what two texts about the same have in common, however differently they are
// put.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace residue::model {

// As they are read (text/as_read.h), without case and endings, of words without digits the first six bytes: "Identical"
// and "identifying" are one, 1234567 and 1234568 are two. Words that hold sentences together are left out, in English
// and six more languages of Europe.
std::set<std::string> content_words(std::string_view text);

// As a text is read, in small letters, apostrophes plain and low lines as spaces.
std::string with_plain_marks(std::string_view text);

// How many of `ours` are among `theirs`.
std::size_t in_both(const std::set<std::string>& ours, const std::set<std::string>& theirs);

// Whether tags ("[NAME]", "[CITY_2]") and words that hold sentences together are all that a text has.
bool is_of_tags(std::string_view text);

// Whether `text` can be no other wording of `original`, whatever it says: the original has eight content words or more,
// and the text not one of them. Of 17,195 pairs of such texts (anonymized biographies and posts, Azure's output, two
// models' summaries of one talk, each way) none is so. Of a text that has tags and no other content words it is not
// said.
bool has_nothing_of(std::string_view text, std::string_view original);

}  // namespace residue::model
