// What the linked text has in common with the original, word for word: ROUGE, and personal identifiers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/scores.h"
#include "text/rouge.h"

namespace residue::query {

struct LinkedTexts {
  std::string original;
  std::string known;                           // what the attacker says
  std::vector<std::string> known_claims;       // A(x)
  std::optional<std::string> linked;           // nothing: nothing is compared with it
  std::optional<std::string> linked_original;  // of the record whose sanitized text that is
};

// For each auxiliary claim the original's sentence of highest recall (the first of equals) carries it, and is left out
// where METRICS says so. Identifiers are those of text/recognizers.h, each string once however it is written;
// a string occurs where what it reads (text/as_read.h) is found in what the other text reads, within words too (METRICS
// section 7, example 4).
LinkedOverlap compare(text::RougeTokenizer& tokenizer, const LinkedTexts& texts);

}  // namespace residue::query
