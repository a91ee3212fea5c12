// restore: row by row, by code or by a model.
#include "verbs/bring_in/restore.h"

#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

class Restore : public AskingStore {
 protected:
  Restore() {
    std::vector<ingest::VariantRow> variants(2);
    variants[0].key = "a";
    variants[0].text = "Ruth, 45, keeps bees. She has two dogs.";
    variants[0].substitutions = R"([["Ann","Ruth"]])";
    variants[1].key = "b";
    variants[1].text = "Bob repairs clocks. He is ill.";
    RunOptions run;
    run.dataset = "d";
    run.run = "r";
    run.rows = variants;
    ingest_run(store(), run);
    options_.dataset = "d";
    options_.run = "r";
    options_.source.path = file("said.jsonl", R"({"id":"a","text":"Dear Ruth, bees it is."})"
                                              "\n");
    options_.row = [this](const ingest::RestoredRow& row) { texts_.push_back(row.key + " " + row.text.value_or("?")); };
  }

  RestoreOptions options_;
  std::vector<std::string> texts_;
};

TEST_F(Restore, PutsTheOriginalsBack) {
  const RestoreResult restored = restore(store(), options_);
  EXPECT_EQ(texts_, std::vector<std::string>{"a Dear Ann, bees it is."});
  EXPECT_EQ(restored.counts.put_back, 1U);
  EXPECT_EQ(restored.counts.changed, 1U);
  EXPECT_FALSE(restored.asked);
  EXPECT_EQ(server_.requests(), 0U);
}

TEST_F(Restore, AsksTheModelThatIsNamed) {
  options_.with = "local";
  const RestoreResult restored = restore(store(), options_);
  EXPECT_EQ(texts_, std::vector<std::string>{"a Dear Ann, bees it is."});
  ASSERT_TRUE(restored.asked);
  EXPECT_EQ(restored.asked->requests, 1U);
}

TEST_F(Restore, RefusesInstructionsWithoutAModelAndARunWithoutReplacements) {
  options_.instructions = "Put them back.";
  EXPECT_EQ(ended_with([&] { check(options_); }).second, "--template means nothing without --with");
  options_.instructions.reset();
  add_run("plain", "Somebody keeps bees.", "A man is ill.");
  options_.run = "plain";
  EXPECT_EQ(ended_with([&] { restore(store(), options_); }).first, 2);
}

}  // namespace
}  // namespace residue::verbs
