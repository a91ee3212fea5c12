#include "index/bm25/bm25_linker.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

using testing::Corpus;
using testing::IndexDir;
using Way = Bm25Linker::Way;
using Hits = std::vector<std::vector<Hit>>;

const text::Analyzer& fsp() { return text::Analyzer::fsp(); }

std::vector<Query> as_queries(const std::vector<std::string>& texts) {
  std::vector<Query> queries;
  for (const std::string& text : texts) queries.push_back({text, "", {}});
  return queries;
}

// Every way, and of the kernel every variant, with blocks and rows that so small a corpus still crosses.
std::vector<std::pair<Way, KernelOptions>> all_ways() {
  std::vector<std::pair<Way, KernelOptions>> ways = {{Way::kAutomatic, {}}, {Way::kMatcher, {}}, {Way::kPostings, {}}};
  for (const Simd simd : supported_simd()) {
    for (const std::uint32_t row_share : {0U, 5U, 1'000'000U}) {
      ways.push_back({Way::kKernel, {.simd = simd, .block = 64, .row_share = row_share}});
    }
    ways.push_back({Way::kKernel, {.simd = simd}});
  }
  return ways;
}

// Every way and several numbers of threads give what the definition gives: candidates, order, ties and score bits.
void expect_definition(const Corpus& corpus, const std::vector<Segment>& segments, const IndexDir& dir,
                       const std::vector<std::string>& texts, std::size_t k) {
  auto queries = as_queries(texts);
  const Bm25Options options = {.lucene_lengths = *rc::gen::arbitrary<bool>()};
  const Hits expected = corpus.oracle(fsp(), options).top(queries, k);
  // Where to look first: nowhere, at a candidate, at one that does not exist.
  for (Query& query : queries) query.own = {*rc::gen::inRange<std::int64_t>(0, 64)};
  const int threads = *rc::gen::inRange(1, 4);
  for (const auto& [way, kernel] : all_ways()) {
    const Bm25Linker linker(testing::paths(dir.path(), segments), corpus.table(), fsp(), options, way, kernel);
    tbb::task_arena arena(threads);
    const Hits got = arena.execute([&] { return linker.top(queries, k); });
    RC_ASSERT(got == expected);
  }
}

RC_GTEST_PROP(Bm25Linker, EqualsTheDefinitionOnAnySegmentsAndThreads, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 60);
  const Corpus corpus(*rc::gen::container<std::vector<std::string>>(size, testing::text_gen()));
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  const auto part = *rc::gen::container<std::vector<std::size_t>>(size, rc::gen::inRange<std::size_t>(0, count));
  const IndexDir dir;
  const auto segments = corpus.build(dir.path(), fsp(), part, count);
  auto texts =
      *rc::gen::container<std::vector<std::string>>(*rc::gen::inRange<std::size_t>(0, 12), testing::text_gen());
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 4); ++i) texts.push_back(corpus.texts[i]);
  expect_definition(corpus, segments, dir, texts, *rc::gen::element<std::size_t>(0, 1, 3, 10, 100));
}

// More than are gathered at once, and more such parts than are merged at once.
TEST(Bm25Linker, EqualsTheDefinitionOverManyDocuments) {
  std::vector<std::string> texts;
  for (int i = 0; i < 17'001; ++i) {
    texts.push_back(i % 7 == 3 ? "" : "fever w" + std::to_string(i) + " w" + std::to_string(i % 611));
  }
  const Corpus corpus(texts);
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  EXPECT_EQ(segment.documents, std::count_if(texts.begin(), texts.end(), [](const auto& t) { return !t.empty(); }));
  const std::vector<std::string> said = {"w0 fever", "w499", "w500 w610", "w15999 w16000 w16001", "w17000", "w16807"};
  const auto queries = as_queries(said);
  const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp(), {});
  EXPECT_EQ(linker.top(queries, 10), corpus.oracle(fsp()).top(queries, 10));
}

TEST(Bm25Linker, FindsAVeryLongTextAmongShortOnes) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "w" + std::to_string(i % 20'000) + " ";
  const Corpus corpus({"w7 short", text, "w19999", ""});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  EXPECT_EQ(segment.documents, 3U);
  const std::vector<std::string> texts = {"w7", "w19999 w19998", text};
  const auto queries = as_queries(texts);
  for (const auto& [way, kernel] : all_ways()) {
    const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp(), {}, way, kernel);
    EXPECT_EQ(linker.top(queries, 3), corpus.oracle(fsp()).top(queries, 3));
    const Bm25Options lucene = {.lucene_lengths = true};
    const Bm25Linker quantized({dir.path() / segment.file}, corpus.table(), fsp(), lucene, way, kernel);
    EXPECT_EQ(quantized.top(queries, 3), corpus.oracle(fsp(), lucene).top(queries, 3));
  }
}

