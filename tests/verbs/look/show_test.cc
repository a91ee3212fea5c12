// `show` as a face calls it: what a name means, and what stands in its card.
#include "verbs/look/show.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/verbs/small_store.h"

namespace residue::verbs {
namespace {

ShowOptions of(const std::string& reference, const std::string& run = "") {
  ShowOptions options;
  options.reference = reference;
  options.run = run;
  return options;
}

template <class Kind>
Kind shown(storage::Store& store, const ShowOptions& options) {
  return std::get<Kind>(show(store, options).shown);
}

TEST_F(SmallStore, ShowsADatasetBeforeAnythingIsEvaluated) {
  const ShowResult result = show(*store_, of("d"));
  EXPECT_FALSE(result.lens);
  const auto& dataset = std::get<ShownDataset>(result.shown);
  EXPECT_EQ(dataset.card.records, 3);
  EXPECT_EQ(dataset.card.persons, 3);
  EXPECT_EQ(dataset.card.runs.size(), 4U) << "two and the controls";
  EXPECT_TRUE(dataset.privacy.releases.empty());
  EXPECT_EQ(shown<ShownRun>(*store_, of("d/half")).numbers(), nullptr);
}

TEST_F(SmallStore, ShowsARunWithItsNumbers) {
  evaluate();
  const ShowResult result = show(*store_, of("d/failing"));
  ASSERT_TRUE(result.lens);
  EXPECT_EQ(result.lens->judge_name, "lexical");
  const auto& run = std::get<ShownRun>(result.shown);
  EXPECT_EQ(run.card.failed, 1);
  ASSERT_NE(run.numbers(), nullptr);
  EXPECT_EQ(run.numbers()->run, "failing");
  EXPECT_TRUE(run.numbers()->metrics.contains(query::MetricId::kLeakRate));
}

TEST_F(SmallStore, ShowsARecordInAllRuns) {
  const auto record = shown<ShownRecord>(*store_, of("d/c"));
  EXPECT_TRUE(record.text.starts_with("Cem lives in Molde."));
  ASSERT_EQ(record.claims.size(), 4U);
  EXPECT_EQ(record.claims.front(), "Cem lives in Molde.");
  ASSERT_EQ(record.variants.size(), record.card.variants.size());
  for (std::size_t i = 0; i < record.variants.size(); ++i) {
    const query::VariantCard& variant = record.card.variants[i];
    SCOPED_TRACE(variant.run);
    if (variant.run == "half") {
      EXPECT_EQ(record.variants[i], "He bakes bread. He walks to work.");
    }
    if (variant.run == "failing") {
      EXPECT_FALSE(record.variants[i]);
    }
    if (variant.run == "none") {
      EXPECT_EQ(record.variants[i], record.text);
    }
  }
}

TEST_F(SmallStore, ShowsTheAttackOnARecordWithReasons) {
  evaluate();
  const auto attacked = shown<ShownAttack>(*store_, of("d/a", "half"));
  EXPECT_EQ(attacked.own.run, "half");
  EXPECT_EQ(attacked.sanitized, "She owns a red boat. She sings in a choir.");
  EXPECT_TRUE(attacked.attack.evaluated);
  ASSERT_EQ(attacked.claims.size(), 4U);
  EXPECT_EQ(std::ranges::count_if(attacked.claims, [](const RatedClaim& claim) { return claim.known; }), 1);
  for (const RatedClaim& claim : attacked.claims) {
    SCOPED_TRACE(claim.text);
    if (claim.known) {
      EXPECT_FALSE(claim.why);
      continue;
    }
    ASSERT_TRUE(claim.rating);
    EXPECT_EQ(claim.why.has_value(), attacked.attack.linked);
    EXPECT_NE(attacked.linked.find(claim.evidence), std::string::npos);
    if (attacked.attack.right.value_or(false)) {
      EXPECT_EQ(*claim.rating, claim.claim.n > 2 ? 1 : 3);
    }
  }
}

TEST_F(SmallStore, ShowsAClaimOverAllRuns) {
  evaluate();
  const auto claim = shown<ShownClaim>(*store_, of("d/b#2"));
  EXPECT_EQ(claim.text, "He has gout.");
  ASSERT_EQ(claim.runs.size(), 4U);
  const auto run = [&](const std::string& name) {
    return *std::ranges::find_if(claim.runs, [&](const auto& one) { return one.run == name; });
  };
  EXPECT_EQ(run("remove-all").attack.linked, false);
  EXPECT_TRUE(run("remove-all").known || run("remove-all").rating == 3) << "nothing found, nothing learned";
  if (!run("none").known) {
    EXPECT_EQ(run("none").rating, 1);
  }
}

TEST_F(SmallStore, ShowRefusesWhatIsNotThere) {
  EXPECT_NE(refusal([&] { show(*store_, of("d/nobody")); }), "nothing");
  EXPECT_NE(refusal([&] { show(*store_, of("d/a", "half")); }), "nothing") << "nothing is evaluated";
  evaluate();
  EXPECT_EQ(refusal([&] { show(*store_, of("d/b#9")); }), "record d/b has no claim #9 in the set \"sentences\"");
  ShowOptions options = of("d/half");
  options.delta = 0.5;
  EXPECT_EQ(refusal([&] { show(*store_, options); }), "--delta applies to a dataset, not to a run, record or claim");
  options.delta = 1;
  EXPECT_EQ(refusal([&] { show(*store_, options); }), "--delta is not a number above 0 and below 1");
  options = of("d");
  options.judge = "rouge";
  EXPECT_EQ(refusal([&] { show(*store_, options); }), "nothing");
  options.lens_asked = true;
  EXPECT_NE(refusal([&] { show(*store_, options); }), "nothing");
}

}  // namespace
}  // namespace residue::verbs
