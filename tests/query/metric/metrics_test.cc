#include "query/metric/metrics.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace residue::query {
namespace {

TEST(Metrics, AnIdThatNobodyKnowsIsDamageAndNoBug) {
  try {
    (void)definition(static_cast<MetricId>(4711));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCorrupt);
    EXPECT_NE(std::string(error.what()).find("4711"), std::string::npos);
    EXPECT_NE(error.hint().find("residue check"), std::string::npos);
  }
}

}  // namespace
}  // namespace residue::query
