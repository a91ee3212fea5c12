#include "base/natural.h"

#include <gtest/gtest.h>

#include <string>

namespace residue {
namespace {

TEST(NaturalKey, OrdersNumbersAsPeopleCount) {
  EXPECT_LT(natural_key("first:1"), natural_key("first:3"));
  EXPECT_LT(natural_key("first:3"), natural_key("first:10"));
  EXPECT_LT(natural_key("random:3@9..11/said"), natural_key("random:3@42..44/said"));
  EXPECT_LT(natural_key("first:10"), natural_key("last:1"));
  EXPECT_LT(natural_key("bm25"), natural_key("rouge-l"));
}

TEST(NaturalKey, TakesNumbersOfAnyLength) {
  const std::string many(30, '9');
  EXPECT_EQ(natural_key(many), many);
  EXPECT_EQ(natural_key(""), "");
  EXPECT_EQ(natural_key("7"), natural_key("007"));
}

}  // namespace
}  // namespace residue
