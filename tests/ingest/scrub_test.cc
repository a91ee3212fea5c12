#include "ingest/scrub.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace residue::ingest {
namespace {

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

TEST(Scrub, TokensAreConsistentWithinARecord) {
  EXPECT_EQ(scrubbed("a@b.org, c@d.org, a@b.org, www.a.org", Masking::kToken),
            "[EMAIL_1], [EMAIL_2], [EMAIL_1], [URL_1]");
}

TEST(Scrub, OnlyTheTypesThatWereAskedFor) {
  text::EntitySet types;
  types.insert(text::EntityType::kEmail);
  EXPECT_EQ(scrub("a@b.org on 2021-03-03", {Masking::kTag, types}).text, "[EMAIL] on 2021-03-03");
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

rc::Gen<std::string> nasty_text() {
  static const std::vector<std::string> kPieces{"a@b.org",
                                                "@",
                                                ".",
                                                ",",
                                                " ",
                                                " ",
                                                " ",
                                                "-",
                                                "/",
                                                ":",
                                                "+",
                                                "(",
                                                ")",
                                                "12",
                                                "2021",
                                                "12345678",
                                                "03",
                                                "0",
                                                "March",
                                                "May ",
                                                "Dr. ",
                                                "Ana",
                                                "de ",
                                                "aged ",
                                                "45-year-old",
                                                " years old",
                                                "www.a.org",
                                                "https://x.y/",
                                                "x",
                                                "é",
                                                "\xC2\xA0",
                                                "日本",
                                                "DE89370400440532013000",
                                                "4111111111111111",
                                                "tel ",
                                                "'s",
                                                "mg",
                                                "192.0.2.1",
                                                "_",
                                                "3 March 2021",
                                                "[",
                                                "]",
                                                "Smith",
                                                "Oslo ",
                                                "Reading",
                                                "Will ",
                                                "Ltd.",
                                                "Street ",
                                                "University of ",
                                                "in ",
                                                "lives in ",
                                                "passport ",
                                                "$",
                                                "14:05",
                                                "zip ",
                                                "123-45-6789",
                                                "MRN "};
  return rc::gen::map(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, kPieces.size())),
                      [](const std::vector<std::size_t>& picks) {
                        std::string text;
                        for (const std::size_t pick : picks) text += kPieces[pick];
                        return text;
                      });
}

RC_GTEST_PROP(Scrub, IsIdempotentWithTags, ()) {
  const std::string once = scrubbed(*nasty_text());
  RC_ASSERT(scrubbed(once) == once);
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

RC_GTEST_PROP(Scrub, IsIdempotentWithTokens, ()) {
  const std::string once = scrubbed(*nasty_text(), Masking::kToken);
  RC_ASSERT(scrubbed(once, Masking::kToken) == once);
}

}  // namespace
}  // namespace residue::ingest
