// When people's labels make a judge believable, and when they are too few or speak against it.
#include "query/agree/validation.h"

#include <gtest/gtest.h>

#include <optional>

namespace residue::query {
namespace {

// Labels that the judge rated, all of them.
PeopleAgreement people(std::uint64_t pairs, double kappa, double kappa_low, double spearman, double spearman_low) {
  PeopleAgreement all;
  all.labels = all.everyone.pairs = pairs;
  all.too_few = pairs < kFewestLabels;
  if (all.too_few) return all;
  all.everyone.kappa = kappa;
  all.everyone.kappa_interval = numbers::Interval{kappa_low, 1};
  all.everyone.spearman = spearman;
  all.everyone.spearman_interval = numbers::Interval{spearman_low, 1};
  return all;
}

TEST(Validation, IsWorthWhatPeopleAgree) {
  EXPECT_EQ(worth_of({}), Worth::kNobody);
  EXPECT_EQ(worth_of(people(49, 1, 1, 1, 1)), Worth::kTooFew);
  EXPECT_EQ(worth_of(people(50, 0.4, 0.1, 0.5, 0.2)), Worth::kHeld);
  EXPECT_EQ(worth_of(people(50, 0.39, 0.1, 0.5, 0.2)), Worth::kPoor) << "kappa";
  EXPECT_EQ(worth_of(people(50, 0.5, 0, 0.5, 0.2)), Worth::kPoor) << "the interval of kappa reaches 0";
  EXPECT_EQ(worth_of(people(50, 0.5, 0.2, 0.5, -0.1)), Worth::kPoor) << "that of Spearman";
  PeopleAgreement constant = people(50, 0.5, 0.2, 0.5, 0.2);
  constant.everyone.spearman = std::nullopt;
  EXPECT_EQ(worth_of(constant), Worth::kPoor) << "one side always says the same";
  PeopleAgreement others;  // labels of pairs that this judge has not rated
  others.labels = 140;
  others.too_few = true;
  EXPECT_EQ(worth_of(others), Worth::kTooFew) << "somebody did rate";
}

TEST(Validation, SaysWhichLabelsAreBlind) {
  PeopleAgreement all;
  all.labels = all.blind = 3;
  EXPECT_EQ(blind_words(all), "all blind");
  all.labels = 6;
  all.shown = 1;
  EXPECT_EQ(blind_words(all), "3 blind, 1 with the judge's rating in sight, of 2 nobody said");
}

}  // namespace
}  // namespace residue::query
