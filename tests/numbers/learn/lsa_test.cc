#include "numbers/learn/lsa.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"

namespace residue::numbers {
namespace {

using Terms = std::vector<std::string>;

SparseMatrix sparse(const std::vector<std::vector<double>>& rows) {
  SparseMatrix matrix;
  matrix.columns = rows.front().size();
  for (const auto& row : rows) {
    matrix.rows.emplace_back();
    for (std::uint32_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0) matrix.rows.back().push_back({j, row[j]});
    }
  }
  return matrix;
}

TopicSpace space_of(const std::vector<Terms>& documents, std::size_t topics = 100) {
  return TopicSpace(documents.size(), [&](std::size_t i, Terms& terms) { terms = documents[i]; },
                             {topics, 42});
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
  return ab / std::sqrt(aa * bb);
}

// Singular values 3, 2 and 0, right vectors (1, 0, 0) and (0, 1, 1)/sqrt(2).
TEST(Lsa, DecomposesAMatrixComputedByHand) {
  const auto found = truncated_svd(sparse({{-3, 0, 0}, {0, 1, 1}, {0, 1, 1}}), 3, 42);
  ASSERT_EQ(found.singular_values.size(), 2U);
  EXPECT_NEAR(found.singular_values[0], 3, 1e-12);
  EXPECT_NEAR(found.singular_values[1], 2, 1e-12);
  const double half = std::sqrt(0.5);
  const std::vector<double> expected = {1, 0, 0, half, 0, half};  // by column, the signs of the greatest positive
  ASSERT_EQ(found.vectors.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.vectors[i], expected[i], 1e-12) << i;
  EXPECT_EQ(truncated_svd(sparse({{-3, 0, 0}, {0, 1, 1}, {0, 1, 1}}), 1, 42).singular_values.size(), 1U);
}

TEST(Lsa, HasNothingOfAMatrixOfNothing) {
  EXPECT_TRUE(truncated_svd(sparse({{0, 0}, {0, 0}}), 2, 42).singular_values.empty());
  EXPECT_TRUE(truncated_svd({}, 2, 42).singular_values.empty());
}

// Too large to be done exactly. Blocks of n equal rows of m ones have one singular value, sqrt(n m).
TEST(Lsa, FindsTheGreatestOfALargeMatrix) {
  SparseMatrix matrix;
  std::vector<double> expected;
  for (std::size_t block = 0; block < 20; ++block) {
    const std::size_t height = 5 + block * block, width = 30;
    for (std::size_t i = 0; i < height; ++i) {
      matrix.rows.emplace_back();
      for (std::size_t j = 0; j < width; ++j) {
        matrix.rows.back().push_back({static_cast<std::uint32_t>(block * width + j), 1});
      }
    }
    expected.insert(expected.begin(), std::sqrt(static_cast<double>(height * width)));
  }
  matrix.columns = 600;
  const auto found = truncated_svd(matrix, 5, 1);
  ASSERT_EQ(found.singular_values.size(), 5U);
  // Fifteen directions are looked for, and what the sixteenth leaves is (21/230)^13 of the fifth.
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(found.singular_values[k], expected[k], 1e-9) << k;
}

// Each document has length 1: one of its own has the value 1, two equal ones sqrt(2).
TEST(Lsa, WeighsDocumentsEqually) {
  const TopicSpace space = space_of({{"a", "a", "a"}, {"b", "c"}, {"c", "b"}});
  EXPECT_EQ(space.topics(), 2U);
  const auto a = space.of(Terms{"a"});
  const auto b = space.of(Terms{"b"});
  EXPECT_NEAR(a[0], 0, 1e-12);
  EXPECT_NEAR(b[1], 0, 1e-12);
  // tf 1, df 1 and 2 of 3: weights 1 + ln(4/2) and 1 + ln(4/3); b is one of the topic's two equal terms.
  EXPECT_NEAR(a[1], 1 + std::log(2.0), 1e-12);
  EXPECT_NEAR(b[0], (1 + std::log(4.0 / 3)) * std::sqrt(0.5), 1e-12);
  // tf 3.
  EXPECT_NEAR(space.of(Terms{"a", "a", "a"})[1], (1 + std::log(3.0)) * (1 + std::log(2.0)), 1e-12);
}

TEST(Lsa, PutsTermsOfTheSameDocumentsIntoTheSameTopic) {
  const TopicSpace space =
      space_of({{"heart", "nurse"}, {"heart", "nurse"}, {"loan", "bank"}, {"loan", "bank"}});
  EXPECT_NEAR(cosine(space.of(Terms{"heart"}), space.of(Terms{"nurse"})), 1, 1e-9);
  EXPECT_NEAR(cosine(space.of(Terms{"heart"}), space.of(Terms{"bank"})), 0, 1e-9);
}

TEST(Lsa, SeesNothingInUnknownTerms) {
  const TopicSpace space = space_of({{"a", "b"}, {"b", "c"}});
  for (const double value : space.of(Terms{"unheard", "of"})) EXPECT_EQ(value, 0);
  EXPECT_EQ(space.of(Terms{"a", "unheard"}), space.of(Terms{"a"}));
  EXPECT_EQ(space_of({}).topics(), 0U);
  EXPECT_EQ(space_of({{}, {}}).topics(), 0U);
}

TEST(Lsa, IsTheSameEveryTime) {
  std::vector<Terms> documents(40);
  for (std::uint64_t i = 0; i < 400; ++i)
    documents[i % 40].push_back(std::string(1, static_cast<char>('a' + mix(i) % 26)));
  const Terms text = {"a", "q", "z", "z"};
  EXPECT_EQ(space_of(documents, 7).of(text), space_of(documents, 7).of(text));
  EXPECT_EQ(space_of(documents, 7).topics(), 7U);
}

}  // namespace
}  // namespace residue::numbers
