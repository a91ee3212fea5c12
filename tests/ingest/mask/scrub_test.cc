#include "ingest/mask/scrub.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/text/linear_time.h"
#include "tests/text/nasty_text.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

using text::nasty_text;

std::string scrubbed(std::string_view text, Masking replacement = Masking::kTag) {
  return scrub(text, {replacement, text::EntitySet::all()}).text.value();
}

TEST(Scrub, ReplacesByTags) {
  EXPECT_EQ(scrubbed("Dr. Ana Ruiz (ana@example.org) saw a 45-year-old nurse on 3 March 2021."),
            "[NAME] ([EMAIL]) saw a [AGE] nurse on [DATE].");
  EXPECT_EQ(scrubbed("Pressure 120/80, 500 mg twice a day."), "Pressure 120/80, 500 mg twice a day.");
  EXPECT_EQ(scrubbed(""), "");
}

TEST(Scrub, StarsKeepTheNumberOfCodePoints) { EXPECT_EQ(scrubbed("by Dr Söder.", Masking::kStars), "by ********."); }

// Stars are no end of a sentence's part: "zip" announces what stands behind them.
TEST(Scrub, LooksAgainThroughStars) {
  EXPECT_EQ(scrubbed("zip $123-45-6789", Masking::kStars), "zip ****-*******");
  EXPECT_EQ(scrubbed("zip $123-45-6789"), "zip [MONEY]-45-6789");
}

TEST(Scrub, TokensAreConsistentWithinARecord) {
  EXPECT_EQ(scrubbed("a@b.org, c@d.org, a@b.org, www.a.org", Masking::kToken),
            "[EMAIL_1], [EMAIL_2], [EMAIL_1], [URL_1]");
}

TEST(Scrub, OnlyTheTypesThatWereAskedFor) {
  text::EntitySet types;
  types.insert(text::EntityType::kEmail);
  EXPECT_EQ(scrub("a@b.org on 2021-03-03", {Masking::kTag, types}).text, "[EMAIL] on 2021-03-03");
}

TEST(Scrub, FollowsNames) {
  EXPECT_EQ(scrubbed("Mr Cengiz Polat was arrested. Polat's lawyer, Mr F.L., saw POLAT. Then F.L. left the Ministry."),
            "[NAME] was arrested. [NAME]'s lawyer, [NAME], saw [NAME]. Then [NAME] left the Ministry.");
  EXPECT_EQ(scrubbed("Mr Polat met Polat", Masking::kStars), "******** met *****");
}

// What would not be replaced competes too: a name is not followed into an address that stays.
TEST(Scrub, AskingForFewerTypesChangesNoOther) {
  text::EntitySet types;
  types.insert(text::EntityType::kName);
  EXPECT_EQ(scrub("Mr Polat (polat@x.org), polat", {Masking::kTag, types}).text, "[NAME] (polat@x.org), [NAME]");
  types.erase(text::EntityType::kName);
  types.insert(text::EntityType::kEmail);
  EXPECT_EQ(scrub("Mr Polat (polat@x.org), Polat", {Masking::kTag, types}).text, "Mr Polat ([EMAIL]), Polat");
}

TEST(Scrub, SpansRebuildTheOutput) {
  const std::string text = "MRN 40718823, Mrs Smith, aged 34.";
  const SanitizeOutput output = scrub(text, {});
  ASSERT_EQ(output.spans.size(), 3U);
  EXPECT_EQ(output.spans[0], (Replacement{4, 12, "file", "[FILE]"}));
  std::string rebuilt = text;
  for (auto span = output.spans.rbegin(); span != output.spans.rend(); ++span) {
    rebuilt.replace(span->begin, span->end - span->begin, span->with);
  }
  EXPECT_EQ(rebuilt, output.text);
}

TEST(Scrub, FindsWhatAnIdentifierBesideItHid) {
  const std::string text = "x 1234567/www.a.org aged 34";
  const SanitizeOutput output = scrub(text, {});
  EXPECT_EQ(output.text, "x [NUMBER]/[URL] [AGE]");
  ASSERT_EQ(output.spans.size(), 3U);
  EXPECT_EQ(text.substr(output.spans[0].begin, output.spans[0].end - output.spans[0].begin), "1234567");
  EXPECT_EQ(text.substr(output.spans[2].begin, output.spans[2].end - output.spans[2].begin), "aged 34");
}

// Texts of whole characters, and texts that were cut inside one.
RC_GTEST_PROP(Scrub, IsIdempotent, ()) {
  const std::string text = *nasty_text(*rc::gen::arbitrary<bool>());
  for (const Masking masking : {Masking::kTag, Masking::kToken, Masking::kStars}) {
    const std::string once = scrubbed(text, masking);
    RC_ASSERT(scrubbed(once, masking) == once);
  }
}

// What was replaced by a tag with a number is what is put back, whatever tags the text had before.
RC_GTEST_PROP(Scrub, TokensAreUndone, ()) {
  const std::string text = *nasty_text();
  const SanitizeOutput output = scrub(text, {Masking::kToken, text::EntitySet::all()});
  text::Substitutions table;
  for (const Replacement& span : output.spans)
    table.emplace_back(text.substr(span.begin, span.end - span.begin), span.with);
  RC_ASSERT(text::Restorer(table, text).restore(*output.text).text == text);
}

RC_GTEST_PROP(Scrub, SpansAreSortedAndRebuildTheOutput, ()) {
  const std::string text = *nasty_text();
  const SanitizeOutput output = scrub(text, {});
  std::string rebuilt;
  std::size_t done = 0;
  for (const Replacement& span : output.spans) {
    RC_ASSERT(span.begin >= done && span.end > span.begin && span.end <= text.size());
    rebuilt += text.substr(done, span.begin - done) + span.with;
    done = span.end;
  }
  RC_ASSERT(rebuilt + text.substr(done) == output.text.value());
}

TEST(Scrub, TakesLinearTimeOnHostileTexts) {
  for (const char* piece : {"1", "@", ".", "A ", "[", "[1]", "]", "1234567/", "a@b.org", "no. 1/0512, ", "Anna-", "\"",
                            "\u2011", "www.a.org/www.", "5-", "1990 and ", "Mr Polat Rose "}) {
    for (const Masking masking : {Masking::kToken, Masking::kStars}) {
      SCOPED_TRACE(piece);
      EXPECT_TRUE(text::takes_linear_time(piece, [&](const std::string& text) { scrubbed(text, masking); }));
    }
  }
}

}  // namespace
}  // namespace residue::ingest
