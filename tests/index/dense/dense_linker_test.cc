#include "index/dense/dense_linker.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "index/dense/cosine.h"
#include "tests/index/dense/dense_oracle.h"

namespace residue::index {
namespace {

// Candidates whose order by key is not that of their ids, with a vector each.
struct Set {
  std::size_t dimension;
  std::vector<CandidateId> ids;
  std::vector<std::string> keys;
  std::vector<float> values;
  CandidateTable table;

  Set(std::size_t of_dimension, std::vector<float> rows) : dimension(of_dimension), values(std::move(rows)) {
    const std::size_t count = values.size() / dimension;
    for (std::size_t i = 0; i < count; ++i) keys.push_back("r-" + std::to_string(i * 7919 % 10007));
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back({static_cast<std::int64_t>(i) + 1});
      all.push_back({ids[i], keys[i]});
    }
    table = std::make_shared<const Candidates>(all);
  }

  [[nodiscard]] DenseIndex index(const DenseKernel& kernel) const { return {table, ids, values, dimension, &kernel}; }
  [[nodiscard]] std::vector<std::vector<Hit>> oracle(const std::vector<float>& queries, std::size_t k) const {
    return dense_oracle(*table, ids, values, dimension, queries, k);
  }
};

double uniform(std::uint64_t seed) { return static_cast<double>(mix(seed) >> 11U) * 0x1p-52 - 1.0; }

// Rows of several kinds: apart, with many ties, equal, nearly equal, scaled, of huge and tiny values, without a vector.
std::vector<float> draw_rows(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::vector<float> values(count * dimension);
  for (std::size_t v = 0; v < count; ++v) {
    const std::uint64_t kind = mix(seed * 31 + v) % 8;
    float* row = values.data() + v * dimension;
    const float* earlier = v == 0 ? row : values.data() + mix(seed + 7 * v) % v * dimension;
    for (std::size_t i = 0; i < dimension; ++i) {
      const double x = uniform(mix(seed * 131 + v) + i);
      if (kind <= 1) row[i] = static_cast<float>(x);
      if (kind == 2) row[i] = std::floor(static_cast<float>(x * 1.5 + 0.5));
      if (kind == 3) row[i] = earlier[i];
      if (kind == 4) row[i] = earlier[i] * static_cast<float>(1 + x * 1e-7);
      if (kind == 5) row[i] = earlier[i] * 0.25F;
      if (kind == 6) row[i] = static_cast<float>(x * (v % 2 == 0 ? 1e38 : 1e-38));
    }
  }
  return values;
}

void expect_equal(const Set& set, const std::vector<float>& queries, std::size_t k) {
  const auto expected = set.oracle(queries, k);
  for (const DenseKernel& kernel : dense_kernels()) {
    SCOPED_TRACE(name_of(kernel.simd));
    ASSERT_EQ(set.index(kernel).top(queries, k), expected);
  }
}

TEST(DenseKernels, ThePortableOneIsAlwaysThere) { EXPECT_EQ(dense_kernels().front().simd, Simd::kPortable); }

TEST(DenseIndex, ScoresAreCosinesAndTheBestComeFirst) {
  const Set set(2, {0.8F, 0.6F, 0, 5, -1, 0, 3, 0});
  const std::vector<float> query = {2, 0};
  for (const DenseKernel& kernel : dense_kernels()) {
    const auto hits = set.index(kernel).top(query, 10).at(0);
    ASSERT_EQ(hits.size(), 4U);
    EXPECT_EQ(hits[0], (Hit{{4}, 1.0, 0}));
    EXPECT_EQ(hits[1].candidate, CandidateId{1});
    EXPECT_NEAR(hits[1].score, 0.8, 1e-7);
    EXPECT_EQ(hits[2], (Hit{{2}, 0.0, 0}));
    EXPECT_EQ(hits[3], (Hit{{3}, -1.0, 0}));
  }
}

RC_GTEST_PROP(DenseIndex, EqualsTheDefinition, ()) {
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 401);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Set set(dimension, draw_rows(*rc::gen::inRange<std::size_t>(0, 200), dimension, seed));
  const auto queries = draw_rows(*rc::gen::inRange<std::size_t>(0, 30), dimension, seed % 3 == 0 ? seed : seed + 1);
  const auto k = *rc::gen::element<std::size_t>(0, 1, 2, 10, 100, 1000);
  const auto expected = set.oracle(queries, k);
  for (const DenseKernel& kernel : dense_kernels()) RC_ASSERT(set.index(kernel).top(queries, k) == expected);
}

TEST(DenseIndex, EqualsTheDefinitionAtTheBordersOfPanelsTilesAndBlocks) {
  struct Case {
    std::size_t dimension, candidates, queries;
  };
  for (const auto& [dimension, candidates, queries] :
       {Case{3, 31, 5}, Case{3, 32, 6}, Case{3, 33, 7}, Case{9, 1, 13}, Case{8, 64, 14}, Case{17, 65, 15},
        Case{400, 319, 2}, Case{400, 320, 3}, Case{400, 321, 4}, Case{5, 40, 335}, Case{5, 40, 336}, Case{5, 40, 337},
        Case{4100, 70, 30}}) {
    SCOPED_TRACE(std::to_string(dimension) + " " + std::to_string(candidates) + " " + std::to_string(queries));
    expect_equal(Set(dimension, draw_rows(candidates, dimension, 5)), draw_rows(queries, dimension, 6), 10);
  }
}

// A thousand vectors within a few float errors of each other: single precision alone ranks them wrongly.
TEST(DenseIndex, TellsNearTiesApart) {
  constexpr std::size_t kDimension = 383;
  std::vector<float> rows;
  for (std::size_t v = 0; v < 1000; ++v) {
    for (std::size_t i = 0; i < kDimension; ++i) {
      rows.push_back(static_cast<float>(uniform(i) + 3e-7 * uniform(v * kDimension + i)));
    }
  }
  expect_equal(Set(kDimension, rows), {rows.begin(), rows.begin() + 20 * kDimension}, 3);
}

