// Whether what somebody was asked about is still what is stored.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

// The contents of a lens' dataset, of its claims and other inputs of the attack, of what its judge rated elsewhere, and
// of a run, as text. Of what is gone it is another one.
std::string contents_of_lens(storage::Db& db, const Lens& lens, RunId run);

// Throws Error{try again} where the contents are others than `before`.
void require_contents(storage::Db& db, const Lens& lens, RunId run, const std::string& before);

// Error{usage} for a name that nobody sees, has more than 100 bytes, characters that are no part of a line or turn the
// direction of writing (so that one name looks like another), ill-formed bytes, or white space at its ends.
void require_annotator(const std::string& name);

// Milliseconds of seconds; Error{bad input} for what is no time between 0 and a day.
std::int64_t milliseconds_of(double seconds);

}  // namespace residue::query
