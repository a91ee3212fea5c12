// How every attempt of a store counts: what no statement of SQL tells, as it takes the facts of its test.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "storage/store.h"

namespace residue::verbs {

struct AttemptState {
  std::string_view state;  // query::name_of(query::AttemptState)
  bool named_changed = false;
};

// By dataset, run, protocol, sample, annotator and record.
using AttemptKey = std::tuple<std::string, std::string, std::string, std::int64_t, std::string, std::string>;

// Without those of tests that cannot be opened any more: the run is not attacked under their protocol by now. Holds the
// texts meanwhile. Cost: reads all originals, once for each test.
std::map<AttemptKey, AttemptState> attempt_states(storage::Store& store);

}  // namespace residue::verbs
