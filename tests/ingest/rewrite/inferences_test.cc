#include "ingest/rewrite/inferences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ingest/rewrite/span_abstract.h"

namespace residue::ingest {
namespace {

std::vector<Inference> inferred(const char* answer, const char* reasons = "{}") {
  return inferences_of({answer, "", reasons});
}

TEST(Inferences, AreGuessesThatTheTextSpeaksFor) {
  const auto all = inferred(R"({"age":{"certainty":4,"guess":["45","46"]},"income":{"certainty":2,"guess":["no"]},)"
                            R"("job":{"certainty":1,"guess":["nurse"]},"sex":{"certainty":3,"guess":["Unknown."]},)"
                            R"("town":{"certainty":5,"guess":["グラーツ"]}})",
                            R"({"age":"It is said.","job":"A prejudice."})");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].attribute, "age");
  EXPECT_EQ(all[0].reason, "It is said.");
  EXPECT_EQ(all[1].attribute, "income");
  EXPECT_EQ(all[2].guesses, (std::vector<std::string>{"グラーツ"}));
  EXPECT_EQ(inference_words(all),
            "age: 45; 46 (certainty 4 of 5)\n  because: It is said.\nincome: no (certainty 2 of 5)\n"
            "town: グラーツ (certainty 5 of 5)");
}

TEST(Inferences, LeadToAnotherRoundWhileACertaintyIsAboveTheCutoff) {
  struct Case {
    const char* answer;
    int cutoff;
    bool goes_on;
  };
  const Case cases[] = {{R"({})", 1, false},
                        {R"({"age":{"certainty":1,"guess":["45"]}})", 1, false},
                        {R"({"age":{"certainty":2,"guess":["45"]}})", 1, true},
                        {R"({"age":{"certainty":2,"guess":["45"]}})", 2, false},
                        {R"({"age":{"certainty":2,"guess":["45"]},"sex":{"certainty":3,"guess":["male"]}})", 2, true},
                        {R"({"age":{"certainty":5,"guess":["n/a"]}})", 1, false},
                        {R"({"age":{"certainty":4,"guess":["45"]}})", 4, false},
                        {R"({"age":{"certainty":5,"guess":["45"]}})", 4, true}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.answer);
    EXPECT_EQ(another_round(inferred(one.answer), one.cutoff), one.goes_on) << one.cutoff;
  }
}

// "begin-end:type" of each.
std::vector<std::string> found(std::string_view text, const std::vector<Passage>& passages) {
  std::vector<std::string> all;
  for (const MaskedSpan& span : passages_in(text, passages)) {
    all.push_back(fmt::format("{}-{}:{}", span.begin, span.end, span.type));
  }
  return all;
}

TEST(Passages, StandWhereNoWordGoesOn) {
  using Found = std::vector<std::string>;
  EXPECT_EQ(found("Ann, Annie and Ann", {{"Ann", "name"}}), (Found{"0-3:name", "15-18:name"}));
  EXPECT_TRUE(found("nurses", {{"nurse", "job"}}).empty()) << "it is nowhere a word of its own";
  EXPECT_EQ(found("a 27 year old nurse", {{"old nurse", "job"}, {"27 year old", "age"}}), (Found{"2-19:age"}));
  EXPECT_EQ(found("27, 27", {{"27", "age"}, {"27, 27", "ages"}}), (Found{"0-6:ages"}));
  EXPECT_EQ(found("#1 and 1", {{"#1", "rank"}}), (Found{"0-2:rank"}));
  EXPECT_TRUE(found("text", {}).empty());
}

}  // namespace
}  // namespace residue::ingest
