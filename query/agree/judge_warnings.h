// What a reader must know of a judge before its numbers about a dataset are believed.
#pragma once

#include <string>
#include <vector>

#include "storage/store.h"

namespace residue::query {

// A line for each run whose sanitizer (`--sanitizer`, or the parameter `model`) is the model that judges it: models
// favour what they wrote themselves. Names are compared in lower case, with or without what stands before the last '/',
// and an endpoint counts under its own name and its model's. Of a judge from elsewhere only the name is known, so its
// line says "if one model is behind both". `judge` may be unknown.
std::vector<std::string> shared_model_notes(storage::Db& db, const std::string& dataset, const std::string& judge);

// How many records are obviously in another language than the judge's (lexical, alone or in a cascade, reads English:
// text/language.h). None for other judges and where no record is. Reads all records; the caller holds
// Store::hold_texts().
std::vector<std::string> language_notes(storage::Store& store, const std::string& dataset, const std::string& judge);

}  // namespace residue::query
