#include "cli/flags/context_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace residue::cli {
namespace {

std::string refused(const std::string& toml) {
  try {
    static_cast<void>(parse_context(toml, "c.toml"));
    return "nothing";
  } catch (const Error& error) {
    return std::string(error.what()) + " / " + error.hint();
  }
}

TEST(ContextFile, HasWhatPeopleSayInTheOrderOfThePage) {
  const page::ReleaseContext context = parse_context(
      "threshold = 0.09\nharm = \"small\"\nrecipient = \"two universities\"\nthreshold_source = \"our board\"",
      "c.toml");
  ASSERT_EQ(context.fields.size(), 3U);
  EXPECT_EQ(context.fields[0].first, "recipient");
  EXPECT_EQ(context.fields[1].second, "small");
  EXPECT_EQ(context.fields[2].second, "0.09, our board");
  EXPECT_EQ(context.threshold, 0.09);
  EXPECT_TRUE(parse_context("", "c.toml").fields.empty());
}

// What somebody wrote may be confidential.
TEST(ContextFile, NamesTheMistakeWithItsLineAndNeverQuotesAValue) {
  EXPECT_EQ(refused("harm = \"x\"\nrecipent = \"secret\"")
                .find("c.toml, line 2: unknown key 'recipent'; did you mean \"recipient\""),
            0U)
      << refused("harm = \"x\"\nrecipent = \"secret\"");
  EXPECT_EQ(refused("recipient = 42").find("c.toml, line 1: recipient is no text in quotes"), 0U);
  for (const char* const toml : {"threshold = 2", "threshold = \"secret\"", "threshold = true", "threshold = -0.1"}) {
    EXPECT_EQ(refused(toml).find("c.toml, line 1: threshold is no number from 0 to 1"), 0U) << toml;
  }
  for (const char* const toml : {"recipient = secret", "recipient = \"secret", "harm = \"a\"\nharm = \"secret\""}) {
    EXPECT_NE(refused(toml).find("this is no TOML"), std::string::npos) << toml;
    EXPECT_EQ(refused(toml).find("secret"), std::string::npos) << toml;
  }
}

}  // namespace
}  // namespace residue::cli
