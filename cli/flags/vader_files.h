// The lexicon of sentiment that a command's flags, or the environment, name.
#pragma once

#include <memory>

#include "query/score/sentiment.h"
#include "query/sql/functions/vader_lexicon.h"

namespace residue::cli {

using query::names_lexicon;
using query::read_vader;
using query::VaderContents;
using query::VaderFiles;

// For metrics of sentiment; null where nobody names a lexicon. Throws as read_vader().
std::shared_ptr<const query::SentimentLexicon> sentiment_lexicon(const VaderFiles& files);

}  // namespace residue::cli
