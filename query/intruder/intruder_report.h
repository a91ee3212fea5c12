// What the attempts of an intruder test say: how often people find somebody in the release, beside the machine.
//
//   intruder_attempt ── outcomes ──> counts, rates of people and of the machine on the same targets, with intervals
//
// docs/intruder.md defines every number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/intruder/intruder_test.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::uint64_t kFewestAttempts = 10;  // and claims; of fewer no rate is given: "too few"
inline constexpr std::uint32_t kSureSteps[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};

enum class AttemptState : std::uint8_t {
  kOpen,        // drawn, not answered
  kOutdated,    // the facts or texts that it is about are others by now: counts nowhere
  kFailed,      // the target is there, and its text has failed since: counts as found
  kRight,       // the text of the target's person, or with an equal original
  kShared,      // a text that this person and others were released with, word for word: counts as its share
  kWrong,       // another one; or any, for an absent target
  kNone,        // the target is there, and was not found
  kRightlyNone  // it is absent
};
std::string_view name_of(AttemptState state);  // "open", ... "none", "rightly none"

// One attempt, and what the machine did with the same target.
struct IntruderAttempt {
  std::string annotator;
  std::size_t record = 0;  // place in the view
  std::uint64_t unit = 0;  // resampling unit of the target
  bool present = true;
  AttemptState state = AttemptState::kOpen;
  bool own = false;   // the text named is the target's own: what linkage_rate counts
  double person = 0;  // what of the person was found: 1, a share of a text, 0
  std::uint32_t sure = 0;
  std::optional<double> seconds;
  std::optional<std::uint64_t> searches;
  bool told = false;
  // Of the machine. Where the target is absent: of the absent attack.
  bool machine_known = false;  // it has attacked this one
  bool machine_claims = false;
  bool machine_own = false;
  double machine_person = 0;
  std::optional<double> machine_sure;  // 0 to 1; nothing: it would claim nothing
};

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

// Every attempt that is stored on this run under this protocol, by annotator and key; of one annotator where he is
// named. The caller holds Store::hold_texts(). Cost: reads all originals.
std::vector<IntruderAttempt> load_attempts(storage::Store& store, const IntruderTest& test,
                                           const std::optional<std::string>& annotator);

// Pure but for the metrics of the whole run, which the caller fills in.
IntruderReport report_of(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts);

// All of it. As load_attempts().
IntruderReport load_intruder_report(storage::Store& store, const IntruderTest& test,
                                    const std::optional<std::string>& annotator);

}  // namespace residue::query
