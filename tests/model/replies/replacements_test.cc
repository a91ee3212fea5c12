#include "model/replies/replacements.h"

#include <gtest/gtest.h>

namespace residue::model {
namespace {

TEST(Replacements, AreReadAsVariantsKeepThem) {
  EXPECT_EQ(substitutions_in(R"([["Ann","Ruth"],["Oslo","Bergen"]])"),
            (text::Substitutions{{"Ann", "Ruth"}, {"Oslo", "Bergen"}}));
  EXPECT_EQ(substitutions_in(R"([["Ann"],["Ann",1],{"Ann":"Ruth"},["Ann","Ruth","Ida"],["Bob","Tom"]])"),
            (text::Substitutions{{"Bob", "Tom"}}));
  for (const char* none : {"", "[]", "{}", "[", "null"}) EXPECT_TRUE(substitutions_in(none).empty()) << none;
}

TEST(Replacements, AreToldALineEach) {
  EXPECT_EQ(replacement_lines({{"Ann\nLee", "Ruth  Ray"}, {"Oslo", "Bergen"}}), "Ruth Ray -> Ann Lee\nBergen -> Oslo");
  EXPECT_EQ(replacement_lines({}), "");
}

}  // namespace
}  // namespace residue::model
