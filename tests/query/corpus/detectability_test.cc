#include "query/corpus/detectability.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "numbers/learn/logistic_regression.h"

namespace residue::query {
namespace {

constexpr const char* kWords[] = {"nurse", "loan",  "heart", "river", "train", "lamp",  "green",
                                  "seven", "piano", "storm", "visit", "metal", "bread", "cloud",
                                  "paper", "glass", "horse", "quiet", "light", "stone"};

// Fifteen words, drawn by `seed`.
std::string drawn_text(std::uint64_t seed) {
  std::string text;
  for (std::uint64_t i = 0; i < 15; ++i) text += std::string(kWords[mix(mix(seed) + i) % 20]) + ' ';
  return text;
}

template <class Change>
std::vector<TextPair> pairs(std::size_t count, Change change) {
  std::vector<TextPair> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = drawn_text(i);
    records.push_back({"r-" + std::to_string(i), ngrams_of(text), ngrams_of(change(text, i))});
  }
  return records;
}

TEST(Ngrams, AreWordsPairsAndCharactersEachOnce) {
  EXPECT_TRUE(ngrams_of("").words.empty());
  EXPECT_TRUE(ngrams_of("ab").characters.empty());
  EXPECT_EQ(ngrams_of("abcde").characters.size(), 3U + 2U + 1U);
  EXPECT_EQ(ngrams_of("\xc3\xa9\xc3\xa9\xc3\xa9").characters.size(), 1U) << "code points, not bytes";
  EXPECT_EQ(ngrams_of("red wine, red WINE").words.size(), 2U + 2U);  // red, wine, red wine, wine red
  EXPECT_EQ(ngrams_of("Red").words, ngrams_of("red").words);
  EXPECT_NE(ngrams_of("Red").characters, ngrams_of("red").characters);
  EXPECT_NE(ngrams_of("ab c").words, ngrams_of("a bc").words);
}

TEST(Detectability, IsAHalfForEqualTexts) {
  const auto right = detect(pairs(40, [](const std::string& text, std::size_t) { return text; }));
  for (const std::uint8_t one : right) EXPECT_EQ(one, 1);
  EXPECT_EQ(detection_accuracy(right), 0.5);
}

TEST(Detectability, IsOneWhereEverySanitizedTextIsMarked) {
  const auto right = detect(pairs(30, [](const std::string& text, std::size_t) { return text + "[NAME]"; }));
  EXPECT_EQ(detection_accuracy(right), 1);
}

TEST(Detectability, IsAboutAHalfForOtherTextsOfTheSameKind) {
  const auto right = detect(pairs(200, [](const std::string&, std::size_t i) { return drawn_text(10'000 + i); }));
  EXPECT_NEAR(detection_accuracy(right), 0.5, 0.1);
}

// Every second text is marked, the others are untouched: the marked ones are found, of the others one is right.
TEST(Detectability, CountsTextsThatWereToldRight) {
  const auto right = detect(
      pairs(60, [](const std::string& text, std::size_t i) { return i % 2 == 0 ? text + "[NAME] [DATE]" : text; }));
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_EQ(right[i], i % 2 == 0 ? 2 : 1) << i;
  EXPECT_EQ(detection_accuracy(right), 0.75);
}

TEST(Detectability, DealsRecordsIntoFoldsByTheirKeysAlone) {
  auto records = pairs(23, [](const std::string& text, std::size_t) { return text; });
  const auto folds = folds_of(records, {});
  std::vector<std::size_t> sizes(5, 0);
  for (const std::size_t fold : folds) ++sizes.at(fold);
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 5, 5, 5}));

  auto turned = records;
  std::reverse(turned.begin(), turned.end());
  for (TextPair& record : turned) record.variant = ngrams_of("something else");
  auto again = folds_of(turned, {});
  std::reverse(again.begin(), again.end());
  EXPECT_EQ(again, folds);
  EXPECT_NE(folds_of(records, {5, 300, 43}), folds);
}

TEST(Detectability, DependsOnNeitherOrderNorThreads) {
  auto records = pairs(50, [](const std::string& text, std::size_t i) { return i % 3 == 0 ? text + " x y z" : text; });
  std::vector<std::uint8_t> one;
  tbb::task_arena(1).execute([&] { one = detect(records); });
  EXPECT_EQ(detect(records), one);
  std::reverse(records.begin(), records.end());
  std::reverse(one.begin(), one.end());
  EXPECT_EQ(detect(records), one);
}

// At the minimum the gradient of the definition, with the library's exponential, is all but nothing.
TEST(LogisticRegression, FindsTheMinimum) {
  const std::vector<std::vector<std::uint32_t>> texts = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {1}, {3}};
  const std::vector<bool> truth = {true, true, false, false, true, true};
  std::vector<numbers::FeatureRow> rows;
  for (const auto& text : texts) rows.push_back({{text, 1 / std::sqrt(2 * static_cast<double>(text.size()))}, {{}, 0}});
  rows[1] = {{{texts[1].data(), 1}, std::sqrt(0.5)}, {{texts[1].data() + 1, 1}, 0.5}};
  const numbers::LinearModel model = numbers::fit_logistic(rows, truth, 4, 10'000);

  std::vector<double> slope = model.weights;
  double slope_of_bias = model.bias;
  const auto add = [&](const numbers::FeatureRow::Group& group, double off) {
    for (const std::uint32_t feature : group.features) slope[feature] += off * group.weight;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double score = model.bias;
    for (const auto& group : {rows[i].words, rows[i].characters}) {
      for (const std::uint32_t feature : group.features) score += model.weights[feature] * group.weight;
    }
    EXPECT_NEAR(model.score(rows[i]), score, 1e-12);
    const double off = 1 / (1 + std::exp(-score)) - (truth[i] ? 1 : 0);
    add(rows[i].words, off);
    add(rows[i].characters, off);
    slope_of_bias += off;
  }
  for (const double one : slope) EXPECT_NEAR(one, 0, 2e-3);
  EXPECT_NEAR(slope_of_bias, 0, 2e-3);
  EXPECT_GT(model.weights[1], 0.1);
  EXPECT_LT(model.weights[2], model.weights[1]);
}

}  // namespace
}  // namespace residue::query
