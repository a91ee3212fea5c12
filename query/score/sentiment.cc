#include "query/score/sentiment.h"

#include "base/digest.h"

namespace residue::query {

SentimentLexicon::SentimentLexicon(std::string_view lexicon, std::string_view emoji)
    : vader(lexicon, emoji), digest(sha256(sha256(lexicon) + sha256(emoji)).substr(0, 16)) {}

}  // namespace residue::query
