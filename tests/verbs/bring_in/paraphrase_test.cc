// paraphrase: from one claim set into another.
#include "verbs/bring_in/paraphrase.h"

#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using Paraphrase = AskingStore;

TEST_F(Paraphrase, SaysEachClaimInOtherWords) {
  add_claims("claims");
  ParaphraseOptions options;
  options.dataset = "d";
  options.set = "claims";
  options.into = "said";
  options.with = "local";
  std::uint64_t told = 0;
  options.asking.progress = [&](std::uint64_t done, auto) { told = done; };
  const Asked made = paraphrase(store(), options);
  EXPECT_EQ(made.result.counts.fresh, 2U);
  EXPECT_EQ(made.asked->saved, 4U);
  EXPECT_EQ(told, 4U);
  EXPECT_EQ(rows("SELECT count(*), count(DISTINCT c.text_id) FROM claim c").front(), "8|8");
  options.into = "claims";
  EXPECT_EQ(ended_with([&] { paraphrase(store(), options); }).first, 2) << "these are claims of files";
}

}  // namespace
}  // namespace residue::verbs
