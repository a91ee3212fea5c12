// model test: what a server understands, how much it reads, and what is kept of that.
#include "verbs/models/test_model.h"

#include <string>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

class TestModel : public AskingStore {
 protected:
  TestedModel test(const std::string& name, std::uint64_t words = 0) {
    TestModelOptions options;
    options.name = name;
    options.words = words;
    options.long_passages_follow = [this](const model::LengthCost& most) { tokens_ = most.tokens; };
    return test_model(store(), options);
  }
  std::uint64_t tokens_ = 0;  // that long passages were said to cost
};

TEST_F(TestModel, SaysWhetherAServerAnswers) {
  const TestedModel tested = test("local");
  EXPECT_TRUE(tested.answers);
  EXPECT_FALSE(tested.probes.empty());
  EXPECT_EQ(tokens_, 0U) << "no long passage was asked for";
  require_use(tested);
  server_.always("html");
  const TestedModel useless = test("local");
  EXPECT_FALSE(useless.answers);
  const auto [code, says] = ended_with([&] { require_use(useless); });
  EXPECT_EQ(code, 74);
  EXPECT_EQ(says, "model local gives no usable answer in the form json_schema");
  EXPECT_EQ(ended_with([&] { test("nobody"); }).first, 3);
}

TEST_F(TestModel, KeepsHowMuchTheServerReads) {
  server_.always("context-2000");
  const TestedModel tested = test("local", 4'000);
  EXPECT_TRUE(tested.answers);
  EXPECT_GT(tokens_, 0U);
  EXPECT_FALSE(tested.endpoint.transport.longest_prompt) << "as it was before";
  const auto kept = model::find_endpoint(store().db(), "local").transport.longest_prompt;
  ASSERT_TRUE(kept);
  EXPECT_LT(*kept, 4'000);
  EXPECT_EQ(tested.beyond.answers, 0U);
}

}  // namespace
}  // namespace residue::verbs
