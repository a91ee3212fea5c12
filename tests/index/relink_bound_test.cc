#include "index/relink_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "index/bm25.h"

namespace residue::index {
namespace {

// A document's frequency of each term, and its length, which the other words share.
struct Document {
  std::vector<std::uint32_t> tf;
  std::uint64_t length;
};

double score(const Document& document, const std::vector<double>& weights, double average) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (document.tf[i] > 0) sum += bm25_part(weights[i], document.tf[i], bm25_norm({}, document.length, average));
  }
  return sum;
}

// Any documents, any weights before and now, any averages: none that was below `rest` gets above the bound.
RC_GTEST_PROP(RelinkBound, IsNeverBelowAScore, ()) {
  const auto number = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
  const auto terms = static_cast<std::size_t>(number(1, 6));
  const double before_average = number(1, 400) / 4.0;
  const double now_average = number(0, 1) == 0 ? before_average : number(1, 400) / 4.0;
  std::vector<double> before, now;
  for (std::size_t i = 0; i < terms; ++i) {
    before.push_back(number(1, 1'000) / 100.0);
    now.push_back(number(0, 2) == 0 ? before.back() : number(1, 1'000) / 100.0);
  }
  std::vector<Document> documents(static_cast<std::size_t>(number(1, 8)));
  std::vector<BoundTerm> bound;
  for (std::size_t i = 0; i < terms; ++i) bound.push_back({before[i], now[i], 0});
  double rest = 0;
  for (Document& document : documents) {
    document.length = static_cast<std::uint64_t>(number(0, 100));
    for (std::size_t i = 0; i < terms; ++i) {
      document.tf.push_back(static_cast<std::uint32_t>(number(0, 2) * number(1, 3)));
      document.length += document.tf.back();
    }
    for (std::size_t i = 0; i < terms; ++i) {
      const double x = bm25_saturation(std::max(1U, document.tf[i]), bm25_norm({}, document.length, before_average));
      if (document.tf[i] > 0) bound[i].most = std::max(bound[i].most, x);
    }
    rest = std::max(rest, score(document, before, before_average));
  }
  // A term that no document has may say anything.
  const double most = bound_of_rest(rest, saturation_stretch(before_average, now_average), bound);
  for (const Document& document : documents) RC_ASSERT(score(document, now, now_average) <= most);
  RC_ASSERT((most == 0) == (rest == 0));
}

TEST(RelinkBound, IsReachedByADocumentThatHasWhatGainedMost) {
  // One document, weight 2 becomes 3: scored 2 * 0.5, scores 3 * 0.5.
  std::vector<BoundTerm> terms = {{2, 3, 0.5}, {5, 5.1, 1}};
  EXPECT_NEAR(bound_of_rest(1.0, 1, terms), 1.5, 1e-8);
  // With more to spend, the second term takes the rest of it: 2 = 2 * 0.5 + 5 * 0.2.
  EXPECT_NEAR(bound_of_rest(2.0, 1, terms), 3 * 0.5 + 5.1 * 0.2, 1e-8);
}

TEST(RelinkBound, FallsBackToWhatWasWhenNothingGained) {
  std::vector<BoundTerm> terms = {{2, 1, 1}, {3, 3, 1}};
  EXPECT_NEAR(bound_of_rest(1.5, 1, terms), 1.5, 1e-8);
  EXPECT_GE(bound_of_rest(1.5, 1, terms), 1.5);
  EXPECT_DOUBLE_EQ(saturation_stretch(10, 9), 1);
  EXPECT_DOUBLE_EQ(saturation_stretch(10, 12), 1.2);
}

}  // namespace
}  // namespace residue::index
