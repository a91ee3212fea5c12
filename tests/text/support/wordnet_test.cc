#include "text/support/wordnet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "tests/text/mini_wordnet.h"

namespace residue::text {
namespace {

std::string name_of(const WordNet& wordnet, Synset synset) {
  const std::string_view file = wordnet.files().data[synset % kWordClasses];
  std::istringstream line(std::string(file.substr(synset / kWordClasses, 200)));
  std::string skipped, word;
  line >> skipped >> skipped >> skipped >> skipped >> word;
  return word;
}

using Words = std::vector<std::string>;

Words names(const WordNet& wordnet, std::span<const Synset> synsets) {
  Words out;
  for (const Synset synset : synsets) out.push_back(name_of(wordnet, synset));
  return out;
}

Words lemmas(const WordNet& wordnet, std::string_view word) {
  Words out;
  for (const auto& lemma : wordnet.lemmas(word)) out.emplace_back(lemma.word);
  return out;
}

Words related(const WordNet& wordnet, std::string_view word, std::string_view symbols) {
  const auto own = wordnet.lemmas(word);
  return names(wordnet, wordnet.related(wordnet.senses(own, 4), own, symbols));
}

TEST(WordNet, KnowsWhatWordsMeanAndAreKindsOf) {
  const WordNet wordnet(testing::mini_files());
  const auto senses = [&](std::string_view word) { return wordnet.senses(wordnet.lemmas(word), 4); };
  EXPECT_EQ(senses("car"), senses("automobile"));
  EXPECT_NE(senses("car"), senses("dog"));
  EXPECT_EQ(names(wordnet, senses("domestic_dogs")), Words{"dog"});
  EXPECT_EQ(names(wordnet, wordnet.hypernyms(senses("dog"), 1)), Words{"canine"});
  EXPECT_EQ(names(wordnet, wordnet.hypernyms(senses("dog"), 2)), (Words{"animal", "canine"}));
  EXPECT_EQ(names(wordnet, wordnet.hypernyms(senses("canine"), 3)), Words{"animal"}) << "and not what is a canine";
  EXPECT_EQ(names(wordnet, wordnet.hypernyms(senses("rex"), 3)), (Words{"animal", "canine", "dog"}));
  EXPECT_TRUE(senses("unheard").empty());
}

TEST(WordNet, FindsBaseForms) {
  const WordNet wordnet(testing::mini_files());
  EXPECT_EQ(lemmas(wordnet, "mice"), Words{"mouse"});
  EXPECT_EQ(lemmas(wordnet, "dogs"), Words{"dog"});
  EXPECT_EQ(lemmas(wordnet, "baked"), Words{"bake"});
  EXPECT_EQ(lemmas(wordnet, "baking"), Words{"bake"});
  EXPECT_EQ(lemmas(wordnet, "vaster"), Words{"vast"});
  EXPECT_EQ(lemmas(wordnet, "s"), Words{});
}

TEST(WordNet, FollowsPointersOfTheWordAlone) {
  const WordNet wordnet(testing::mini_files());
  EXPECT_EQ(related(wordnet, "guilty", "!"), Words{"innocent(p)"});
  EXPECT_EQ(related(wordnet, "shamed", "!"), Words{}) << "its synset's other word has that antonym";
  EXPECT_EQ(related(wordnet, "innocent", "!"), Words{"guilty"});
  EXPECT_EQ(related(wordnet, "baker", "+"), Words{"bake"});
  EXPECT_EQ(related(wordnet, "huge", "&"), Words{"vast"});
  EXPECT_EQ(related(wordnet, "hepatic", "\\+"), Words{"liver"});
}

TEST(WordNet, SeesWherePhrasesMayBegin) {
  const WordNet wordnet(testing::mini_files());
  EXPECT_TRUE(wordnet.may_begin_phrase("heart", "attacks"));
  EXPECT_TRUE(wordnet.may_begin_phrase("domestic", "dog"));
  EXPECT_FALSE(wordnet.may_begin_phrase("dog", "attack"));
}

TEST(WordNet, RefusesDamagedFiles) {
  const auto refused = [](auto&& damage) {
    auto files = testing::mini_files();
    damage(files);
    try {
      const WordNet wordnet(std::move(files));
      static_cast<void>(wordnet.hypernyms(wordnet.senses(wordnet.lemmas("dog"), 4), 3));
    } catch (const Error& error) {
      return error.code() == Code::kBadInput;
    }
    return false;
  };
  EXPECT_FALSE(refused([](WordNetFiles&) {}));
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.index[2].clear(); }));
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.data[0].resize(20); }));
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.data[0].insert(0, "x"); }));
  EXPECT_TRUE(
      refused([](WordNetFiles& files) { files.data[0].replace(files.data[0].find(" 03 n 02 dog") - 1, 1, "x"); }));
  EXPECT_TRUE(refused([](WordNetFiles& files) {
    char& digit = files.data[0][files.data[0].find(" 03 n 02 dog") - 1];
    digit = digit == '1' ? '2' : '1';
  })) << "a line that says that it is at another place";
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.index[0] = "dog n 9 0 9 0 00000014\n"; }));
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.index[0] = "dog n 1 0 1 0 99999999\n"; }));
  EXPECT_TRUE(refused([](WordNetFiles& files) { files.data[0].replace(files.data[0].find("dog 0"), 5, "dog  "); }));
}

