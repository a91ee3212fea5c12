// WordNet as this machine has it, for judges that use it. Never looked for unless such a judge is asked for by its
// name: installing a package changes no number.
#pragma once

#include <memory>
#include <string>

#include "text/support/wordnet.h"

namespace residue::query {

struct Dictionary {
  text::WordNet wordnet;
  std::string digest;  // SHA-256 in hexadecimal over the SHA-256 of its twelve files
};

// From the directory that RESIDUE_WORDNET names, else from /usr/share/wordnet. Read once per process and directory (28
// MB, some 50 ms). Throws Error{not found} where it is not installed, Error{io|bad input}.
std::shared_ptr<const Dictionary> installed_dictionary();

}  // namespace residue::query
