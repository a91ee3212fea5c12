#include "text/predict/word_vectors.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {
namespace {

// Names stand where names stand, animals where animals stand.
WordModel model() {
  WordModelTrainer trainer;
  for (const char* name : {"ann", "bob", "eve", "tom", "kim"}) {
    for (const char* verb : {"called", "met", "paid", "asked"}) {
      for (const char* thing : {"dog", "cat", "horse", "cow"}) {
        const std::string one = std::string("mrs ") + name + " " + verb + " about her " + thing + " today";
        const std::vector<std::string_view> utterances = {one};
        trainer.add(utterances);
      }
    }
  }
  return trainer.finish();
}

TEST(WordVectors, PutWordsTogetherThatAreUsedAlike) {
  const WordModel words = model();
  const WordVectors vectors(words, {100, 8});
  for (const char* word : {"ann", "eve", "dog", "met"}) EXPECT_TRUE(vectors.has(words.id(word))) << word;
  EXPECT_NEAR(vectors.distance(words.id("ann"), words.id("bob")), 0, 1e-9) << "they have the same neighbours";
  EXPECT_NEAR(vectors.distance(words.id("dog"), words.id("cow")), 0, 1e-9);
  EXPECT_GT(vectors.distance(words.id("ann"), words.id("dog")), 0.5);
  EXPECT_FALSE(vectors.has(WordModel::kUnknown));
  EXPECT_FALSE(vectors.has(WordModel::kBoundary));
}

TEST(WordVectors, SayTheSameOfManyAsOfOne) {
  const WordModel words = model();
  const WordVectors vectors(words, {100, 7});
  std::vector<WordId> others;
  for (WordId w = 0; w < words.words(); ++w) {
    if (vectors.has(w)) others.push_back(w);
  }
  ASSERT_GT(others.size(), 8U);
  for (std::size_t count = 0; count < 8; ++count) {
    std::vector<double> distances(count);
    vectors.distances(others[1], std::span(others).first(count), distances);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(distances[i], vectors.distance(others[1], others[i]));
  }
  EXPECT_NEAR(vectors.distance(others[0], others[0]), 0, 1e-15);
}

TEST(WordVectors, HaveOnlyTheMostUsedWords) {
  const WordModel words = model();
  const WordVectors few(words, {3, 2});
  int have = 0;
  for (WordId w = 0; w < words.words(); ++w) have += few.has(w) ? 1 : 0;
  EXPECT_LE(have, 3);
}

TEST(WordVectors, OfNothingAreNone) {
  const WordModel none = WordModelTrainer().finish();
  const WordVectors vectors(none, {10, 4});
  EXPECT_FALSE(vectors.has(0));
}

}  // namespace
}  // namespace residue::text
