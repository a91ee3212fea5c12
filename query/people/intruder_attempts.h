// The attempts of an intruder test as they are stored, what came of each, and what the machine did with the same
// target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/people/intruder_test.h"
#include "storage/store.h"

namespace residue::query {

enum class AttemptState : std::uint8_t {
  kOpen,        // drawn, not answered
  kOutdated,    // the facts or the target's text are others by now: counts nowhere
  kFailed,      // the target is there, and its text has failed since: counts as found
  kRight,       // a text of the target's person, or of an equal original
  kShared,      // a text that this person and others were released with, word for word: counts as its share
  kWrong,       // another one; or any, for an absent target
  kNone,        // the target is there, and was not found
  kRightlyNone  // it is absent
};
std::string_view name_of(AttemptState state);  // "open", ... "none", "rightly none"

struct IntruderAttempt {
  std::string annotator;
  std::size_t record = 0;  // place in the view
  std::uint64_t unit = 0;  // resampling unit of the target
  bool present = true;
  AttemptState state = AttemptState::kOpen;
  bool own = false;            // the text named is the target's own: what linkage_rate counts
  double person = 0;           // what of the person was found: 1, a share of a text, 0 (linkage_rate_person)
  bool claims = false;         // a text was named
  bool named_changed = false;  // the record that was named has another text by now, or is gone; of one that counts
  std::int64_t sure = 0;
  std::optional<double> seconds, searches;
  bool told = false;
  std::optional<bool> blind;  // false: outcomes of the test had been shown before; nothing: nobody said, or it is open
  std::string stratum;        // of which the target was drawn; empty: of all targets

  // Of the machine. Where the target is absent: of the absent attack, which has nothing right to find.
  struct Machine {
    bool known = false;  // it has attacked this one
    bool claims = false, own = false;
    double person = 0;
    std::optional<double> sure;  // 0 to 1; nothing: it would claim nothing
  };
  Machine machine;
};

// All that are stored on this run under this protocol, by annotator and key; of one annotator where he is named. The
// caller holds Store::hold_texts(). Cost: reads all originals once for each test.
std::vector<IntruderAttempt> load_attempts(storage::Store& store, const IntruderTest& test,
                                           const std::optional<std::string>& annotator);

// Whether nobody who began has anything left: no draw is open, and every target is answered.
bool all_finished(const IntruderTest& test, const std::vector<IntruderAttempt>& attempts);

}  // namespace residue::query
