// How far people have confirmed a judge: said wherever its numbers are shown.
//
//   labels of a dataset, the judge's ratings of the same pairs ── agreement ──> nobody, too few, poor, held
#pragma once

#include <cstdint>
#include <string>

#include "query/agree/people_agreement.h"
#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::query {

// Less agreement than this is called poor: below it Landis and Koch (Biometrics 33, 1977) call a kappa fair at best.
inline constexpr double kLeastKappa = 0.4;

enum class Worth : std::uint8_t {
  kNobody,        // nobody rated a pair of this dataset
  kOtherVersion,  // the judge is another version by now: what this one would say of the labels is not known
  kTooFew,        // fewer than kFewestLabels: there are counts, and no statistic
  kPoor,          // kappa is below kLeastKappa; or its interval or Spearman's reaches 0; or one has no value
  kHeld           // none of these
};

// What people's labels of a dataset say of a judge.
struct Validation {
  Worth worth = Worth::kNobody;
  PeopleAgreement people;  // of all labels together
  std::string text;        // in one line, see validation_on()

  [[nodiscard]] bool doubtful() const { return worth != Worth::kHeld; }
};

Worth worth_of(const PeopleAgreement& people);

// "all blind"; "90 blind, 20 with the judge's rating in sight, of 30 nobody said".
std::string blind_words(const PeopleAgreement& people);

// "on labels that it never saw (Spearman 0.43 [0.38, 0.49] on 953 of QAGS; 11 % of supported claims called unsupported
// on 1070 of WiCE test)", the worst of each among texts of its own kind; or "never".
std::string validation_text(const Judge& judge);

// Of a judge as the store knows it, for numbers about `dataset`. The text is "not validated on this dataset; elsewhere
// on ...", "not validated on this dataset, too few: 12 of 50 labels; elsewhere on ...", "agrees poorly with people on
// this dataset; quadratic kappa 0.04 [-0.11, 0.18], Spearman ... of 140 labels on 70 records, all blind", or the same
// with "held against people's labels of this dataset". The caller holds Store::hold_texts(). Cost: as
// load_people_agreement.
Validation validation_on(storage::Store& store, JudgeId judge, const std::string& dataset);

}  // namespace residue::query
