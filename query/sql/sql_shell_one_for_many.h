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

// Puts it in the place of the temporary table of views.sql. Cost: nothing where an evaluation that is up to date shows
// that no text is suspected; else the texts of a run are read, but for the first question about one record of it, where
// that record's text is long. Throws Error{io}.
void attach_one_for_many(sqlite3* db, OneForMany& rows);

}  // namespace residue::query
