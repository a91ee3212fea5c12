// Whoever asks keeps to what it may spend, stops, tells, and takes back what cannot be believed.
#include "verbs/bring_in/asking.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace residue::verbs {
namespace {

TEST(AskingOptions, ReachTheSession) {
  AskingOptions options;
  options.max_calls = 7;
  options.max_cost = 0.5;
  options.no_repeat = true;
  bool silent = false;
  std::uint64_t told = 0;
  options.silence = [&](const auto& silence) { silent = silence.has_value(); };
  options.progress = [&](std::uint64_t done, auto) { told = done; };
  options.interrupted = [] { return true; };
  const model::AskSession session = session_of(options);
  EXPECT_EQ(session.budget.max_calls, 7U);
  EXPECT_EQ(session.budget.max_cost, 0.5);
  EXPECT_TRUE(session.options.no_repeat);
  EXPECT_TRUE(session.options.interrupted());
  session.options.silence(model::Silence{});
  EXPECT_TRUE(silent);
  session.options.progress(3, std::nullopt);
  EXPECT_EQ(told, 3U);
  EXPECT_TRUE(session.options.withdraw) << "what was made of answers falls with them";
}

TEST(AskingOptions, TellRecordsOnlyWhereNobodyIsAsked) {
  AskingOptions options;
  options.progress = [](auto, auto) {};
  options.interrupted = [] { return true; };
  EXPECT_FALSE(storing(options, true).progress);
  EXPECT_TRUE(storing(options, false).progress);
  EXPECT_TRUE(storing(options, true).interrupted());
}

}  // namespace
}  // namespace residue::verbs
