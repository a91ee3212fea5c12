#include "query/sentiment.h"

#include "storage/files.h"

namespace residue::query {

SentimentLexicon::SentimentLexicon(std::string_view lexicon, std::string_view emoji)
    : vader(lexicon, emoji), digest(storage::sha256(storage::sha256(lexicon) + storage::sha256(emoji)).substr(0, 16)) {}

}  // namespace residue::query
