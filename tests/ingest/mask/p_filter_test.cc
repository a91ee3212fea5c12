#include "ingest/mask/p_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "tests/ingest/surrogates/seeded_draws.h"
#include "text/words/words.h"

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
  if (substitute) filter.draws = seeded_draws(0);
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
    filter.draws = seeded_draws(seed);
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

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  text::for_each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

// ZSTS by its sentences, over all words and one after another; of lines of lower-case words without digits.
class Definition {
 public:
  Definition(const WordModel& model, const text::WordVectors& vectors, const PFilter& filter)
      : model_(model), vectors_(vectors), filter_(filter) {}

  std::string sanitize(std::string_view key, std::string_view text) {
    std::map<std::string, std::string> table;
    WordId before = WordModel::kBoundary;
    std::string out;
    for (const std::string_view line : utterances(text)) {
      std::vector<WordId> ids{before, WordModel::kBoundary};
      const std::vector<std::string> words = words_of(line);
      for (const std::string& word : words) ids.push_back(model_.id(word));
      ids.insert(ids.end(), {WordModel::kBoundary, WordModel::kUnknown});
      bool gone = false;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const WordModel::Neighbours beside{ids[i], ids[i + 1], ids[i + 3], ids[i + 4]};
        gone = model_.probability(ids[i + 2], beside) < filter_.p;
        if (gone && !table.contains(words[i])) table[words[i]] = like(key, words[i], beside);
        out += (i > 0 ? " " : "") + (gone ? table[words[i]] : words[i]);
      }
      if (!words.empty()) before = gone ? WordModel::kUnknown : ids[words.size() + 1];
      out += "\n";
    }
    out.pop_back();
    return out;
  }
  std::size_t replaced = 0, removed = 0;

 private:
  std::string like(std::string_view key, const std::string& word, const WordModel::Neighbours& beside) {
    std::vector<std::pair<double, std::string>> all, near;
    for (WordId w = WordModel::kFirst; w < model_.words(); ++w) {
      all.emplace_back(-model_.probability(w, beside), model_.word(w));
    }
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), filter_.n));
    for (const auto& [_, candidate] : all) {
      if (candidate == word || !vectors_.has(model_.id(word)) || !vectors_.has(model_.id(candidate))) continue;
      const double distance = vectors_.distance(model_.id(word), model_.id(candidate));
      if (distance <= filter_.s) near.emplace_back(distance, candidate);
    }
    std::sort(near.begin(), near.end());
    if (near.size() < filter_.k) {
      ++removed;
      return "[REDACTED]";
    }
    ++replaced;
    return near[filter_.draws->of({key, {}})(word, 0) % filter_.k].second;
  }

  const WordModel& model_;
  const text::WordVectors& vectors_;
  const PFilter& filter_;
};

TEST(PFilter, IsItsDefinition) {
  std::uint64_t draws = 0;
  const auto unit = [&draws] { return unit_draw(mix(draws++)); };
  const auto drawn = [&unit](double words) {
    std::string text;
    for (int left = 30; left > 0; --left) {
      const auto letters = static_cast<int>(std::pow(words, unit()));
      text += std::string("w") + static_cast<char>('a' + letters % 26) + static_cast<char>('a' + letters / 26 % 26);
      text += left == 1 ? "" : unit() < 0.1 ? "\n" : " ";
    }
    return text;
  };
  text::WordModelTrainer trainer;
  for (int i = 0; i < 100; ++i) {
    const std::string text = drawn(300);
    trainer.add(utterances(text));
  }
  const WordModel model = trainer.finish();
  const text::WordVectors vectors(model, {200, 16});
  std::size_t replaced = 0, removed = 0;
  for (const std::size_t n : {3, 10, 50, 1000}) {
    PFilter filter = at(0.01, true);
    filter.n = n;
    filter.s = n == 10 ? 2 : 0.8;
    filter.draws = seeded_draws(n);
    Definition definition(model, vectors, filter);
    for (int i = 0; i < 10; ++i) {
      const std::string text = drawn(400), key = std::to_string(i);
      EXPECT_EQ(p_filter(model, &vectors, filter, {key, text}).text, definition.sanitize(key, text));
    }
    replaced += definition.replaced;
    removed += definition.removed;
  }
  EXPECT_GT(replaced, 100U);
  EXPECT_GT(removed, 100U);
}

TEST_F(PFilterTest, KeepsTheCaseOfLetters) {
  EXPECT_EQ(filtered("MY NAME IS ANN", at(0.2, true)).find_first_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos);
}

}  // namespace
}  // namespace residue::ingest
