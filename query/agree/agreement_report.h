// Who agrees with whom: judges with people, people with each other, judges with judges, a judge with itself (FSP Table
// 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numbers/stats/agreement.h"
#include "storage/store.h"

namespace residue::query {

// Of fewer pairs than kFewestLabels (calibration.h) there are counts, and no statistic.
struct AgreementLine {
  std::string_view kind;  // "people", "annotators" (by their number, then of all pairs), "repeats", "judges"
  std::string first, second;
  std::uint64_t n = 0;              // pairs of a claim and a passage
  bool too_few = false;             // these are fewer than kFewestLabels
  numbers::Confusion confusion{};   // [first][second]; empty for annotators
  std::optional<double> agreement;  // share rated the same
  std::optional<numbers::Interval> agreement_interval;
  std::optional<double> spearman;  // of ratings
  std::optional<numbers::Interval> spearman_interval;
  std::optional<double> kappa;   // quadratic; annotators: Fleiss'
  std::optional<double> cohen;   // unweighted; annotators: nothing
  std::optional<double> linear;  // as kappa, but linear; annotators: nothing
  std::optional<double> alpha;   // Krippendorff's, ordinal
  std::string constant;  // who always says the same, which leaves nothing to agree or disagree on; empty: nobody
};

// The store's judges, and the labels of kind support that name their passage (of `dataset`, or of all). Embedded judges
// rate what is labelled anew; of others what is stored counts. The label of a pair is the mode of its annotators'
// ratings, of a tie the lower. Lines are in the order of the kinds, then of names.
std::vector<AgreementLine> load_agreement(storage::Store& store, const std::optional<std::string>& dataset);

// Of these the lines of kind "annotators" alone. The caller has a snapshot.
std::vector<AgreementLine> annotator_agreement(storage::Store& store, const std::string& dataset);

// A claim and a passage that people and a judge rated.
struct RatedLabel {
  std::uint8_t people = 3;  // the mode of their ratings, of a tie the lower
  std::uint8_t judge = 3;
  std::uint64_t unit = 0;  // resampling unit
};

// Of one judge: embedded ones rate anew, of others what is stored counts. Pairs that it has no rating of are left out.
std::vector<RatedLabel> rated_labels(storage::Store& store, const std::optional<std::string>& dataset,
                                     std::string_view judge);

}  // namespace residue::query
