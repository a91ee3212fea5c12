#include "query/gates.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace residue::query {
namespace {

TEST(Gate, IsReadWithItsParts) {
  const Gate gate = parse_gate("semantic_distance.right.low <= 0.25");
  EXPECT_EQ(gate.metric, MetricId::kSemanticDistance);
  EXPECT_EQ(gate.slice, "right");
  EXPECT_EQ(gate.field, "low");
  EXPECT_EQ(gate.op, "<=");
  EXPECT_EQ(gate.limit, 0.25);
  EXPECT_EQ(parse_gate("linkage_rate>1e-3").limit, 1e-3);
  EXPECT_EQ(parse_gate("leak_rate.if_private == 0").field, "if_private");
}

TEST(Gate, SaysWhatIsWrong) {
  for (const char* text :
       {"", "semantic_distance", "semantic_distance < x", "semantik_distance < 0.5", "linkage_rate.right < 1",
        "semantic_distance.middle < 1", "distance_histogram < 1", "semantic_distance < nan", "< 3"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse_gate(text), Error);
  }
  try {
    parse_gate("semantik_distance < 0.5");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("semantic_distance"), std::string::npos);
  }
}

}  // namespace
}  // namespace residue::query
