// Where candidates stand, counted in every way, against a ranking of all by definition.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/bm25/bm25_linker.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

using testing::Corpus;
using testing::IndexDir;
using Way = Bm25Linker::Way;
using Places = std::vector<std::optional<Place>>;

const text::Analyzer& fsp() { return text::Analyzer::fsp(); }

std::vector<std::pair<Way, KernelOptions>> all_ways() {
  std::vector<std::pair<Way, KernelOptions>> ways = {{Way::kAutomatic, {}}, {Way::kMatcher, {}}, {Way::kPostings, {}}};
  for (const Simd simd : supported_simd()) ways.push_back({Way::kKernel, {.simd = simd, .block = 64}});
  ways.push_back({Way::kKernel, {}});
  return ways;
}

// By definition, from all scores.
Places by_definition(const Corpus& corpus, const Bm25Options& options, const std::vector<Query>& queries) {
  const auto hits = corpus.oracle(fsp(), options).top(queries, corpus.texts.size() + 1);
  Places places;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    places.emplace_back();
    if (!corpus.table()->rank(queries[i].own)) continue;
    const auto score = [&](CandidateId id) {
      for (const Hit& hit : hits[i]) {
        if (hit.candidate == id) return hit.score;
      }
      return 0.0;
    };
    Place place;
    for (std::size_t j = 0; j < corpus.texts.size(); ++j) {
      if (Corpus::id(j) == queries[i].own) continue;
      place.ahead += score(Corpus::id(j)) > score(queries[i].own) ? 1 : 0;
      place.level += score(Corpus::id(j)) == score(queries[i].own) ? 1 : 0;
    }
    places.back() = place;
  }
  return places;
}

RC_GTEST_PROP(Bm25Places, AreThoseOfAllScores, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 150);
  const Corpus corpus(*rc::gen::container<std::vector<std::string>>(size, testing::text_gen()));
  const auto count = *rc::gen::inRange<std::size_t>(1, 4);
  const auto part = *rc::gen::container<std::vector<std::size_t>>(size, rc::gen::inRange<std::size_t>(0, count));
  const IndexDir dir;
  const auto segments = corpus.build(dir.path(), fsp(), part, count);
  const auto texts =
      *rc::gen::container<std::vector<std::string>>(*rc::gen::inRange<std::size_t>(0, 12), testing::text_gen());
  std::vector<Query> queries;
  for (const std::string& text : texts) queries.push_back({text, "", {*rc::gen::inRange<std::int64_t>(0, 160)}});
  const Bm25Options options = {.lucene_lengths = *rc::gen::arbitrary<bool>()};
  const Places expected = by_definition(corpus, options, queries);
  tbb::task_arena arena(*rc::gen::inRange(1, 4));
  for (const auto& [way, kernel] : all_ways()) {
    const Bm25Linker linker(testing::paths(dir.path(), segments), corpus.table(), fsp(), options, way, kernel);
    RC_ASSERT(arena.execute([&] { return linker.places(queries, size); }) == expected);
  }
}

TEST(Bm25Places, CountThoseWithoutAHitAsLevel) {
  const Corpus corpus({"fever", "fever pain", "wine", "", "water"});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const std::vector<Query> queries = {{"fever", "", Corpus::id(0)}, {"fever", "", Corpus::id(1)},
                                      {"fever", "", Corpus::id(2)}, {"fever", "", Corpus::id(3)},
                                      {"", "", Corpus::id(0)},      {"fever", "", {}}};
  const Places expected = {Place{0, 0}, Place{1, 0}, Place{2, 2}, Place{2, 2}, Place{0, 4}, std::nullopt};
  for (const auto& [way, kernel] : all_ways()) {
    const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp(), {}, way, kernel);
    EXPECT_EQ(linker.places(queries, 5), expected);
  }
  EXPECT_EQ(corpus.oracle(fsp()).places(queries, 5), expected);  // from rankings
}

}  // namespace
}  // namespace residue::index
