#include "query/metric/slice.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::query {
namespace {

TEST(Slice, IsReadAsItIsNamed) {
  struct Case {
    MetricId metric;
    Slice slice;
    std::string name;
  };
  const Case cases[] = {
      {MetricId::kSemanticDistance, {}, ""},
      {MetricId::kSemanticDistance, Outcome::kNone, ""},
      {MetricId::kSemanticDistance, Outcome::kRight, "right"},
      {MetricId::kSemanticDistance, Outcome::kNotLinked, "not_linked"},
      {MetricId::kDistanceHistogram, Slice::Bin{7}, "bin:7"},
      {MetricId::kLeakByCategory, Slice::Cut{"Age"}, "Age"},
      {MetricId::kTopicDistance, Slice::Statistic::kDeviation, "std"},
      {MetricId::kEmbeddingCosine, Slice::Statistic::kMedian, "median"},
      {MetricId::kNearestCopy, Slice::Cut{"max"}, "max"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(one.slice.name(), one.name);
    EXPECT_EQ(Slice(one.name, definition(one.metric)), one.slice);
    EXPECT_EQ(one.slice.all(), one.name.empty());
  }
}

TEST(Slice, OfAMetricWithPartsMayBeCalledAsAnythingElse) {
  for (const char* name : {"right", "bin:3", "max"}) {
    EXPECT_EQ(Slice(name, definition(MetricId::kLeakByCategory)), Slice(Slice::Cut{name}));
  }
}

}  // namespace
}  // namespace residue::query
