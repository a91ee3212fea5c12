// What an open page asks every second: whether something in the store changed, and how far evaluations are.
#pragma once

#include <filesystem>
#include <string>

namespace residue::page {

// {"change", "evaluations": [...]}. `change` is another one whenever something was committed. An evaluation has
// "dataset", "run", "protocol", "judge", "stage", "records" and "asking" ({"done", "total", "per_second"} or null),
// "done" (a share of the whole, or null), "seconds" since it began, and "silent": seconds since it said this. Names and
// numbers, which are read at every level. Opens neither catalog nor facts and takes no lock. Cost: a look at the
// store's folder, and two small files.
std::string change_json(const std::filesystem::path& store);

// Another one whenever something was committed; the "change" of change_json.
std::string state_of(const std::filesystem::path& store);

}  // namespace residue::page
