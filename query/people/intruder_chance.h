// What naming a text at random finds: beside it the rates of an intruder test say how much was known.
#pragma once

#include <cstdint>

#include "query/people/intruder_test.h"

namespace residue::query {

// Means over all targets of a test, of whom nobody is absent, where each released text is as likely to be named.
struct IntruderChance {
  double person = 0;        // of the target's person: 1, a share, 0, as linked_persons.h
  double own = 0;           // the target's own text
  std::uint64_t texts = 0;  // released
};

// The caller holds Store::hold_texts(). Cost: the first time a read of all originals.
IntruderChance intruder_chance(const IntruderTest& test);

}  // namespace residue::query
