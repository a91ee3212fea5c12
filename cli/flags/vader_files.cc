#include "cli/flags/vader_files.h"

namespace residue::cli {

std::shared_ptr<const query::SentimentLexicon> sentiment_lexicon(const VaderFiles& files) {
  if (!names_lexicon(files)) return nullptr;
  const VaderContents contents = read_vader(files);
  return std::make_shared<query::SentimentLexicon>(contents.lexicon, contents.emoji);
}

}  // namespace residue::cli
