// The part of check that is about answers of models: they were paid for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "storage/check.h"
#include "storage/store.h"

namespace residue::storage {

// Reads every answer. Each that is damaged is a line of its own, `most` lines in all, with whose it is and what it
// costs.
void check_answers(Store& store, CheckResult& result, std::size_t most);

// Removes those that are damaged, and says so in `lines`. Error{busy} while another process writes.
void take_out_answers(Store& store, std::vector<std::string>& lines);

}  // namespace residue::storage
