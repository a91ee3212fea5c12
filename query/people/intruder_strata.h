// Strata of an intruder test: parts of its targets that are drawn from in turn, so that few attempts say something of
// the rare ones, too.
//
//   machine   whether the machine's attack found a text of the target's person: "machine:found", "machine:not found"
//   label     the category of the target's record: "label:cardiology"; "label" where it has none
//
// Within a stratum the draw is the order that a draw from all targets has; rounds of one target of each stratum that
// has any left, in that same order. So nobody can tell from its place which stratum a target is of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/people/intruder_rates.h"
#include "query/people/intruder_test.h"
#include "storage/store.h"

namespace residue::query {

std::string_view name_of(StrataBy by);
std::optional<StrataBy> strata_named(std::string_view name);

// What a stored stratum is one of.
StrataBy strata_of(std::string_view stratum);

// What the stored attempts of a test were drawn by; nothing: from all targets, or there are none. `mixed`: by several.
struct DrawnStrata {
  std::optional<StrataBy> by;
  bool mixed = false;
};
DrawnStrata drawn_strata(storage::Db& db, const IntruderTest& test);

// Of every record of the view: the name of its stratum, as it is stored. kMachine reads all originals the first time;
// the caller holds Store::hold_texts().
std::vector<std::string> strata_of_records(storage::Db& db, const IntruderTest& test, StrataBy by);

// `targets` in rounds: see above. `strata`: by record.
void order_by_strata(std::vector<IntruderTest::Target>& targets, const std::vector<std::string>& strata);

// Strata of a test, by name, and how many targets each has.
struct Strata {
  std::vector<std::string> names;
  std::vector<std::uint64_t> targets;
  std::vector<std::size_t> of_record;  // by place in the view; names.size(): no stratum has it
};
Strata count_strata(const IntruderTest& test);

}  // namespace residue::query
