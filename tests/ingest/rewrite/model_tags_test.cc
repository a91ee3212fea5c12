#include "ingest/rewrite/model_tags.h"

#include <gtest/gtest.h>

#include <string>

#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

TEST(ModelTags, NeverPutTheTextIntoATag) {
  const std::string text = text::lower("My name is Zorbex, said Qwilla.");
  EXPECT_EQ(tag_type(text, "PERSON"), "PERSON");
  EXPECT_EQ(tag_type(text, "name"), "name") << "a usual type, though the text has the word";
  EXPECT_EQ(tag_type(text, "Vessel"), "Vessel");
  for (const char* type : {"Qwilla", "qwilla", "ZORBEX", "", "x] Zorbex lives here", "[X", "two words", "said",
                           "averyverylongwordwithoutend"}) {
    EXPECT_EQ(tag_type(text, type), "masked") << type;
  }
}

}  // namespace
}  // namespace residue::ingest