TEST(WordNet, NamesTheFileThatIsCutOff) {
  const auto message = [](auto&& damage) {
    auto files = testing::mini_files();
    damage(files);
    try {
      const WordNet wordnet(std::move(files));
    } catch (const Error& error) {
      return fmt::format("{} {}", static_cast<int>(error.code()), error.what());
    }
    return std::string();
  };
  const auto without_last_line = [](std::string& file) { file.resize(file.rfind('\n', file.size() - 2) + 1); };
  EXPECT_EQ(message([&](WordNetFiles& files) { without_last_line(files.index[0]); }),
            "6 WordNet's index.noun is cut off");
  EXPECT_EQ(message([&](WordNetFiles& files) { without_last_line(files.data[2]); }), "6 WordNet's data.adj is cut off");
  EXPECT_EQ(message([](WordNetFiles& files) { files.index[1].pop_back(); }), "6 WordNet's index.verb is cut off");
  EXPECT_EQ(message([](WordNetFiles& files) { files.exceptions[0].resize(4); }), "6 WordNet's noun.exc is cut off");
}

// The real files, where they are installed, against a reading by words.
TEST(WordNet, ReadsTheInstalledFilesAsAStreamDoes) {
  const std::filesystem::path dir = "/usr/share/wordnet";
  if (!std::filesystem::exists(dir / "index.noun")) GTEST_SKIP() << "no package wordnet-base";
  const auto read = [&](const std::string& name) {
    std::ifstream in(dir / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  WordNetFiles files;
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    const std::string part(kWordNetClasses[i]);
    files.index[i] = read("index." + part);
    files.data[i] = read("data." + part);
    files.exceptions[i] = read(part + ".exc");
  }
  const WordNet wordnet(std::move(files));
  std::size_t compared = 0;
  for (std::size_t i = 0; i < kWordClasses; ++i) {
    std::istringstream index(wordnet.files().index[i]);
    std::uint64_t number = 0;
    for (std::string line; std::getline(index, line);) {
      if (line.starts_with(" ") || mix(++number) % 40 != 0) continue;
      std::istringstream in(line);
      std::string word, part, symbol;
      std::size_t count = 0, pointers = 0, skipped = 0, offset = 0;
      in >> word >> part >> count >> pointers;
      while (pointers-- > 0) in >> symbol;
      in >> skipped >> skipped;
      std::vector<Synset> expected;
      while (in >> offset) expected.push_back(static_cast<Synset>(offset * kWordClasses + i));
      ASSERT_EQ(expected.size(), count);
      std::vector<WordNetLemma> own;
      for (const auto& lemma : wordnet.lemmas(word)) {
        if (lemma.part == static_cast<WordClass>(i) && lemma.word == word) own.push_back(lemma);
      }
      ASSERT_EQ(own.size(), 1U) << word;
      EXPECT_EQ(wordnet.senses(own, 1000), expected) << word;
      EXPECT_NO_THROW(static_cast<void>(wordnet.hypernyms(expected, 20))) << word;
      ++compared;
    }
  }
  EXPECT_GT(compared, 3000U);
  EXPECT_EQ(lemmas(wordnet, "mice"), Words{"mouse"});
  EXPECT_EQ(lemmas(wordnet, "went"), Words{"go"});
  EXPECT_EQ(related(wordnet, "hepatic", "\\"), Words{"liver"});
  EXPECT_TRUE(wordnet.may_begin_phrase("blood", "pressure"));
}

}  // namespace
}  // namespace residue::text
