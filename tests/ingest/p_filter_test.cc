#include "ingest/p_filter.h"

#include <gtest/gtest.h>

#include <set>

namespace residue::ingest {
namespace {

using text::WordId;
using text::WordModel;

WordModel trained() {
  text::WordModelTrainer trainer;
  for (const char* name : {"ann", "bob", "eve", "tom", "kim"}) {
    for (const char* thing : {"dog", "cat", "horse", "cow", "goat", "hen"}) {
      const std::string first = std::string("my name is ") + name, second = std::string("i want a ") + thing;
      const std::vector<std::string_view> utterances = {first, second};
      trainer.add(utterances);
    }
  }
  return trainer.finish();
}

class PFilterTest : public testing::Test {
 protected:
  std::string filtered(std::string_view text, PFilter filter, std::string_view key = "r") {
    const SanitizeOutput output = p_filter(model_, &vectors_, filter, {key, text});
    spans_ = output.spans;
    return output.text.value();
  }
  WordModel model_ = trained();
  text::WordVectors vectors_{model_, {100, 8}};
  std::vector<Replacement> spans_;
};

PFilter at(double p, bool substitute = false) {
  PFilter filter;
  filter.p = p;
  filter.substitute = substitute;
  filter.n = 20;
  filter.k = 3;
  filter.s = 0.2;
  return filter;
}

TEST_F(PFilterTest, RedactsExactlyTheWordsBelowTheThreshold) {
  const std::string text = "My name is Ann";
  const auto id = [this](const char* word) { return model_.id(word); };
  const auto b = WordModel::kBoundary;
  const double ann = model_.probability(id("ann"), {id("name"), id("is"), b, WordModel::kUnknown});
  EXPECT_EQ(filtered(text, at(ann)), text);
  EXPECT_EQ(filtered(text, at(ann * 1.0001)), "My name is [REDACTED]");
  EXPECT_EQ(filtered(text, at(1)), "[REDACTED] [REDACTED] [REDACTED] [REDACTED]");
  const double unknown = model_.probability(WordModel::kUnknown, {id("name"), id("is"), b, WordModel::kUnknown});
  ASSERT_LT(unknown, ann / 2);
  EXPECT_EQ(filtered("my name is Zebulon.", at(unknown * 1.0001)), "my name is [REDACTED].");
  EXPECT_EQ(filtered("", at(1)), "");
  EXPECT_EQ(filtered("...\n\n", at(1)), "...\n\n");
}

// The word before the line end is context, unless it was redacted.
TEST_F(PFilterTest, ReadsAnUtteranceBehindWhatIsLeftOfTheOneBefore) {
  const auto id = [this](const char* word) { return model_.id(word); };
  const auto after = [&](WordId before) {
    return model_.probability(id("i"), {before, WordModel::kBoundary, id("want"), id("a")});
  };
  const double with = after(id("ann")), without = after(WordModel::kUnknown);
  ASSERT_GT(with, without * 1.01);
  const auto first_word = [&](const char* name, double p) {
    const std::string text = filtered(std::string("my name is ") + name + "\ni want a dog", at(p));
    const std::size_t line = text.find('\n') + 1;
    return text.substr(line, text.find(' ', line) - line);
  };
  const double ann = model_.probability(id("ann"), {id("name"), id("is"), WordModel::kBoundary, WordModel::kUnknown});
  const double between = (with + without) / 2;
  EXPECT_EQ(first_word("ann", between), ann < between ? "[REDACTED]" : "i");
  EXPECT_EQ(first_word("zebulon", between), "[REDACTED]");
  EXPECT_EQ(first_word("zebulon", without * 0.999), "i");
}

TEST_F(PFilterTest, PutsLikeWordsInTheirPlaces) {
  const auto names = std::set<std::string>{"Bob", "Eve", "Tom", "Kim"};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PFilter filter = at(0.2, true);
    filter.seed = seed;
    const std::string text = filtered("my name is Ann\nmy name is Ann", filter);
    const std::string name = text.substr(text.find("is ") + 3, 3);
    EXPECT_TRUE(names.contains(name)) << text;
    EXPECT_EQ(text, "my name is " + name + "\nmy name is " + name) << "the same throughout, never itself";
  }
  std::set<std::string> drawn;
  for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h"})
    drawn.insert(filtered("my name is ann", at(0.2, true), key));
  EXPECT_GT(drawn.size(), 1U);
  PFilter many = at(0.2, true);
  many.k = 5;  // there are four others
  EXPECT_EQ(filtered("my name is ann", many), "my name is [REDACTED]");
  EXPECT_EQ(filtered("my name is Zebulon", at(0.01, true)), "my name is [REDACTED]") << "nobody knows what it is like";
}

TEST_F(PFilterTest, DrawsDigitsOfTheSameLength) {
  filtered("call 555-1234 or 555", at(1, true));
  ASSERT_EQ(spans_.size(), 5U);
  EXPECT_EQ(spans_[1].with.size(), 3U);
  EXPECT_NE(spans_[1].with, "555");
  EXPECT_EQ(spans_[1].with.find_first_not_of("0123456789"), std::string::npos);
  EXPECT_EQ(spans_[2].with.size(), 4U);
  EXPECT_EQ(spans_[4].with, spans_[1].with);
}

TEST_F(PFilterTest, KeepsTheCaseOfLetters) {
  EXPECT_EQ(filtered("MY NAME IS ANN", at(0.2, true)).find_first_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos);
}

}  // namespace
}  // namespace residue::ingest
