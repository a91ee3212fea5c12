#include "cli/flags/gate_flags.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace residue::cli {
namespace {

std::vector<query::GateResult> example() {
  query::GateResult passed;
  passed.gate = "leak_rate > 0.5";
  passed.dataset = "d";
  passed.run = "r";
  passed.protocol = "bm25/first:3/claims";
  passed.judge = "lexical";
  passed.limit = 0.5;
  passed.value = 0.25;
  query::GateResult failed = passed;
  failed.gate = "leak_by_category.\"A&B\" > 0.1";
  failed.limit = 0.1;
  failed.value = 0.2;
  failed.failed = true;
  failed.reason = "0.2 > 0.1";
  query::GateResult missing = passed;
  missing.gate = "mrr < 1";
  missing.run = "s";
  missing.limit = 1;
  missing.value.reset();
  missing.failed = true;
  missing.reason = "was not computed";
  return {passed, failed, missing};
}

TEST(GateFlags, WriteACaseForEachGateAsJUnit) {
  EXPECT_EQ(gates_junit(example()), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="2">
  <testsuite name="residue gates" tests="3" failures="2" errors="0" skipped="0">
    <testcase classname="d/r" name="leak_rate &gt; 0.5 under bm25/first:3/claims by lexical"/>
    <testcase classname="d/r" name="leak_by_category.&quot;A&amp;B&quot; &gt; 0.1 under bm25/first:3/claims by lexical">
      <failure type="gate" message="is 0.2000"/>
    </testcase>
    <testcase classname="d/s" name="mrr &lt; 1 under bm25/first:3/claims by lexical">
      <failure type="gate" message="was not computed"/>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(GateFlags, WriteNamesThatXmlCannotHoldAsJUnit) {
  query::GateResult odd = example()[0];
  odd.run = "<r>\n'\x1b\u202E";
  EXPECT_NE(gates_junit({odd}).find(R"(classname="d/&lt;r&gt;\x0a&#39;\x1b\u{202e}")"), std::string::npos);
}

TEST(GateFlags, SayForEachGateWhetherItPassedAndWhy) {
  const auto json = gates_json(example());
  ASSERT_EQ(json.size(), 3U);
  EXPECT_TRUE(json[0]["passed"].boolean());
  EXPECT_TRUE(json[0]["reason"].is_null());
  EXPECT_EQ(json[1]["value"], 0.2);
  EXPECT_EQ(json[1]["limit"], 0.1);
  EXPECT_FALSE(json[2]["passed"].boolean());
  EXPECT_TRUE(json[2]["value"].is_null());
  EXPECT_EQ(json[2]["reason"], "was not computed");
}

TEST(GateFlags, WantAGateForTheirFile) {
  GateFlags flags;
  flags.junit = "gates.xml";
  EXPECT_THROW(static_cast<void>(flags.gates()), Error);
  flags.conditions = {"leak_rate > 0.5"};
  EXPECT_EQ(flags.gates().gates.size(), 1U);
}

}  // namespace
}  // namespace residue::cli
