// egress: sums of what was sent, and models that changed behind their names.
#include "verbs/models/egress.h"

#include "tests/verbs/asking_store.h"
#include "verbs/bring_in/atomize.h"

namespace residue::verbs {
namespace {

using EgressSums = AskingStore;

TEST_F(EgressSums, AreOfWhatWasSent) {
  EXPECT_TRUE(egress(store()).sums.empty());
  AtomizeOptions options;
  options.target.dataset = "d";
  options.with = "local";
  atomize(store(), options);
  const Egress all = egress(store());
  ASSERT_EQ(all.sums.size(), 1U);
  EXPECT_EQ(all.sums.front().model, "local");
  EXPECT_EQ(all.sums.front().requests, 2U);
  EXPECT_TRUE(all.sums.front().loopback);
  EXPECT_EQ(all.uncounted_usd, 0);
  EXPECT_TRUE(all.swapped.empty());
}

}  // namespace
}  // namespace residue::verbs
