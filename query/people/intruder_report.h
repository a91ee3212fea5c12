// What the attempts of an intruder test say: how often people find somebody in the release, beside the machine.
//
//   intruder_attempt ── outcomes ──> counts, rates of people and of the machine on the same targets, with intervals
//                                     └─ held back while the test goes on, but for who asks ─┘
//
// docs/intruder.md defines every number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/people/intruder_attempts.h"
#include "query/people/intruder_chance.h"
#include "query/people/intruder_rates.h"
#include "query/people/intruder_test.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::uint32_t kSureSteps[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};

// Claims of at least so much confidence.
struct SureStep {
  std::uint32_t sure = 0;  // per cent
  std::uint64_t claims = 0;
  IntruderRate precision;  // right ones, of all claims: of targets that are there and of absent ones
  IntruderRate recall;     // of the targets that are there, found by such a claim
};

struct IntruderReport {
  struct Annotator {
    std::string name;
    std::uint64_t attempts = 0, open = 0, told = 0;
    std::uint64_t blind = 0, after_look = 0;                         // of the attempts; of the rest nobody said
    std::uint64_t right = 0, wrong = 0, none = 0, rightly_none = 0;  // held back
    std::optional<double> median_seconds, median_searches;
  };
  struct Stratum {
    std::string name;
    std::uint64_t targets = 0;
    std::uint64_t attempts = 0, present = 0;  // held back; as counted
    double person = 0, machine_person = 0;    // held back; as counted, what was found of present ones
  };

  std::string dataset, run, protocol;
  std::uint64_t sample = 0;
  bool stale = false;                // the machine's links are of other contents
  std::uint64_t targets = 0;         // that could be drawn
  std::uint64_t failed_targets = 0;  // attacked records that cannot be: their texts failed
  std::uint64_t attempts = 0;        // answered, and of the present contents
  std::uint64_t attempted = 0;       // targets with one: several annotators may answer for one target
  std::uint64_t open = 0, outdated = 0, told = 0;
  std::uint64_t persons = 0;                // resampling units among the attempts
  std::uint64_t blind = 0, after_look = 0;  // of the attempts: before or after outcomes were shown to their annotator;
                                            // of the rest nobody said
  std::vector<std::string> readers;         // of outcomes while the test went on; "": nobody said who
  std::optional<double> median_seconds;     // of the attempts
  IntruderChance chance;                    // of naming a text at random
  IntruderRate machine_all_person, machine_all_own;  // linkage_rate_person, linkage_rate of the whole run, as reported

  // Where targets were drawn by strata. `unweighted`: why nobody can say anything of the whole population; then rates
  // have counts and no value.
  StrataBy by = StrataBy::kNothing;
  std::vector<Stratum> strata;  // by name
  std::string unweighted;

  // Some annotator has not finished, and nobody asked for outcomes: all that follows is empty, and so are the fields
  // above that say so.
  bool held = false;

  // Of `present` attempts on targets that are there, and `absent` ones.
  std::uint64_t present = 0, right = 0, shared = 0, wrong = 0, none = 0, failed = 0;
  std::uint64_t absent = 0, false_claims = 0, rightly_none = 0;
  std::uint64_t named_changed = 0;  // of the attempts: the record that was named has another text by now, or is gone.
                                    // Never the target's own: so it says how attempts came out

  // Re-identification: of targets that are there. `failed` ones count as found.
  IntruderRate person, own;                                           // by people
  IntruderRate machine_person, machine_own;                           // by the machine, of the same attempts
  std::optional<double> difference, difference_low, difference_high;  // person - machine_person, paired
  IntruderRate person_blind, person_after_look;                       // of these attempts of people
  // Of all attacked records, as linkage_rate counts them: those whose text failed are found. Nothing: too few.
  std::optional<double> person_of_all, person_of_all_low, person_of_all_high;
  IntruderRate false_claim, machine_false_claim;  // of absent targets

  std::vector<SureStep> sure;          // of people, by kSureSteps
  std::vector<SureStep> machine_sure;  // of the machine on the same attempts, by its own confidence (open_recall)
  std::vector<Annotator> annotators;   // by name
};

// Pure. Nothing is held back, and of the whole run, of chance and of readers it says nothing yet.
IntruderReport report_of(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts);

// Without what says how any attempt came out: whether its target was there, too.
IntruderReport held_back(IntruderReport report);

// The same with all that report_of() says nothing of. The caller holds Store::hold_texts().
IntruderReport load_intruder_report(storage::Store& store, const IntruderTest& test,
                                    const std::vector<IntruderAttempt>& attempts);

}  // namespace residue::query
