#include "cli/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"

namespace residue::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

// "what it says | what to do".
std::string refusal(const std::string& toml) {
  try {
    static_cast<void>(parse_config(toml, "config.toml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBadInput);
    EXPECT_FALSE(error.hint().empty());
    return error.what() + std::string(" | ") + error.hint();
  }
  return "";
}

TEST(Config, SaysDefaultsAsWordsOfACommandLine) {
  EXPECT_THAT(
      parse_config("# mine\njudge = \"rouge\"\nseeds = 3\nseed = 0x2a\nprotocol = 'bm25/first:1'\n", "f"),
      ElementsAre(Pair("judge", "rouge"), Pair("protocol", "bm25/first:1"), Pair("seed", "42"), Pair("seeds", "3")));
  EXPECT_TRUE(parse_config("", "f").empty());
  EXPECT_TRUE(parse_config("# judge = 1\n", "f").empty());
}

TEST(Config, RefusesWhatItDoesNotKnowWithTheNearestKeyAndTheLine) {
  EXPECT_THAT(refusal("\n# two\njugde = \"rouge\"\n"),
              HasSubstr("config.toml, line 3: unknown key 'jugde'; did you mean \"judge\"?"));
  EXPECT_THAT(refusal("[models]\njudge = \"rouge\"\n"), HasSubstr("line 1: unknown key 'models'"));
  EXPECT_THAT(refusal("zebra = 1\nseeds = 0\n"), HasSubstr("line 1: unknown key 'zebra' |"));
  EXPECT_THAT(refusal("zz = 1\nyy = 2\n"), HasSubstr("line 1: unknown key 'zz'")) << "the first of the file";
  EXPECT_THAT(refusal("\"a\\u001b\" = 1\n"), Not(HasSubstr("\x1b")));
}

TEST(Config, RefusesValuesOfAnotherTypeOrRange) {
  const struct {
    std::string toml, cause;
  } cases[] = {{"judge = 3", "line 1: judge is no text in quotes | write judge = \"lexical\""},
               {"judge = \"\"", "judge is no text in quotes"},
               {"judge = [\"rouge\"]", "judge is no text in quotes"},
               {"\nmodel = true", "line 2: model is no text in quotes"},
               {"seeds = \"3\"", "seeds is no whole number from 1 to 1000"},
               {"seeds = 0", "seeds is no whole number from 1 to 1000"},
               {"seeds = 1001", "seeds is no whole number from 1 to 1000"},
               {"seeds = 2.0", "seeds is no whole number from 1 to 1000"},
               {"seed = -1", "seed is no whole number from 0 to 9223372036854775807"},
               {"protocol = \"bm26/first:1\"", "line 1: protocol names no attacker"},
               {"protocol = \"bm25/first:1,bm25/last:1\"", "protocol names no attacker"},
               {"seeds = 1\nseeds = 2", "line 2: this is no TOML"},
               {"judge = rouge", "line 1: this is no TOML"}};
  for (const auto& c : cases) EXPECT_THAT(refusal(c.toml), HasSubstr(c.cause)) << c.toml;
}

TEST(Config, NeverQuotesAValue) {
  for (const char* toml : {"judge = sk-SECRET", "model = \"sk-SECRET", "seeds = \"sk-SECRET\"",
                           "protocol = \"sk-SECRET\"", "judge = \"x\"sk-SECRET\n"}) {
    EXPECT_NE(refusal(toml), "") << toml;
    EXPECT_THAT(refusal(toml), Not(HasSubstr("SECRET"))) << toml;
  }
}

class ConfigFile : public ::testing::Test {
 protected:
  ConfigFile() { std::filesystem::create_directory(dir_); }
  ~ConfigFile() override { std::filesystem::remove_all(dir_); }

  std::string refusal() const {
    try {
      static_cast<void>(read_config(dir_));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
      return error.what();
    }
    return "";
  }

  std::filesystem::path dir_ = std::filesystem::path(::testing::TempDir()) / ("config-" + std::to_string(::getpid()));
  std::filesystem::path file_ = dir_ / "config.toml";
};

TEST_F(ConfigFile, ThatIsNotThereSaysNothing) { EXPECT_TRUE(read_config(dir_).empty()); }

TEST_F(ConfigFile, ThatCannotBeReadIsNamed) {
  ::mkfifo(file_.c_str(), 0600);  // nobody ever writes to it
  EXPECT_THAT(refusal(), HasSubstr(file_.string() + " cannot be read: it is no file"));
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_THAT(refusal(), HasSubstr("cannot be read: it is no file"));
  std::filesystem::remove(file_);
  std::ofstream(file_) << std::string(65U << 10U, '#');
  EXPECT_THAT(refusal(), HasSubstr("cannot be read: it is larger than 64 KiB"));
  std::ofstream(file_) << "seeds = 2\nbee = 1\n";
  EXPECT_THAT(refusal(), HasSubstr(file_.string() + ", line 2: unknown key 'bee'"));
}

}  // namespace
}  // namespace residue::cli
