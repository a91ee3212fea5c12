// Does work grow as its text does? Processor time at two sizes decides, so that neither a sanitizer nor what runs
// beside the test matters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

namespace residue::text {

// `work` takes a text: 40 KB and 320 KB of `piece`, again and again. Linear work takes 8 times as long for the second,
// quadratic work 64 times; three times the linear share is room for caches and other processes. Work that is done in a
// twentieth of a second is not compared: a clock cannot.
template <class Work>
testing::AssertionResult takes_linear_time(std::string_view piece, Work work) {
  constexpr std::size_t kBytes = 40'000;
  constexpr double kTimes = 8, kRoom = 3, kTooShort = 0.05;
  const auto seconds = [&](std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    const std::clock_t start = std::clock();
    work(text);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double few = std::min(seconds(kBytes), seconds(kBytes));  // the first one warms up
  const double many = seconds(static_cast<std::size_t>(kTimes) * kBytes);
  if (many <= kTooShort || many <= kTimes * kRoom * few) return testing::AssertionSuccess();
  return testing::AssertionFailure() << few << " s for " << kBytes << " bytes, " << many << " s for " << kTimes
                                     << " times as many";
}

}  // namespace residue::text
