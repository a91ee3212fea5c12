// `judge calibrate`: a judge against people's labels, and the lexical judge taught by them, fold by fold.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "query/agree/calibration.h"
#include "query/agree/cascade_bands.h"
#include "query/judge/judge.h"

namespace residue::verbs {

using Labels = std::vector<query::LabelledPair>;

struct Calibrated {
  std::string version;           // of the judge
  bool fitted_to_these = false;  // its weights were made with these labels: no validation
  query::Agreement as_is;
  std::optional<query::Agreement> five_fold;  // of the lexical judges: fitted to four fifths, of the last, five times
  std::string not_fitted;                     // why there is none of a lexical judge; empty: there is
};

// Throws Error{bad input} for fewer than query::kFewestLabels labels.
Calibrated calibrate(const query::Judge& judge, const Labels& labels);

struct CalibratedBands {
  std::string version;
  bool fitted = false;  // of ratings out of five folds, else of the judge as it is
  std::vector<query::BandAgreement> bands;
};

// What a cascade that begins with this judge would ask about. Throws as calibrate().
CalibratedBands calibrate_bands(const query::Judge& judge, const Labels& labels);

// The weights fitted to all labels, under this version, in the shape of the embedded ones; `labels_name` says what the
// labels are called in it. Throws as calibrate(), and Error{usage} for a judge that has no weights.
Json fit_weights(const query::Judge& judge, const Labels& labels, const std::string& version,
                 const std::string& labels_name);

}  // namespace residue::verbs
