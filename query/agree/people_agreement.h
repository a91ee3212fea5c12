// How far the labels of support that a store has agree with a judge, and with each other: what `judge calibrate` says
// of a file, of what is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/agree/agreement_report.h"
#include "query/agree/calibration.h"
#include "storage/store.h"

namespace residue::query {

struct PeopleAgreement {
  struct Annotator {
    std::string name;  // empty: labels without one
    std::uint64_t labels = 0;
    std::uint64_t blind = 0, shown = 0;    // given blind, or not; of the rest nobody said
    std::optional<double> median_seconds;  // of those that were measured
    Agreement with_judge;
  };

  std::string dataset, judge;
  std::uint64_t labels = 0, blind = 0, shown = 0;
  std::uint64_t not_samples = 0;  // of the labels: their pair was chosen because it is hard, so they say too little
  bool too_few = false;  // fewer than kFewestLabels that the judge rated, too: no statistic is given, only counts
  Agreement everyone;    // every label is a pair; of several annotators' labels of one pair each
  std::vector<Annotator> annotators;   // by name; statistics where that one has kFewestLabels
  std::vector<AgreementLine> between;  // annotators with each other: as agreement_report.h, of the whole dataset
};

struct PeopleAgreementOptions {
  std::string dataset;
  std::optional<std::string> run;
  std::string judge;
  bool sample_only = false;
  bool together = false;  // only what all labels say: `annotators` and `between` are empty
};

// Who rated the dataset last; nothing: nobody has.
std::optional<std::string> last_judge(storage::Db& db, const std::string& dataset);

// The caller holds Store::hold_texts(). Embedded judges rate anew, of others what is stored counts. Throws Error{not
// found}.
PeopleAgreement load_people_agreement(storage::Store& store, const PeopleAgreementOptions& options);

}  // namespace residue::query
