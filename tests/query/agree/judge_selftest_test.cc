#include "query/agree/judge_selftest.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string_view>

#include "query/judge/lexical_judge.h"
#include "query/judge/rouge_judge.h"

namespace residue::query {
namespace {

std::map<std::string_view, SelftestRow> rows(const Judge& judge) {
  std::map<std::string_view, SelftestRow> out;
  for (const auto& row : selftest(judge)) out.emplace(row.kind, row);
  return out;
}

TEST(JudgeSelftest, FindsNothingAgainstTheLexicalJudge) {
  std::uint64_t passed = 0;
  for (const auto& [kind, row] : rows(LexicalJudge())) {
    EXPECT_EQ(row.failed, 0U) << kind;
    EXPECT_GE(row.passed, 20U) << kind;
    passed += row.passed;
  }
  EXPECT_GT(passed, 600U);
}

TEST(JudgeSelftest, SeesWhatAJudgeCannotSee) {
  const auto rouge = rows(RougeJudge());
  EXPECT_EQ(rouge.at("copied").failed, 0U);
  EXPECT_EQ(rouge.at("other text").failed, 0U);
  EXPECT_GT(rouge.at("side swapped").failed, 10U);
  EXPECT_GT(rouge.at("said of a relative").failed, 10U);
  EXPECT_GT(rouge.at("negation swapped").failed, 10U);
}

}  // namespace
}  // namespace residue::query
