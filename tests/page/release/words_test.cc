// Numbers as people read them beside a limit.
#include "page/release/words.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace residue::page {
namespace {

TEST(Words, ANumberStandsOnItsOwnSideOfALimit) {
  struct Case {
    double value, limit;
    std::string shown;
  };
  const std::vector<Case> cases = {
      {0.7449, 0.745, "0.7449"},      {0.74487, 0.7449, "0.74487"}, {0.5, 0.5, "0.500"},
      {0.998, 0.5, "0.998"},          {0.9983, 0.998, "0.9983"},    {0.0001, 0.0002, "1.0e-04"},
      {0.000102, 0.0001, "0.000102"}, {1, 0.9999, "1.000"},         {0.99996, 1, "0.99996"}};
  for (const Case& one : cases) {
    EXPECT_EQ(number_beside(one.value, one.limit), one.shown) << one.value << " beside " << one.limit;
  }
  EXPECT_EQ(number_beside(std::nullopt, 1), "–");
}

TEST(Words, WhatWasTypedStandsAsItWasTyped) {
  EXPECT_EQ(as_given(0.7449), "0.7449");
  EXPECT_EQ(as_given(13), "13");
  EXPECT_EQ(as_given(0.1), "0.1");
}

}  // namespace
}  // namespace residue::page
