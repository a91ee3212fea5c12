// explain, search, link, history and label as a face calls them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "query/metric/metrics.h"
#include "tests/verbs/small_store.h"
#include "verbs/look/explain.h"
#include "verbs/look/history.h"
#include "verbs/look/label.h"
#include "verbs/look/link.h"
#include "verbs/look/search.h"

namespace residue::verbs {
namespace {

TEST_F(SmallStore, ExplainsAnAttackUnderEachSeed) {
  ExplainOptions options;
  options.dataset = "d";
  options.run = "half";
  options.record = "d/a";
  options.protocol = "bm25/last:1";
  auto all = explain(*store_, options);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().record, "a");
  EXPECT_EQ(all.front().outcome, query::LinkExplanation::Outcome::kRight) << "he knows of the choir";
  EXPECT_EQ(all.front().stored, query::LinkExplanation::Stored::kNever);
  options.protocol = "bm25/random:1";
  options.seeds = 3;
  EXPECT_EQ(explain(*store_, options).size(), 3U);
  options.protocol.clear();
  options.combine = {"failing", "half"};
  all = explain(*store_, options);
  EXPECT_EQ(all.front().protocol.policy.k, 3U) << "the usual attacker";
  EXPECT_FALSE(all.front().protocol.runs().empty());
  options.run = "full";
  EXPECT_NE(refusal([&] { explain(*store_, options); }).find("full"), std::string::npos);
}

TEST_F(SmallStore, SearchesTheOriginals) {
  SearchOptions options;
  options.dataset = "d";
  options.text = "the cello in Oslo";
  const auto found = search(*store_, options);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().hit.key, "b");
  ASSERT_FALSE(found.front().snippet.marks.empty());
  options.columns = 20;
  EXPECT_LT(search(*store_, options).front().snippet.text.size(), found.front().snippet.text.size());
  options.text = "zebra";
  EXPECT_TRUE(search(*store_, options).empty());
  options.dataset = "e";
  EXPECT_NE(refusal([&] { search(*store_, options); }), "nothing");
}

TEST_F(SmallStore, LinksATextByEachKindOfEvidence) {
  LinkOptions options;
  options.dataset = "d";
  options.run = "half";
  options.text = "a red boat\nbread";
  const LinkResult terms = link(*store_, options);
  EXPECT_EQ(terms.kind, query::EvidenceKind::kTerms);
  EXPECT_TRUE(terms.has_text && terms.aligned && !terms.combined);
  ASSERT_FALSE(terms.hits.empty());
  EXPECT_EQ(terms.hits.front().key, "a");
  options.protocol = "rouge-l";
  const LinkResult words = link(*store_, options);
  EXPECT_EQ(words.words, (std::vector<std::string>{"a", "red", "boat", "bread"}));
  options.run = "remove-all";
  EXPECT_FALSE(link(*store_, options).has_text);
  options.protocol = "random";
  EXPECT_EQ(refusal([&] { check(options); }), "the linker random cannot rank a text");
  EXPECT_EQ(refusal([&] { link(*store_, options); }), "the linker random cannot rank a text");
}

TEST_F(SmallStore, TellsTheHistoryOfMetricsAndWhyThereIsNone) {
  HistoryOptions options;
  options.dataset = "d";
  EXPECT_EQ(history(*store_, options).absent.at("linkage_rate"), Absence::kNothingEvaluated);
  evaluate();
  const HistoryResult result = history(*store_, options);
  EXPECT_TRUE(result.absent.empty());
  EXPECT_GT(result.hidden, 0U);
  options.controls = true;
  EXPECT_EQ(history(*store_, options).rows.size(), result.rows.size() + result.hidden);
  options.monthly = true;
  EXPECT_EQ(history(*store_, options).rows.size(), result.rows.size() + result.hidden) << "of one month";
  options.metrics = {"mauve", "leak_by_category"};
  EXPECT_EQ(history(*store_, options).absent.at("mauve"), Absence::kNotComputed);
  EXPECT_EQ(history(*store_, options).absent.at("leak_by_category"), Absence::kPartsOnly);
  options.metrics = {"no_metric"};
  EXPECT_NE(refusal([&] { history(*store_, options); }), "nothing");
}

TEST_F(SmallStore, DrawsPairsForPeopleToRate) {
  query::LabelOptions options;
  options.dataset = "d";
  options.run = "half";
  EXPECT_NE(refusal([&] { label(*store_, options); }), "nothing") << "nothing is evaluated";
  evaluate();
  options.sample = 4;
  const LabelResult drawn = label(*store_, options);
  ASSERT_EQ(drawn.sample.items.size(), 4U);
  ASSERT_EQ(drawn.claims.size(), 4U);
  ASSERT_EQ(drawn.passages.size(), 4U);
  for (std::size_t i = 0; i < drawn.claims.size(); ++i) {
    EXPECT_EQ(drawn.claims[i].back(), '.');
    EXPECT_EQ(std::ranges::count(drawn.passages[i], '.'), 2) << "a text of the run";
  }
}

}  // namespace
}  // namespace residue::verbs
