#include "model/asking/waiting.h"

#include <gtest/gtest.h>

#include "model/asking/asker.h"

namespace residue::model {
namespace {

Pending pending(const Question& question, std::uint32_t tries, std::int64_t due_ms) {
  Pending one;
  one.question = &question;
  one.tries = tries;
  one.due_ms = due_ms;
  return one;
}

TEST(Waiting, GivesWhatIsDueBeforeWhatWasNeverSent) {
  const Question a, b;
  Waiting waiting;
  waiting.add(pending(a, 0, 0));
  waiting.repeat(pending(b, 1, 50));
  EXPECT_EQ(waiting.next(50)->question, &b);
  EXPECT_EQ(waiting.next(50)->question, &a);
  EXPECT_FALSE(waiting.next(50));
  EXPECT_TRUE(waiting.empty());
}

// A question on which the server always fails must not be what tries it.
TEST(Waiting, TriesAServerWithWhatFailedTheLeast) {
  const Question bad, worse, fresh;
  Waiting waiting;
  waiting.repeat(pending(worse, 5, 0));
  waiting.repeat(pending(bad, 2, 1'000'000));
  waiting.add(pending(fresh, 0, 0));
  EXPECT_EQ(waiting.to_try()->question, &fresh);
  EXPECT_EQ(waiting.to_try()->question, &bad);
  EXPECT_EQ(waiting.to_try()->question, &worse);
  EXPECT_FALSE(waiting.to_try());
}

}  // namespace
}  // namespace residue::model
