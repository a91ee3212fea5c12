#include "text/words/wording.h"

#include <gtest/gtest.h>

namespace residue::text {
namespace {

TEST(Wording, IsTheSameWhateverItIsWrittenWith) {
  for (const char* one :
       {"Text removed.", "text  removed", " TEXT\tremoved !!\n", "\u201cText removed\u201d", "Text removed ...",
        "Te\u200bxt\u00a0remo\u00adved.", "Text removed 17", "3. Text removed (4f0a91)", "\uff34ext removed \u0663",
        "Text removed\xe2\x81\xa0\xef\xbb\xbf"}) {
    EXPECT_EQ(wording(one), "textremoved") << one;
  }
  EXPECT_EQ(wording("Document r17 of 2024-03-01, 1,5 was read."), wording("document r4 of 3 was read"));
  EXPECT_EQ(wording("Id 8f14e45f-ceea-4672 failed"), wording("ID 99 failed"));
  EXPECT_EQ(wording("\u6587\u672c17\u5df2\u5904\u7406\u3002"), wording("\u6587\u672c5\u5df2\u5904\u7406"));
}

TEST(Wording, IsAnotherForOtherWords) {
  EXPECT_NE(wording("Text removed."), wording("Texts removed."));
  EXPECT_NE(wording("He is 4, she 5."), wording("She is 4, he 5."));
  EXPECT_NE(wording("no, pain"), wording("no pain"));
}

TEST(Wording, IsEmptyWithoutLetters) {
  for (const char* one : {"", " \u200b", "17", "*** 12.5 %", "4f0a"}) EXPECT_EQ(wording(one), "") << one;
}

TEST(Wording, TakesAnyBytes) { EXPECT_EQ(wording("\xff text \xc3"), wording("\xfe text")); }

}  // namespace
}  // namespace residue::text
