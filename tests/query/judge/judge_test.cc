#include "query/judge/judge.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace residue::query {
namespace {

TEST(Judge, IsMadeByItsName) {
  ASSERT_EQ(judge_names().size(), 3U);
  for (const auto name : judge_names()) {
    const auto judge = installed_judge(name);
    if (!judge && name == kLexicalWordNet) continue;  // dictionary_test.cc installs one
    ASSERT_NE(judge, nullptr);
    EXPECT_EQ(judge->name(), name);
    EXPECT_TRUE(judge->embedded());
    EXPECT_NE(judge->spec().find("\"judge\":\"" + std::string(name) + "\""), std::string::npos);
  }
}

TEST(Judge, OfAnUnknownNameIsAnErrorThatNamesTheKnownOnes) {
  try {
    make_judge("lexicl");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_NE(error.hint().find("lexical, lexical-wordnet, rouge"), std::string::npos);
  }
}

TEST(Judge, AnswersInTheShapeOfTheRequests) {
  const Request requests[] = {{"a dog", {"a dog", "", "cat"}}, {"nothing", {}}};
  for (const auto name : judge_names()) {
    SCOPED_TRACE(name);
    const auto judge = installed_judge(name);
    if (!judge) continue;
    const auto out = judge->rate(requests);
    ASSERT_EQ(out.size(), 2U);
    ASSERT_EQ(out[0].size(), 3U);
    EXPECT_EQ(out[0][0]->rating, 1);
    EXPECT_FALSE(out[0][1]);
    EXPECT_EQ(out[0][2]->rating, 3);
    EXPECT_TRUE(out[1].empty());
  }
}

}  // namespace
}  // namespace residue::query
