// Whose a text of facts/ is: for a message about one that is damaged, and for taking out what names it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {

// What names each of these texts, as people call it: "record clinic/r-1", "run clinic/tags of record r-1". A text that
// nothing names is missing. Keys are the user's, texts are not told.
std::map<std::int64_t, std::vector<std::string>> owners_of_texts(Db& db, const std::set<std::int64_t>& texts);

// Removes every row that cannot do without one of these texts, in a transaction of the caller's. Returns the tables
// that lost rows, and how many.
std::map<std::string, std::int64_t> remove_rows_of_texts(Db& db, const std::set<std::int64_t>& texts);

}  // namespace residue::storage
