// Words that models were asked about and that are no text of their own: they stand inside of others.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/facts/address.h"
#include "storage/store.h"

namespace residue::ingest {

// Of a record's task: the question and its options, "A. words" on a line each. Nothing where there is no choice to be
// made.
std::vector<std::string> choice_of(std::string_view task);

// The addresses that these words would have as texts: what labels say of authors, what models guessed of them,
// questions and options, and no words at all. What cannot be read is left out.
std::set<storage::Address> asked_words(storage::Store& store);

}  // namespace residue::ingest
