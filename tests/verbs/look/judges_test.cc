// Judges as a face calls them: the list, one pair, where votes differ, and people's labels.
#include "verbs/look/judges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "query/judge/lexical_judge.h"
#include "tests/verbs/small_store.h"
#include "verbs/look/calibrate.h"

namespace residue::verbs {
namespace {

// A judgment that was made elsewhere, in samples that differ.
void add_judgments(storage::Store& store) {
  std::vector<ingest::JudgmentRow> rows;
  for (const int rating : {1, 1, 3}) {
    ingest::JudgmentRow row;
    row.judge = "ours";
    row.claim = "She has asthma.";
    row.passage = "She has asthma.";
    row.rating = static_cast<std::uint8_t>(rating);
    row.sample = rows.size();
    rows.push_back(row);
  }
  JudgmentsOptions options;
  options.rows = rows;
  ingest_judgments(store, options);
}

// Copies are the same, other sentences are not.
Labels labels(std::size_t count) {
  Labels all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    const std::string said = "Patient " + n + " owns a boat in harbour " + n + ".";
    all.push_back({said + " He is tall.", said, "r" + n, 1});
    all.push_back({"Somebody has a boat.", said, "r" + n, 2});
    all.push_back({"The weather was fine.", said, "r" + n, 3});
  }
  return all;
}

TEST(Judges, AreListedWithoutAStore) {
  const std::vector<ListedJudge> all = list_judges(nullptr);
  ASSERT_EQ(all.size(), query::judge_names().size());
  const auto lexical = std::ranges::find(all, "lexical", &ListedJudge::name);
  ASSERT_NE(lexical, all.end());
  EXPECT_EQ(lexical->kind, ListedJudge::Kind::kEmbedded);
  EXPECT_EQ(lexical->version.size(), 8U);
  EXPECT_FALSE(lexical->validated.empty());
  const JudgeCard card = show_judge(nullptr, "lexical");
  EXPECT_EQ(card.version, lexical->version);
  EXPECT_TRUE(card.embedded && card.digest.starts_with(card.version));
  EXPECT_NE(refusal([] { show_judge(nullptr, "nobody"); }), "nothing");
}

TEST_F(SmallStore, ListsJudgesFromElsewhereAndTheirDissent) {
  evaluate();
  add_judgments(*store_);
  const std::vector<ListedJudge> all = list_judges(store_.get());
  ASSERT_EQ(all.size(), query::judge_names().size() + 1);
  EXPECT_EQ(all.back().name, "ours");
  EXPECT_EQ(all.back().kind, ListedJudge::Kind::kElsewhere);
  EXPECT_EQ(all.back().pairs, 1U);
  EXPECT_EQ(all.back().samples, 3U);
  EXPECT_GT(std::ranges::find(all, "lexical", &ListedJudge::name)->pairs, 0U);
  EXPECT_EQ(show_judge(store_.get(), "ours").validated, "never");
  EXPECT_EQ(refusal([&] { show_judge(store_.get(), "nobody"); }), "no judge named 'nobody' has rated anything here");

  UnstableOptions options;
  options.what = "ours";
  const UnstableResult unstable_pairs = unstable(*store_, options);
  EXPECT_EQ(unstable_pairs.found.total, 1U);
  EXPECT_TRUE(unstable_pairs.claims.empty());
  options.texts = true;
  EXPECT_EQ(unstable(*store_, options).claims, std::vector<std::string>{"She has asthma."});
  options.what = "d";
  options.judge = "ours";
  EXPECT_EQ(unstable(*store_, options).found.total, 1U) << "beside a judge the word is a dataset";
  options.judge.clear();
  options.what = "nothing-of-the-kind";
  EXPECT_NE(refusal([&] { unstable(*store_, options); }), "nothing");
  EXPECT_NE(refusal([&] { explain_miss(*store_, "lexical", std::nullopt); }), "nothing") << "is no model";
}

TEST(Judges, RateAPairWithTheReason) {
  const query::LexicalJudge judge;
  const auto same = rate_pair(judge, "She owns a red boat.", "He is old. She owns a red boat. It rains.");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->rating, 1);
  EXPECT_NE(same->evidence.find("red boat"), std::string::npos);
  EXPECT_FALSE(same->why.empty());
  EXPECT_FALSE(rate_pair(judge, "  ", "He is old."));
}

TEST(Calibrate, ComparesWithPeopleAndFitsOutOfFold) {
  const query::LexicalJudge judge;
  const Calibrated known = calibrate(judge, labels(40));
  EXPECT_EQ(known.version, version_of(judge));
  EXPECT_EQ(known.as_is.pairs, 120U);
  ASSERT_TRUE(known.five_fold);
  EXPECT_GT(known.five_fold->spearman.value_or(0), 0.5);
  EXPECT_FALSE(known.fitted_to_these);
  const CalibratedBands bands = calibrate_bands(judge, labels(40));
  EXPECT_TRUE(bands.fitted);
  EXPECT_EQ(bands.bands.size(), std::size(query::kBands));
  const Json weights = fit_weights(judge, labels(40), "v-1", "mine");
  EXPECT_EQ(weights["validated"]["labels"].get<std::string>(), "mine");
  EXPECT_EQ(weights["validated"]["pairs"].get<int>(), 120);
}

TEST(Calibrate, SaysWhyAJudgeCannotBeFitted) {
  const query::LexicalJudge judge;
  Labels of_one_kind = labels(60);
  for (query::LabelledPair& pair : of_one_kind) pair.rating = 1;
  const Calibrated result = calibrate(judge, of_one_kind);
  EXPECT_FALSE(result.five_fold);
  EXPECT_FALSE(result.not_fitted.empty());
  EXPECT_EQ(refusal([&] { calibrate(judge, labels(4)); }), "12 labels are too few to calibrate a judge");
  const auto rouge = query::make_judge("rouge");
  EXPECT_EQ(refusal([&] { fit_weights(*rouge, labels(40), "v", "l"); }), "--fit: judge rouge has no weights");
  const Calibrated of_rouge = calibrate(*rouge, labels(40));
  EXPECT_FALSE(of_rouge.five_fold || of_rouge.fitted_to_these) << "it has no weights";
}

}  // namespace
}  // namespace residue::verbs
