#include "query/study/published.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "query/metric/metrics.h"

namespace residue::query {
namespace {

std::vector<const PublishedRow*> find(const char* table, const char* dataset, std::vector<std::string> names) {
  return find_published(table, dataset, names);
}

TEST(Published, IsFoundByTheNameOrAnotherOfIt) {
  const auto none = find("metrics", "medqa", {"none"});
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(none[0]->text(), "FSP (arXiv v2), Table 8, MedQA: No Sanitization");
  EXPECT_EQ(none[0]->figures.at("semantic_distance").value, 0.09);
  EXPECT_EQ(none[0]->figures.at("semantic_distance").deviation, 0.004);
  EXPECT_EQ(find("metrics", "medqa", {"NO-sanitization"}), none);
  EXPECT_EQ(find("metrics", "medqa", {"sanitize and paraphrase"}).size(), 0U);
  EXPECT_EQ(find("metrics", "medqa", {"", "scrub"}).size(), 0U);
  EXPECT_EQ(find("linkage", "medqa", {"Azure"}).at(0)->figures.at("linkage_rate/first:3").value, 0.95);
  EXPECT_EQ(find("adversarial", "pai", {"gpt-4-aa@3"}).at(0)->figures.at("attribute_accuracy").value, 0.453);
  EXPECT_EQ(find("redaction", "abcd", {"ZSTS p=1E-15"}).at(0)->figures.at("redaction_recall").value, 0.26);
}

TEST(Published, IsOfTheDatasetThatOursIsNamedAfter) {
  EXPECT_EQ(find("metrics", "my-WildChat-2", {"none"}).at(0)->dataset, "WildChat");
  EXPECT_EQ(find("metrics", "my-WildChat-2", {"none"}).size(), 1U);
  EXPECT_EQ(find("metrics", "clinic", {"none"}).size(), 2U);  // named after neither: both
  EXPECT_EQ(find("distribution", "medqa", {"none"}).size(), 0U);
}

TEST(Published, LeavesOutWhatThePaperDoesNotPrint) {
  const auto removed = find("privacy-utility", "medqa", {"remove-all"});
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0]->figures.size(), 1U);
  EXPECT_EQ(removed[0]->figures.at("task_accuracy").value, 0.44);
}

TEST(Published, HasSharesAsShares) {
  const std::set<std::string> scores = {"coherence", "spearman", "category_preservation"};
  for (const PublishedRow& row : published_rows()) {
    SCOPED_TRACE(row.text());
    EXPECT_FALSE(row.figures.empty());
    for (const auto& [key, figure] : row.figures) {
      SCOPED_TRACE(key);
      EXPECT_EQ(published_titles().count(row.paper), 1U);
      if (scores.count(key) != 0) continue;
      EXPECT_GE(figure.value, 0);
      EXPECT_LE(figure.value, 1);
    }
  }
  // Three figures of each paper, from its text.
  EXPECT_EQ(find("privacy-utility", "wildchat", {"dp-3"}).at(0)->figures.at("category_preservation").value, -0.46);
  EXPECT_EQ(find("paraphrased-aux", "medqa", {"iterative"}).at(0)->figures.at("semantic_distance/paraphrased").value,
            0.60);
  EXPECT_EQ(find("linkers", "medqa", {"none"}).at(0)->figures.at("linkage_rate/dense").value, 0.74);
  EXPECT_EQ(find("adversarial", "x", {"gpt-4@2"}).at(0)->figures.at("attribute_accuracy/level state").value, 0);
  EXPECT_EQ(find("redaction", "x", {"DLP"}).back()->figures.at("qa_accuracy_true").value, 0.36);
  EXPECT_EQ(find("pseudonymization", "x", {"lopsided"}).back()->figures.at("detectability").value, 0.4488);
}

}  // namespace
}  // namespace residue::query