TEST(Bm25Linker, CountsThousandsOfTiesAndGivesTheSmallestKeys) {
  std::vector<std::string> texts(5'000, "[NAME] was seen at [LOCATION]");
  texts.push_back("Anna was seen at [LOCATION] by Bert");
  const Corpus corpus(texts);
  std::vector<std::size_t> part;
  for (std::size_t i = 0; i < texts.size(); ++i) part.push_back(i % 3);
  const IndexDir dir;
  const auto segments = corpus.build(dir.path(), fsp(), part, 3);
  const std::vector<Query> query = {{"seen at location", "", {}}};
  for (const auto& [way, kernel] : all_ways()) {
    const Bm25Linker linker(testing::paths(dir.path(), segments), corpus.table(), fsp(), {}, way, kernel);
    const auto hits = linker.top(query, 2).front();
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_EQ(hits, corpus.oracle(fsp()).top(query, 2).front());
    EXPECT_EQ(hits[0].tied, 4'999U);
    EXPECT_EQ(hits[1].tied, 4'999U);
    EXPECT_LT(corpus.keys[hits[0].candidate.value - 1], corpus.keys[hits[1].candidate.value - 1]);
  }
}

TEST(Bm25Linker, HasNoHitsForAQueryWithoutIndexedTerms) {
  const Corpus corpus({"fever", ""});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp());
  const std::vector<Query> queries = {{"", "", {}}, {"unknown words", "", {}}, {"fever", "", {}}};
  const auto hits = linker.top(queries, 5);
  EXPECT_TRUE(hits[0].empty());
  EXPECT_TRUE(hits[1].empty());
  EXPECT_EQ(hits[2].size(), 1U);
}

TEST(Bm25Linker, ServesARunWithoutAnyText) {
  const Corpus corpus({"", "..."});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  EXPECT_EQ(segment.documents, 0U);
  const std::vector<Query> queries = {{"fever", "", {}}};
  for (const Way way : {Way::kMatcher, Way::kPostings, Way::kKernel}) {
    EXPECT_TRUE(Bm25Linker({dir.path() / segment.file}, corpus.table(), fsp(), {}, way).top(queries, 5)[0].empty());
    EXPECT_TRUE(Bm25Linker({}, corpus.table(), fsp(), {}, way).top(queries, 5)[0].empty());
  }
}

RC_GTEST_PROP(Bm25Linker, ExplainsEveryScoreToTheLastBit, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const Corpus corpus(*rc::gen::container<std::vector<std::string>>(size, testing::text_gen()));
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp());
  const std::string text = *testing::text_gen();
  const std::vector<Query> query = {{text, "", {}}};
  const auto hits = linker.top(query, size)[0];
  for (std::size_t i = 0; i < hits.size(); ++i) {
    auto shares = linker.explain(text, hits[i].candidate).value();
    RC_ASSERT(std::is_sorted(shares.begin(), shares.end(), [](auto& a, auto& b) { return a.score > b.score; }));
    std::sort(shares.begin(), shares.end(), [](auto& a, auto& b) { return a.term < b.term; });
    double sum = 0;
    for (const TermScore& share : shares) sum += share.score;
    RC_ASSERT(sum == hits[i].score);
    RC_ASSERT(linker.rank_of(text, hits[i].candidate) == i + 1);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const bool hit = std::any_of(hits.begin(), hits.end(), [&](const Hit& h) { return h.candidate == Corpus::id(i); });
    RC_ASSERT(linker.rank_of(text, Corpus::id(i)).has_value() == hit);
  }
  RC_ASSERT(!linker.explain(text, CandidateId{999}).has_value());
}

TEST(Bm25Linker, UsesItsOptions) {
  const Corpus corpus({"fever fever fever pain", "fever"});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const std::vector<Query> query = {{"fever", "", {}}};
  const Bm25Linker by_length({dir.path() / segment.file}, corpus.table(), fsp(), {.k1 = 0.9, .b = 1.0});
  const Bm25Linker flat({dir.path() / segment.file}, corpus.table(), fsp(), {.k1 = 0, .b = 0.4});
  EXPECT_EQ(flat.top(query, 2)[0][0].tied, 1U);
  EXPECT_EQ(by_length.top(query, 2)[0][0].tied, 0U);
}

TEST(Bm25Linker, GivesTheSameOnceItHasBuiltTheKernel) {
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back("note " + std::to_string(i % 97) + " of " + std::to_string(i % 11));
  const Corpus corpus(texts);
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const auto queries = as_queries(texts);
  const Hits expected = corpus.oracle(fsp()).top(queries, 5);
  const Bm25Linker linker({dir.path() / segment.file}, corpus.table(), fsp());
  const auto one = std::span(queries).first(1);
  EXPECT_EQ(linker.top(one, 5).front(), expected.front());
  EXPECT_EQ(linker.top(queries, 5), expected);
  EXPECT_EQ(linker.top(one, 5).front(), expected.front());
}

TEST(Bm25Linker, RefusesAnIndexOfOtherRecords) {
  const Corpus corpus({"fever", "pain", "wine"});
  const IndexDir dir;
  const Segment segment = corpus.build(dir.path(), fsp());
  const Corpus fewer({"fever", "pain"});
  const auto file = dir.path() / segment.file;
  EXPECT_THROW(Bm25Linker({file}, fewer.table(), fsp()), Error);
  EXPECT_THROW(Bm25Linker({file, file}, corpus.table(), fsp()), Error);
}

TEST(Bm25Linker, TurnsXapianErrorsIntoOurs) {
  const Corpus corpus({"fever"});
  const IndexDir dir;
  const auto file = dir.path() / "run1-0.glass";
  std::ofstream(file) << "not an index";
  for (const auto& path : {file, dir.path() / "absent.glass"}) {
    try {
      const Bm25Linker linker({path}, corpus.table(), fsp());
      FAIL() << "opened " << path;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::kCorrupt);
      EXPECT_FALSE(e.hint().empty());
    }
  }
}

}  // namespace
}  // namespace residue::index
