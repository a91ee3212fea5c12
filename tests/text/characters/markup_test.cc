#include "text/characters/markup.h"

#include <gtest/gtest.h>

namespace residue::text {
namespace {

TEST(Markup, IsEscapedAndAllElseStays) {
  EXPECT_EQ(escape_markup("<a href=\"'x'\">&amp;</a>"),
            "&lt;a href=&quot;&#39;x&#39;&quot;&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(escape_markup("caf\u00e9\n\x1b"), "caf\u00e9\n\x1b");
  EXPECT_EQ(escape_markup(""), "");
}

}  // namespace
}  // namespace residue::text
