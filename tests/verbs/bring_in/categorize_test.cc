// categorize: by rules or by a model.
#include "verbs/bring_in/categorize.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using Categorize = AskingStore;

TEST_F(Categorize, CountsWhatRulesFind) {
  add_claims("claims");
  CategorizeOptions options;
  options.dataset = "d";
  options.with = kByRules;
  options.list = text::CategoryList::kMedical;
  const CategorizeResult found = categorize(store(), options);
  ASSERT_TRUE(found.by_rules);
  EXPECT_FALSE(found.asked);
  EXPECT_EQ(found.by_rules->claims, 4U);
  const auto named = rows("SELECT text_id AS 'T' FROM claim WHERE category LIKE '%\"%' ORDER BY record_id, n");
  EXPECT_EQ(named, (std::vector<std::string>{"She has two dogs.", "He is ill."}));
  EXPECT_EQ(found.by_rules->categorized, named.size());
  EXPECT_EQ(server_.requests(), 0U);
}

TEST_F(Categorize, AsksAModelAboutEachClaim) {
  add_claims("claims");
  CategorizeOptions options;
  options.dataset = "d";
  options.with = "local";
  const CategorizeResult asked = categorize(store(), options);
  EXPECT_FALSE(asked.by_rules);
  ASSERT_TRUE(asked.asked);
  EXPECT_EQ(asked.asked->saved, 4U);
  EXPECT_EQ(asked.result.counts.bad, 0U);
  const auto named = [&](const std::string& category) {
    return std::ranges::count_if(server_.bodies(),
                                 [&](const auto& body) { return body.first.find(category) != std::string::npos; });
  };
  EXPECT_EQ(named("Diagnostic_Results"), 0);
  options.list = text::CategoryList::kMedical;
  categorize(store(), options);
  EXPECT_EQ(named("Diagnostic_Results"), 4) << "the other list is another question";
}

TEST_F(Categorize, RefusesInstructionsForRulesAndAChoiceOfSets) {
  CategorizeOptions options;
  options.dataset = "d";
  options.with = kByRules;
  EXPECT_NE(ended_with([&] { categorize(store(), options); }).first, 0) << "there is no claim set";
  add_claims("some");
  add_claims("more");
  EXPECT_NE(ended_with([&] { categorize(store(), options); }).first, 0) << "there are two";
  options.set = "more";
  EXPECT_EQ(categorize(store(), options).by_rules->claims, 4U);
  options.instructions = "Name them.";
  EXPECT_EQ(ended_with([&] { check(options); }).second, "rules read no instructions: --template means nothing to them");
}

}  // namespace
}  // namespace residue::verbs
