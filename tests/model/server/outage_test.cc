#include "model/server/outage.h"

#include <gtest/gtest.h>

namespace residue::model {
namespace {

constexpr double kLongest = 1.0;  // draw() comes close to it

TEST(Outage, PausesLongerWithEveryRequestThatTriesInVain) {
  Outage outage({});
  EXPECT_FALSE(outage.going_on());
  std::int64_t now = 5'000, sent = 5'000;
  for (const std::int64_t pause : {1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000, 60'000}) {
    outage.failed(sent, now, Millis(0), kLongest);
    EXPECT_TRUE(outage.going_on());
    EXPECT_EQ(outage.paused_until_ms(), now + pause);
    now = sent = outage.paused_until_ms();
  }
  outage.succeeded();
  EXPECT_FALSE(outage.going_on());
  EXPECT_LE(outage.paused_until_ms(), now);
  outage.failed(now, now, Millis(0), 0);
  EXPECT_EQ(outage.paused_until_ms(), now + 500) << "half of it at least";
}

TEST(Outage, TakesWhatFailedTogetherForOneFailure) {
  Outage outage({});
  for (int i = 0; i < 64; ++i) outage.failed(900, 1'000 + i, Millis(0), kLongest);
  EXPECT_EQ(outage.pauses(), 1U);
  EXPECT_EQ(outage.paused_until_ms(), 2'000);
  outage.failed(2'000, 2'100, Millis(0), kLongest);
  EXPECT_EQ(outage.pauses(), 2U);
}

TEST(Outage, WaitsAsTheServerAsksWhateverElseIsAnswered) {
  Outage outage({});
  outage.failed(0, 100, Millis(7'000), 0);
  EXPECT_EQ(outage.paused_until_ms(), 7'100);
  outage.succeeded();
  EXPECT_FALSE(outage.going_on());
  EXPECT_EQ(outage.paused_until_ms(), 7'100);
}

TEST(Outage, EndsAfterItsPatienceWhateverTheNumberOfFailures) {
  RetryPolicy policy;
  policy.patience = Millis(1'000);
  Outage few(policy), many(policy);
  few.failed(100, 100, Millis(0), 0);
  for (int i = 0; i < 500; ++i) many.failed(100 + i, 100 + i, Millis(0), 0);
  for (const Outage* outage : {&few, &many}) {
    EXPECT_FALSE(outage->hopeless(1'099));
    EXPECT_TRUE(outage->hopeless(1'100));
  }
  many.succeeded();
  EXPECT_FALSE(many.hopeless(10'000));
  EXPECT_EQ(many.successes(), 1U);
}

}  // namespace
}  // namespace residue::model
