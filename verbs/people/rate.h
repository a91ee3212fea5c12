// Pairs of a claim and a text, rated by a person one at a time: which comes next, what was said of it, how far people
// and the judge agree so far.
//
//   DATASET/RUN ── open_ratings ──> query::RatingQueue ── next_pair ──> PairToRate ── keep_rating ──> a label of
//   support
//
// A label is the same whether it came this way or from a file (ingest labels --kind support).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/agree/people_agreement.h"
#include "query/people/rating_queue.h"
#include "query/sql/levels/readable.h"
#include "storage/store.h"
#include "verbs/people/kept.h"

namespace residue::verbs {

struct RatingOptions {
  query::LabelOptions draw;  // dataset, run, protocol, judge; sample and seed as `label` draws
  query::ReadLevel level = query::ReadLevel::kReleased;
};

// Cheap to keep and to share; it holds no text. It is of the store as it is now: next_pair() refuses what is not any
// more. Holds the texts meanwhile. Throws as query::draw_labels, and Error{usage} for a level that reads no claims (of
// the run none: no originals). Cost: reads the run's judgments.
query::RatingQueue open_ratings(storage::Store& store, const RatingOptions& options);

// Asks for one pair.
struct NextPair {
  query::RatingOrder order = query::RatingOrder::kSample;
  std::string annotator = {};
  std::set<std::string> passed_over = {};  // PairToRate::pair of those that this person would rather not rate now
  bool show = false;                       // also what the judge and others said: the label is not blind then
};

struct PairToRate {
  std::string pair;   // names it: "r-12#2@4711", the claim and the number of the text
  std::string claim;  // "r-12#2"
  std::string claim_text, passage;
  std::uint64_t done = 0;  // pairs of this order that the annotator has rated
  std::uint64_t left = 0;  // and those that are left, this one among them; of disagreements: as things stand
  bool blind = true;       // what keep_rating() is to be told
  // Only where it was asked for: what the judge said, and what others did (annotator, rating; in order of names).
  std::optional<std::uint8_t> judge = {};
  std::vector<std::pair<std::string, std::uint8_t>> by_others = {};
};

// The next pair that this annotator has not rated; nothing: there is none. What is stored decides, so it goes on where
// somebody stopped, in whatever process. Holds the texts meanwhile. Throws Error{usage} for an annotator without a
// name, Error{try again} where the run, its links or its judgments are others than when the queue was opened. Cost:
// reads the dataset's labels of support.
std::optional<PairToRate> next_pair(storage::Store& store, const query::RatingQueue& queue, const NextPair& wanted);

struct GivenRating {
  std::string pair;         // PairToRate::pair
  std::int64_t rating = 0;  // 1 same, 2 similar, 3 unsupported
  std::string annotator;
  bool blind = true;                   // nobody showed what the judge or others said, now or before
  std::optional<double> seconds = {};  // how long it took
  query::RatingOrder order = query::RatingOrder::kSample;
};

// Stores the label. The same again changes nothing; another rating takes the place of the one before. A label that was
// not blind once never is. Throws Error{bad input} for a rating that is none, seconds that are none, a pair that the
// queue does not have or whose texts have changed, Error{usage} for an annotator without a name.
Kept keep_rating(storage::Store& store, const query::RatingQueue& queue, const GivenRating& given);

struct AgreementOptions {
  std::string dataset;
  std::optional<std::string> run;    // nothing: all runs
  std::optional<std::string> judge;  // nothing: the last evaluated
  bool sample_only = false;  // only labels whose pair was drawn as a sample: pairs that were chosen because they
                             // are hard agree less
};

// No text is in it. Numbers are those of judge calibrate on the same labels; where persons are known they, not records,
// are resampled. Below query::kFewestLabels labels only counts are given. Holds the texts meanwhile. Throws Error{not
// found}. Cost: a second for some thousand labels, most of it intervals.
query::PeopleAgreement people_agreement(storage::Store& store, const AgreementOptions& options);

}  // namespace residue::verbs
