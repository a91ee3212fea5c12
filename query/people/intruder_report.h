// What the attempts of an intruder test say: how often people find somebody in the release, beside the machine.
//
//   intruder_attempt ── outcomes ──> counts, rates of people and of the machine on the same targets, with intervals
//
// docs/intruder.md defines every number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/people/intruder_attempts.h"
#include "query/people/intruder_test.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::uint64_t kFewestAttempts = 10;  // and claims; of fewer no rate is given: "too few"
inline constexpr std::uint32_t kSureSteps[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};

// A share of `n`; value and ends are empty where n < kFewestAttempts: too few.
struct IntruderRate {
  double hits = 0;
  std::uint64_t n = 0;
  std::optional<double> value, low, high;  // 95 %: Wilson's where every attempt is on another person, else resampled
};

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
    std::uint64_t attempts = 0, right = 0, wrong = 0, none = 0, rightly_none = 0, open = 0, told = 0;
    std::optional<double> median_seconds, median_searches;
  };

  std::string dataset, run, protocol;
  std::uint64_t sample = 0;
  bool stale = false;                // the machine's links are of other contents
  std::uint64_t targets = 0;         // that could be drawn
  std::uint64_t failed_targets = 0;  // attacked records that cannot be: their texts failed
  std::uint64_t attempts = 0;        // answered, and of the present contents
  std::uint64_t open = 0, outdated = 0, told = 0;
  std::uint64_t persons = 0;  // resampling units among the attempts

  // Of `present` attempts on targets that are there, and `absent` ones.
  std::uint64_t present = 0, right = 0, shared = 0, wrong = 0, none = 0, failed = 0;
  std::uint64_t absent = 0, false_claims = 0, rightly_none = 0;

  // Re-identification: of targets that are there. `failed` ones count as found.
  IntruderRate person, own;                                           // by people
  IntruderRate machine_person, machine_own;                           // by the machine, of the same attempts
  std::optional<double> difference, difference_low, difference_high;  // person - machine_person, paired
  IntruderRate machine_all_person, machine_all_own;  // linkage_rate_person, linkage_rate of the whole run, as reported
  // Of all attacked records, as linkage_rate counts them: those whose text failed are found. Nothing: too few.
  std::optional<double> person_of_all, person_of_all_low, person_of_all_high;
  IntruderRate false_claim, machine_false_claim;  // of absent targets

  std::vector<SureStep> sure;          // of people, by kSureSteps
  std::vector<SureStep> machine_sure;  // of the machine on the same attempts, by its own confidence (open_recall)
  std::vector<Annotator> annotators;   // by name
  std::optional<double> median_seconds;
};

// Pure. Of the whole run it says nothing yet (machine_all_person, machine_all_own).
IntruderReport report_of(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts);

// All of it; of one annotator where he is named. As load_attempts().
IntruderReport load_intruder_report(storage::Store& store, const IntruderTest& test,
                                    const std::optional<std::string>& annotator);

}  // namespace residue::query
