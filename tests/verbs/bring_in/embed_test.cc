// embed: vectors by a server, each text once.
#include "verbs/bring_in/embed.h"

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using Embed = AskingStore;

TEST_F(Embed, AsksForVectorsOnce) {
  add(server_, "vectors", true);
  add_claims("claims");
  EmbedOptions options;
  options.what.dataset = "d";
  options.with = "vectors";
  const EmbedResult made = embed(store(), options);
  EXPECT_EQ(made.counts.texts, 6U) << "two originals, and two claims of each";
  EXPECT_EQ(made.counts.embedded, 6U);
  EXPECT_GT(made.asked.requests, 0U);
  const EmbedResult again = embed(store(), options);
  EXPECT_EQ(again.counts.known, 6U);
  EXPECT_EQ(again.asked.requests, 0U);
  options.with = "local";
  EXPECT_EQ(ended_with([&] { embed(store(), options); }).first, 2) << "it answers questions";
}

}  // namespace
}  // namespace residue::verbs
