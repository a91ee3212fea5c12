#include "ingest/method/span_masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/mask/random_mask.h"
#include "model/replies/replacements.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

std::string masked(std::string_view text, std::vector<MaskedSpan> spans, Masking masking = Masking::kTag) {
  return mask(text, std::move(spans), masking).text.value();
}

TEST(SpanMasking, ReplacesWhatItIsTold) {
  EXPECT_EQ(masked("Ann met Bob.", {{8, 11, "person", {}}, {0, 3, "person", {}}}), "[PERSON] met [PERSON].");
  EXPECT_EQ(masked("Ann met Ann.", {{8, 11, "person", {}}, {0, 3, "person", {}}, {4, 7, "verb", {}}}, Masking::kToken),
            "[PERSON_1] [VERB_1] [PERSON_1].");
  EXPECT_EQ(masked("Zoë met", {{0, 4, "person", {}}}, Masking::kStars), "*** met");
  EXPECT_EQ(masked("no 12", {{3, 5, "case number", {}}}), "no [CASE_NUMBER]");
  EXPECT_EQ(masked("Ann met", {{0, 3, "person", "Eve"}, {7, 7, "end", " her"}}), "Eve met her");
}

TEST(SpanMasking, ReplacesOverlappingSpansTogether) {
  EXPECT_EQ(masked("Ann Lee Roe met", {{4, 11, "last", {}}, {0, 7, "first", {}}}), "[FIRST] met");
  EXPECT_EQ(masked("Ann Lee met", {{0, 3, "short", {}}, {0, 7, "long", {}}}), "[LONG] met");
  EXPECT_EQ(masked("Ann Lee", {{0, 3, "a", {}}, {3, 7, "b", {}}}), "[A][B]");
  EXPECT_EQ(masked("Ann", {{1, 1, "a", {}}}), "Ann");
  EXPECT_TRUE(mask("Ann", {{0, 3, "a", "Eve"}}, Masking::kTag).spans[0].stands);
  EXPECT_TRUE(mask("Ann", {{0, 3, "a", {}}}, Masking::kToken).spans[0].stands);
  const SanitizeOutput output = mask("Ann Lee", {{4, 7, "a", {}}, {0, 3, "b", {}}}, Masking::kTag);
  EXPECT_EQ(output.spans, (std::vector<Replacement>{{0, 3, "b", "[B]", false}, {4, 7, "a", "[A]", false}}));
}

// Each is put back as it was, since what stands for it is its own.
TEST(SpanMasking, NumbersAFirmOnceWhateverItsLegalForm) {
  const std::string text = "Siemens AG, of Siemens. Bayer AG paid; Siemens Ltd. and Siemens";
  const SanitizeOutput output = mask(text,
                                     {{0, 10, "organisation", {}},
                                      {15, 22, "organisation", {}},
                                      {24, 32, "organisation", {}},
                                      {39, 51, "organisation", {}},
                                      {56, 63, "organisation", {}}},
                                     Masking::kToken);
  EXPECT_EQ(output.text,
            "[ORGANISATION_1] AG, of [ORGANISATION_1]. [ORGANISATION_2] paid; [ORGANISATION_1] Ltd. and "
            "[ORGANISATION_1]");
  const text::Restorer restorer(model::substitutions_in(substitutions_of(output, text).value()), text);
  EXPECT_EQ(restorer.restore(*output.text).text, text);
  // Where the legal form would be found as a name by itself, it goes too.
  EXPECT_EQ(
      masked("Smith Ltd Hospital, Smith", {{0, 9, "organisation", {}}, {20, 25, "organisation", {}}}, Masking::kToken),
      "[ORGANISATION_1] Hospital, [ORGANISATION_2]");
}

// A number that the text has already would stand for two things.
TEST(SpanMasking, LeavesOutTagsThatTheTextHas) {
  EXPECT_EQ(masked("[PERSON_1] met Ann, Bob and Ann; [VERB_2] [PERSON_3]",
                   {{15, 18, "person", {}}, {20, 23, "person", {}}, {28, 31, "person", {}}}, Masking::kToken),
            "[PERSON_1] met [PERSON_2], [PERSON_4] and [PERSON_2]; [VERB_2] [PERSON_3]");
  EXPECT_EQ(masked("Ann [[PERSON_1]", {{0, 3, "person", {}}}, Masking::kToken), "[PERSON_2] [[PERSON_1]");
  EXPECT_EQ(masked("Ann [x PERSON_1] [PERSON_1", {{0, 3, "person", {}}}, Masking::kToken),
            "[PERSON_1] [x PERSON_1] [PERSON_1");
}

std::string drawn(const char* rate, std::string_view key, std::uint64_t seed = 0) {
  const auto sanitizer = make_sanitizer("random-mask", {{{"rate", rate}}, seed});
  return sanitizer->sanitize({key, "one two three four five six seven eight nine ten"}).text.value();
}

TEST(RandomMask, DrawsByRecordAndSeed) {
  EXPECT_EQ(drawn("0", "a"), "one two three four five six seven eight nine ten");
  EXPECT_EQ(drawn("1", "a").find_first_of("aeiou"), std::string::npos);
  EXPECT_EQ(drawn("0.5", "a"), drawn("0.5", "a"));
  EXPECT_NE(drawn("0.5", "a"), drawn("0.5", "b"));
  EXPECT_NE(drawn("0.5", "a", 1), drawn("0.5", "a", 2));
}

TEST(RandomMask, MasksTheShareThatItIsTold) {
  const auto sanitizer = make_sanitizer("random-mask", {{{"rate", "0.2"}, {"replacement", "stars"}}});
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a ";
  const std::string out = sanitizer->sanitize({"k", text}).text.value();
  EXPECT_NEAR(static_cast<double>(std::count(out.begin(), out.end(), '*')), 4'000, 5 * 57);  // 5 standard deviations
}

TEST(RandomMask, RefusesRatesThatAreNone) {
  for (const char* rate : {"-0.1", "1.1", "nan", "", "half"}) EXPECT_THROW(drawn(rate, "a"), Error) << rate;
}

}  // namespace
}  // namespace residue::ingest
