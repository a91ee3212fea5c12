#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/help.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

using ::testing::HasSubstr;

Globals globals_of(const std::vector<std::string>& arguments) { return parse(sort_words(arguments)).globals; }

std::string complaint(const std::vector<std::string>& arguments) {
  try {
    parse(sort_words(arguments));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
  return {};
}

TEST(Arguments, TakeGlobalFlagsBeforeAndAfterTheCommand) {
  const std::vector<std::vector<std::string>> same = {{"--store", "x", "--json", "-q", "info"},
                                                      {"info", "--store", "x", "--json", "-q"},
                                                      {"--store=x", "info", "--format", "json", "--quiet"},
                                                      {"-q", "--store", "x", "info", "--json"}};
  for (const auto& words : same) {
    SCOPED_TRACE(words[0]);
    const Globals globals = globals_of(words);
    EXPECT_EQ(globals.store, "x");
    EXPECT_EQ(globals.format, Format::kJson);
    EXPECT_TRUE(globals.quiet);
  }
}

// CLI11 alone takes -1 for a great number, 010 for 8, and an empty word for 0.
TEST(Arguments, TakeNumbersWithinTheirRangeOnly) {
  const std::vector<std::string> sanitize = {"sanitize", "d", "--with", "random-mask", "--run", "r", "--seed"};
  const auto seed = [&](const std::string& word) {
    std::vector<std::string> words = sanitize;
    words.push_back(word);
    return complaint(words);
  };
  const std::string range = " is no whole number from 0 to 9223372036854775807";
  for (const char* good : {"0", "7", "010", "9223372036854775807"}) EXPECT_EQ(seed(good), "") << good;
  for (const char* bad : {"-1", "9223372036854775808", "99999999999999999999999", "1.5", "0x10", "1e3", "nan", " 1"}) {
    EXPECT_EQ(seed(bad), "sanitize: --seed: " + (bad + range));
  }
  EXPECT_EQ(seed(""), "sanitize: --seed: \"\"" + range);
  EXPECT_EQ(complaint({"leaks", "d/r", "--limit", "-1"}), "leaks: --limit: -1" + range);
  EXPECT_EQ(complaint({"eval", "--seeds", "0"}), "eval: --seeds: 0 is no whole number from 1 to 1000");
  EXPECT_EQ(complaint({"eval", "--seeds", "nan"}), "eval: --seeds: nan is no whole number from 1 to 1000");
  EXPECT_EQ(complaint({"--jobs", "-1", "info"}), "info: --jobs: -1 is no whole number from 0 to 4294967295");
  EXPECT_EQ(complaint({"sql", "SELECT 1", "--timeout", "nan"}), "sql: --timeout: nan is no number from 0.1 to 86400");
  EXPECT_EQ(complaint({"sql", "SELECT 1", "--timeout", "0.5"}), "");
  EXPECT_EQ(complaint({"ingest", "run", "d/r", "f", "--seed", "-1"}), "") << "what another program was given";
  EXPECT_EQ(complaint({"ingest", "run", "d/r", "f", "--seed", "9223372036854775808"}),
            "ingest run: --seed: 9223372036854775808 is no whole number from -9223372036854775808 to "
            "9223372036854775807");
}

TEST(Arguments, FindTwoWordCommandsAroundFlags) {
  const Words words = sort_words({"--jobs", "2", "text", "--format", "json", "rouge", "file"});
  ASSERT_NE(words.command, nullptr);
  EXPECT_EQ(words.command->name, "text rouge");
  EXPECT_EQ(parse(words).globals.jobs, 2U);
}

TEST(Arguments, ReadCsvWithAndWithoutItsVariant) {
  EXPECT_FALSE(globals_of({"info", "--csv"}).spreadsheet);
  EXPECT_EQ(globals_of({"info", "--csv"}).format, Format::kCsv);
  EXPECT_TRUE(globals_of({"info", "--csv=spreadsheet"}).spreadsheet);
  EXPECT_TRUE(globals_of({"--csv=spreadsheet", "info"}).spreadsheet);
}

TEST(Arguments, ReadHowCsvIsWritten) {
  const struct {
    std::string word;
    char separator;
  } cases[] = {{"comma", ','}, {"semicolon", ';'}, {";", ';'}, {",", ','}, {"tab", '\t'}, {"\t", '\t'}};
  for (const auto& c : cases) EXPECT_EQ(globals_of({"info", "--csv", "--separator", c.word}).separator, c.separator);
  EXPECT_EQ(globals_of({"--separator", ";", "info", "--csv"}).separator, ';') << "in front of the command";
  EXPECT_FALSE(globals_of({"info", "--csv"}).bom);
  EXPECT_TRUE(globals_of({"info", "--csv", "--bom"}).bom);
  EXPECT_THAT(complaint({"info", "--csv", "--separator", "semicolom"}), HasSubstr("did you mean \"semicolon\"?"));
  EXPECT_THAT(complaint({"info", "--bom"}), HasSubstr("--bom is about csv"));
  EXPECT_THAT(complaint({"info", "--json", "--separator", ";"}), HasSubstr("--separator is about csv"));
}

TEST(Arguments, APagerIsForCommandsThatPrintToBeRead) {
  EXPECT_TRUE(globals_of({"report"}).paged);
  EXPECT_FALSE(globals_of({"report", "--no-pager"}).paged);
  EXPECT_FALSE(globals_of({"eval"}).paged);
}

TEST(Arguments, TakeTheStoreFromTheEnvironmentUnlessNamed) {
  ::setenv("RESIDUE_STORE", "from-env", 1);
  EXPECT_EQ(globals_of({"info"}).store, "from-env");
  EXPECT_EQ(globals_of({"info", "--store", "named"}).store, "named");
  ::unsetenv("RESIDUE_STORE");
  EXPECT_FALSE(globals_of({"info"}).store.has_value());
}

TEST(Arguments, NameTheNearestFlagOrCommand) {
  EXPECT_THAT(complaint({"info", "--jsno"}), HasSubstr("unknown flag --jsno; did you mean --json?"));
  EXPECT_THAT(complaint({"text", "rouge", "--nostem"}), HasSubstr("did you mean --no-stem?"));
  EXPECT_THAT(complaint({"inof"}), HasSubstr("did you mean info?"));
  EXPECT_THAT(complaint({"--strore=x", "info"}), HasSubstr("unknown flag --strore; did you mean --store?"));
  EXPECT_THAT(complaint({"info", "too", "many"}), HasSubstr("does not take the argument 'too'"));
}

TEST(Arguments, AfterTwoDashesAreNoFlags) {
  const Words words = sort_words({"text", "rouge", "--", "--help"});
  EXPECT_FALSE(words.help);
  EXPECT_EQ(complaint({"text", "rouge", "--", "--file"}), "");
}

TEST(Arguments, ARepeatedFlagLeavesPositionalsAlone) {
  static std::vector<std::string> maps, files;
  Command command;
  command.name = "map";
  command.setup = [](Syntax& syntax) -> cli::Run {
    syntax.repeated("--map", maps, "");
    syntax.add("FILE", files, "");
    return {};
  };
  Words words;
  words.command = &command;
  words.rest = {"--map", "a=b", "f1", "--map", "c=d", "f2"};
  parse(words);
  EXPECT_THAT(maps, ::testing::ElementsAre("a=b", "c=d"));
  EXPECT_THAT(files, ::testing::ElementsAre("f1", "f2"));
}

TEST(Commands, AreCompleteAndDoNotRedefineGlobalFlags) {
  std::set<std::string> names;
  for (const Command& command : commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_TRUE(names.insert(command.name).second);
    EXPECT_FALSE(command.summary.empty());
    EXPECT_NE(command.summary.back(), '.');
    EXPECT_LE(command.summary.size(), 70U);
    ASSERT_FALSE(command.examples.empty());
    for (const Example& example : command.examples) {
      EXPECT_THAT(example.line, HasSubstr("residue"));
      EXPECT_FALSE(example.does.empty());
    }
    std::set<std::string> words;
    for (const auto& options : {options_of(command), global_options()}) {
      for (const OptionHelp& option : options) {
        EXPECT_FALSE(option.description.empty()) << option.names;
        EXPECT_TRUE(words.insert(option.names.substr(0, option.names.find_first_of(" ,"))).second) << option.names;
      }
    }
    EXPECT_THAT(help_for(command), HasSubstr("usage: residue " + command.name));
    // The globals and the command's own together are an app that CLI11 accepts.
    Words asked;
    asked.command = &command;
    asked.rest = {"--no-such-flag"};
    try {
      parse(asked);
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("--no-such-flag"));
    }
  }
}

}  // namespace
}  // namespace residue::cli
