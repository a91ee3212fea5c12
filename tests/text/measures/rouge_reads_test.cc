#include "text/measures/rouge_reads.h"

#include <gtest/gtest.h>

namespace residue::text {
namespace {

TEST(RougeReads, WhatIsMostlyLatinLettersAndDigits) {
  for (const char* text : {"A nurse of 45.", "Zo\u00eb, M\u00fcller", "", "[***] ____ ...", "\u2588\u2588\u2588 \u2014",
                           "2020-01-05", "\u041f\u0451\u0442\u0440 is a nurse"}) {
    EXPECT_TRUE(rouge_reads(text)) << text;
  }
  for (const char* text :
       {"\u041f\u0451\u0442\u0440 45", "\u4ed6\u4f4f\u5728\u5317\u4eac", "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
        "\u0645\u0631\u062d\u0628\u0627", "\u041f\u0451\u0442\u0440 \u0447\u0438\u043d\u0438\u0442 a b c"}) {
    EXPECT_FALSE(rouge_reads(text)) << text;
  }
}

}  // namespace
}  // namespace residue::text
