// The lexicon that sentiment_accuracy is computed with: an input of an evaluation like any other.
#pragma once

#include <string>
#include <string_view>

#include "text/measures/vader.h"

namespace residue::query {

struct SentimentLexicon {
  text::Vader vader;
  std::string digest;  // 16 bytes, of both files: another lexicon makes other numbers

  // See text::Vader.
  SentimentLexicon(std::string_view lexicon, std::string_view emoji);
};

}  // namespace residue::query
