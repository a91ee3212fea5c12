// Porter's stemmer in the two forms that published results depend on.
//
// M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

enum class Porter {
  kNltk,    // nltk.stem.porter.PorterStemmer as it comes (NLTK_EXTENSIONS): what rouge_score stems with
  kMartin,  // Porter's own later form (bli -> ble, logi -> log): what Lucene's PorterStemFilter does
};

// The stem of a lower-case word. Letters outside ASCII are consonants and count as one character each; words of one or
// two characters are returned as they are.
std::string porter_stem(std::string_view lower_word, Porter form);

}  // namespace residue::text
