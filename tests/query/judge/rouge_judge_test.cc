#include "query/judge/rouge_judge.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue::query {
namespace {

std::optional<Rating> rate(std::string_view passage, std::string_view claim) {
  const Request request{passage, {claim}};
  return RougeJudge().rate({&request, 1})[0][0];
}

TEST(RougeJudge, RatesByTheShareOfTheClaimFoundInOrder) {
  struct Case {
    std::string_view passage;
    std::string_view claim;
    int rating;
    double score;
  };
  const Case cases[] = {
      {"a b c d e f g h i j", "a b c d e f g h i j", 1, 1.0},
      {"a b c d e f g", "a b c d e f g x y z", 1, 0.7},
      {"a b c d e f", "a b c d e f w x y z", 2, 0.6},
      {"a b c d", "a b c d u v w x y z", 2, 0.4},
      {"a b c", "a b c t u v w x y z", 3, 0.3},
      {"g f e d c b a", "a b c d e f g", 3, 1.0 / 7},
      {"The dogs were running.", "dog run", 1, 1.0},
      {"A dog.", "", 0, 0},
      {"A dog.", " \n", 0, 0},
      {"", "a dog", 3, 0.0},
      {"What ?!", "?!", 1, 1.0},
      {"What", "?!", 3, 0.0},
      {"45 people", "\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 45", 0, 0.0},
      {"\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82", "a patient", 0, 0.0},
      {"[***] ___", "a patient", 3, 0.0},
      {"\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 45 ...",
       "\xD0\x9F\xD0\xB0\xD1\x86\xD0\xB8\xD0\xB5\xD0\xBD\xD1\x82 45.", 1, 1.0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.claim);
    const auto found = rate(c.passage, c.claim);
    EXPECT_EQ(found ? found->rating : 0, c.rating);
    EXPECT_DOUBLE_EQ(found ? found->score : 0, c.score);
  }
}

TEST(RougeJudge, TakesAccentsForNothing) {
  for (const auto& [passage, claim] : {std::pair("Élodie lives in Zürich.", "Elodie lives in Zurich."),
                                       std::pair("Elodie lives in Zurich.", "E\u0301lodie lives in Zu\u0308rich.")}) {
    EXPECT_EQ(rate(passage, claim), (Rating{1, 1.0})) << passage;
    EXPECT_EQ(rate(claim, passage), (Rating{1, 1.0})) << claim;
  }
}

TEST(RougeJudge, KeepsItsSpec) {
  EXPECT_EQ(RougeJudge().spec(),
            R"({"claims_per_request":1,"decoding":3,"judge":"rouge","stemmer":"porter-nltk","thresholds_tenths":[7,4],)"
            R"("unseen":"failed","version":"rouge-l-recall-v3"})");
}

TEST(RougeJudge, ExplainsWhatIsMissing) {
  const auto e = RougeJudge().explain("The dog barks.", "The dog sleeps deeply");
  EXPECT_EQ(e.rating, 2);
  EXPECT_EQ(e.unsupported, (std::vector<std::string>{"sleep", "deepli"}));
  EXPECT_EQ(e.window_end, 14U);
}

}  // namespace
}  // namespace residue::query
