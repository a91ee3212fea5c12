#include "index/combined_linker.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/bm25/bm25_linker.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

using testing::Corpus;
using testing::IndexDir;

std::unique_ptr<Linker> open(const Corpus& corpus, const IndexDir& dir) {
  const Segment segment = corpus.build(dir.path(), text::Analyzer::fsp());
  return std::make_unique<Bm25Linker>(std::vector{dir.path() / segment.file}, corpus.table(), text::Analyzer::fsp());
}

// By definition: every candidate's scores added up, then sorted.
std::vector<Hit> by_definition(const std::vector<const Corpus*>& releases, const Query& query, std::size_t k) {
  std::map<std::int64_t, double> sums;
  for (const Corpus* release : releases) {
    const auto hits = release->oracle(text::Analyzer::fsp()).top(std::span(&query, 1), release->texts.size());
    for (const Hit& hit : hits[0]) sums[hit.candidate.value] += hit.score;
  }
  std::vector<Hit> all;
  for (const auto& [id, score] : sums) {
    const auto tied = std::count_if(sums.begin(), sums.end(), [&](const auto& other) { return other.second == score; });
    all.push_back({CandidateId{id}, score, static_cast<std::uint32_t>(tied - 1)});
  }
  const auto& keys = releases[0]->keys;
  std::sort(all.begin(), all.end(), [&](const Hit& a, const Hit& b) {
    if (a.score != b.score) return a.score > b.score;
    return keys[static_cast<std::size_t>(a.candidate.value - 1)] <
           keys[static_cast<std::size_t>(b.candidate.value - 1)];
  });
  all.resize(std::min(all.size(), k));
  return all;
}

RC_GTEST_PROP(CombinedLinker, SumsTheScoresOfAllReleases, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 25);
  const auto texts = [&] { return *rc::gen::container<std::vector<std::string>>(size, testing::text_gen()); };
  const Corpus a(texts()), b(texts());
  const IndexDir dir_a, dir_b;
  std::vector<std::unique_ptr<Linker>> releases;
  releases.push_back(open(a, dir_a));
  releases.push_back(open(b, dir_b));
  const CombinedLinker linker(std::move(releases), a.table());
  const std::vector<std::string> queries = {*testing::text_gen(), *testing::text_gen(), ""};
  const auto k = *rc::gen::element<std::size_t>(1, 3, 100);
  tbb::task_arena arena(*rc::gen::inRange(1, 4));
  std::vector<Query> asked;
  for (const std::string& text : queries) asked.push_back({text, "", {}});
  const auto got = arena.execute([&] { return linker.top(asked, k); });
  for (std::size_t i = 0; i < asked.size(); ++i) RC_ASSERT(got[i] == by_definition({&a, &b}, asked[i], k));
}

TEST(CombinedLinker, FindsWhatNeitherReleaseGivesAwayAlone) {
  const Corpus a({"nurse of [CITY] with asthma", "nurse of [CITY] with gout", "baker of [CITY] with asthma"});
  const Corpus b({"[JOB] of graz with [ILL]", "[JOB] of graz with [ILL]", "[JOB] of graz with [ILL]"});
  const Corpus c({"[JOB] of graz", "[JOB] of wien", "[JOB] of graz"});
  const IndexDir dir_a, dir_b, dir_c;
  std::vector<std::unique_ptr<Linker>> releases;
  releases.push_back(open(a, dir_a));
  releases.push_back(open(b, dir_b));
  releases.push_back(open(c, dir_c));
  const CombinedLinker linker(std::move(releases), a.table());
  const std::vector<Query> query = {{"a nurse from wien", "", {}}};
  EXPECT_EQ(linker.top(query, 1)[0][0].candidate, Corpus::id(1));
}

}  // namespace
}  // namespace residue::index
