// The views' table one_for_many, which finds its rows when a statement asks for them: texts that failed as one text for
// many records (model/suspicion/one_for_many.h), run by run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "storage/store.h"

struct sqlite3;

namespace residue::query {

// What was found, by run. It outlives the connection.
struct OneForMany {
  explicit OneForMany(storage::Store& open) : store(open) {}

  storage::Store& store;
  std::map<std::int64_t, std::vector<std::int64_t>> found;  // records of each run that was asked for, ascending
  std::set<std::int64_t> asked;                             // runs of which one record was asked for
};

// Puts it in the place of the temporary table of views.sql. Cost: nothing where an up-to-date evaluation shows that no
// text is suspected. Else the texts of the run are read, once; the first question about one record reads only that
// record's text, if it is long and rare. Throws Error{io}.
void attach_one_for_many(sqlite3* db, OneForMany& rows);

}  // namespace residue::query
