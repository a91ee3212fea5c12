#include "query/judge/dictionary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "query/agree/judge_selftest.h"
#include "query/agree/validation.h"
#include "query/judge/lexical_judge.h"
#include "storage/disk/files.h"
#include "tests/text/mini_wordnet.h"

namespace residue::query {
namespace {

namespace fs = std::filesystem;

// Points RESIDUE_WORDNET to a folder of its own.
class DictionaryTest : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("residue-wordnet-" + to_hex(random_bytes(8)));
    fs::create_directory(dir_);
    setenv("RESIDUE_WORDNET", dir_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("RESIDUE_WORDNET");
    fs::remove_all(dir_);
  }
  void install(const text::WordNetFiles& files) {
    for (std::size_t i = 0; i < text::kWordClasses; ++i) {
      const std::string part(text::kWordNetClasses[i]);
      std::ofstream(dir_ / ("index." + part)) << files.index[i];
      std::ofstream(dir_ / ("data." + part)) << files.data[i];
      std::ofstream(dir_ / (part + ".exc")) << files.exceptions[i];
    }
  }
  fs::path dir_;
};

int rating(const Judge& judge, std::string_view passage, std::string_view claim) {
  const Request request{passage, {claim}};
  return judge.rate({&request, 1})[0][0]->rating;
}

TEST_F(DictionaryTest, NotInstalledIsAnErrorThatSaysWhatToDo) {
  try {
    make_judge(kLexicalWordNet);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_NE(error.hint().find("wordnet-base"), std::string::npos);
    EXPECT_NE(error.hint().find("RESIDUE_WORDNET"), std::string::npos);
  }
  EXPECT_EQ(installed_judge(kLexicalWordNet), nullptr);
  EXPECT_EQ(installed_judge("nobody"), nullptr);
}

TEST_F(DictionaryTest, InstallingOneChangesNothingOfTheLexicalJudge) {
  const std::string before = make_judge("lexical")->spec();
  install(text::testing::mini_files());
  const auto lexical = make_judge("lexical");
  EXPECT_EQ(lexical->spec(), before);
  EXPECT_EQ(rating(*lexical, "He bought a car.", "He bought an automobile."), 2);
  EXPECT_EQ(rating(*make_judge(kLexicalWordNet), "He bought a car.", "He bought an automobile."), 1);
}

TEST_F(DictionaryTest, IsInTheSpec) {
  install(text::testing::mini_files());
  const auto judge = make_judge(kLexicalWordNet);
  EXPECT_EQ(judge->name(), kLexicalWordNet);
  EXPECT_TRUE(judge->embedded());
  const auto spec = nlohmann::json::parse(judge->spec());
  EXPECT_EQ(spec.dump(), judge->spec());
  EXPECT_EQ(spec["judge"], "lexical-wordnet");
  std::string digests;
  for (const char* part : {"noun", "verb", "adj", "adv"}) {
    for (const char* name : {"index.{}", "data.{}", "{}.exc"}) {
      digests += storage::sha256_file(dir_ / fmt::format(fmt::runtime(name), part));
    }
  }
  EXPECT_EQ(spec["wordnet"]["files"], to_hex(sha256(digests)));
  EXPECT_EQ(spec["wordnet"]["values"], nlohmann::json::parse("[14, 13, 12, 10, 7, 0]"));
  EXPECT_EQ(validation_text(*judge), "never with this WordNet") << "its weights were fitted with the real one";
}

TEST_F(DictionaryTest, AnotherOneIsAnotherJudge) {
  install(text::testing::mini_files());
  const std::string before = make_judge(kLexicalWordNet)->spec();
  const auto other = dir_ / "other";
  fs::create_directory(other);
  for (const auto& entry : fs::directory_iterator(dir_)) {
    if (entry.is_regular_file()) fs::copy_file(entry.path(), other / entry.path().filename());
  }
  std::ofstream(other / "adv.exc", std::ios::app) << "best well\n";
  setenv("RESIDUE_WORDNET", other.c_str(), 1);
  EXPECT_NE(make_judge(kLexicalWordNet)->spec(), before);
}

TEST_F(DictionaryTest, ExplainsWhatItMatched) {
  install(text::testing::mini_files());
  const auto judge = make_judge(kLexicalWordNet);
  const auto why = judge->explain("He keeps an animal.", "He keeps a dog.");
  EXPECT_EQ(why.general, std::vector<std::string>{"dog"});
  EXPECT_NE(why.rating, 1);
  EXPECT_NE(why.sentence.find("more general than dog"), std::string::npos);
  EXPECT_EQ(judge->explain("He was found innocent.", "He was found guilty.").rivals,
            std::vector<std::string>{"guilty"});
}

TEST_F(DictionaryTest, FindsNothingAgainstTheLexicalJudgeWithTheRealOne) {
  unsetenv("RESIDUE_WORDNET");
  const auto judge = installed_judge(kLexicalWordNet);
  if (!judge) GTEST_SKIP() << "no package wordnet-base";
  for (const auto& row : selftest(*judge)) EXPECT_EQ(row.failed, 0U) << row.kind;
  EXPECT_EQ(rating(*judge, "He bought a car.", "He bought an automobile."), 1);
  EXPECT_EQ(rating(*judge, "He has hypertension.", "He has high blood pressure."), 1);
}

}  // namespace
}  // namespace residue::query
