#include "ingest/rewrite/model_tags.h"

#include <gtest/gtest.h>

namespace residue::ingest {
namespace {

TEST(ModelTags, NeverPutTheTextIntoATag) {
  constexpr const char* kText = "My name is Zorbex, said Qwilla.";
  EXPECT_EQ(tag_type(kText, "PERSON"), "PERSON");
  EXPECT_EQ(tag_type(kText, "name"), "name") << "a usual type, though the text has the word";
  EXPECT_EQ(tag_type(kText, "Vessel"), "Vessel");
  for (const char* type : {"Qwilla", "qwilla", "ZORBEX", "", "x] Zorbex lives here", "[X", "two words", "said",
                           "averyverylongwordwithoutend"}) {
    EXPECT_EQ(tag_type(kText, type), "masked") << type;
  }
}

}  // namespace
}  // namespace residue::ingest