TEST(DenseIndex, ProductsStayWithinTheirBound) {
  for (const std::size_t dimension : {1UL, 7UL, 64UL, 384UL, 4096UL}) {
    for (const DenseKernel& kernel : dense_kernels()) {
      SCOPED_TRACE(std::string(name_of(kernel.simd)) + " " + std::to_string(dimension));
      std::vector<float> a(dimension);
      for (std::size_t i = 0; i < dimension; ++i) a[i] = static_cast<float>(1.5 + uniform(i));  // all rounding adds up
      const double norm = dot(a.data(), a.data(), dimension);
      const PanelFloats queries = make_panels(dimension * kernel.queries);
      const PanelFloats candidates = make_panels(dimension * kernel.candidates);
      for (std::size_t i = 0; i < dimension; ++i) {
        const auto scaled = static_cast<float>(a[i] * (1.0 / std::sqrt(norm)));
        std::fill_n(queries.get() + i * kernel.queries, kernel.queries, scaled);
        std::fill_n(candidates.get() + i * kernel.candidates, kernel.candidates, scaled);
      }
      const std::vector<float> floors(kernel.queries, 0.5F);
      std::vector<float> products(kernel.queries * kernel.candidates);
      EXPECT_EQ(kernel.multiply(queries.get(), candidates.get(), dimension, floors.data(), products.data()),
                (1U << kernel.queries) - 1);
      for (const float product : products) EXPECT_LE(std::abs(product - 1.0), dense_error(dimension));
    }
  }
}

TEST(DenseIndex, EqualVectorsAreOneComparisonAndTheSmallestKeysWin) {
  std::vector<float> rows;
  for (std::size_t v = 0; v < 6000; ++v) {
    for (std::size_t i = 0; i < 5; ++i) rows.push_back(static_cast<float>(uniform(v % 3 * 5 + i)));
  }
  const Set set(5, rows);
  EXPECT_EQ(set.index(dense_kernels().front()).different(), 3U);
  expect_equal(set, {rows.begin(), rows.begin() + 15}, 100);
  const auto hits = set.index(dense_kernels().back()).top(std::span(rows).first(5), 100).at(0);
  ASSERT_EQ(hits.size(), 100U);
  for (const Hit& hit : hits) ASSERT_EQ(hit.tied, 1999U);
}

TEST(DenseIndex, TheNumberOfThreadsChangesNothing) {
  const Set set(40, draw_rows(500, 40, 11));
  const auto queries = draw_rows(1500, 40, 12);
  const auto expected = set.oracle(queries, 10);
  for (const int threads : {1, 2, 7}) {
    oneapi::tbb::task_arena arena(threads);
    EXPECT_EQ(arena.execute([&] { return DenseIndex(set.table, set.ids, set.values, 40).top(queries, 10); }), expected);
  }
}

TEST(DenseIndex, WithoutAVectorThereIsNoHit) {
  const std::vector<Candidate> all = {{{1}, "a"}, {{2}, "b"}, {{3}, "c"}};
  const std::vector<CandidateId> ids = {{3}, {1}};
  const DenseIndex index(std::make_shared<const Candidates>(all), ids, std::vector<float>{1, 1, 0, 0}, 2);
  const auto hits = index.top(std::vector<float>{0, 0, 1, 0}, 5);
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_TRUE(hits[0].empty());
  ASSERT_EQ(hits[1].size(), 1U);
  EXPECT_EQ(hits[1][0].candidate, CandidateId{3});
  EXPECT_TRUE(
      DenseIndex(std::make_shared<const Candidates>(all), {}, {}, 2).top(std::vector<float>{1, 1}, 5)[0].empty());
}

TEST(DenseIndex, RefusesWhatDoesNotFit) {
  const std::vector<Candidate> one = {{{1}, "a"}};
  const auto table = std::make_shared<const Candidates>(one);
  const auto make = [&](std::vector<CandidateId> ids, std::vector<float> values, std::size_t dimension) {
    return DenseIndex(table, ids, values, dimension);
  };
  EXPECT_THROW(make({{1}}, {1, 2, 3}, 2), Error);
  EXPECT_THROW(make({{2}}, {1, 2}, 2), Error);
  EXPECT_THROW(make({{1}, {1}}, {1, 2, 3, 4}, 2), Error);
  EXPECT_THROW(make({{1}}, {NAN, 1}, 2), Error);
  EXPECT_THROW(make({{1}}, {INFINITY, 1}, 2), Error);
  EXPECT_THROW(make({}, {}, 0), Error);
  EXPECT_THROW((void)make({{1}}, {1, 2}, 2).top(std::vector<float>{1}, 1), Error);
  EXPECT_THROW((void)make({{1}}, {1, 2}, 2).top(std::vector<float>{NAN, 1}, 1), Error);
}

TEST(Cosine, IsExactlyOneForEqualAndScaledVectors) {
  for (std::size_t dimension = 1; dimension < 400; dimension += 13) {
    std::vector<float> a(dimension);
    std::vector<float> b(dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
      a[i] = static_cast<float>(uniform(dimension + i));
      b[i] = a[i] * 0x1p-60F;
    }
    const double aa = dot(a.data(), a.data(), dimension);
    EXPECT_EQ(cosine(aa, aa, aa), 1.0);
    EXPECT_EQ(cosine(dot(a.data(), b.data(), dimension), aa, dot(b.data(), b.data(), dimension)), 1.0);
  }
}

}  // namespace
}  // namespace residue::index
