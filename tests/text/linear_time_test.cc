// The yardstick of the tests on hostile texts can say no.
#include "tests/text/linear_time.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace residue::text {
namespace {

volatile std::size_t sink = 0;  // so that the loops below are not left out

TEST(LinearTime, IsWhatOneScanTakes) {
  EXPECT_TRUE(takes_linear_time("ab ", [](const std::string& text) {
    for (int again = 0; again < 400; ++again) {
      for (const char c : text) sink = sink + static_cast<unsigned char>(c);
    }
  }));
}

TEST(LinearTime, IsNotWhatAScanForEachLineTakes) {
  EXPECT_FALSE(takes_linear_time("abcdefghijklmn ", [](const std::string& text) {
    for (std::size_t at = 0; at < text.size(); at += 150) {
      for (const char c : text) {
        if (c == '?') sink = sink + 1;
      }
    }
  }));
}

}  // namespace
}  // namespace residue::text
