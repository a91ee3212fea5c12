#include "query/explain/search.h"

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "query/explain/snippet.h"
#include "tests/index/bm25/bm25_oracle.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Search : public QueryStore {
 protected:
  OpenRun open(const std::string& run, IndexUse use = IndexUse::kBuild, const char* protocol = "bm25") {
    const storage::Lock held = store().hold_texts();
    return open_run(store(), "d", run, parse_protocol(protocol), use);
  }
  std::vector<std::string> keys(const std::string& run, std::string_view text, std::size_t k = 10) {
    std::vector<std::string> found;
    for (const TextHit& hit : find_hits(open(run), text, k)) found.push_back(hit.key);
    return found;
  }
};

using Keys = std::vector<std::string>;

double sum_of(std::vector<index::TermScore> terms) {
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.term < b.term; });
  double sum = 0;
  for (const index::TermScore& term : terms) sum += term.score;
  return sum;
}

TEST_F(Search, RanksTheTextsOfARunAndSaysByWhichTerms) {
  add_records({record("a", "Ann nurse nurse bees"), record("b", "Bob cook"), record("c", "Cid nurse")});
  add_run("r", {variant("a", "[NAME] nurse bees"), variant("c", "[NAME] nurse")});
  EXPECT_EQ(keys("none", "a nurse with bees"), (Keys{"a", "c"}));
  EXPECT_EQ(keys("none", "a nurse with bees", 1), Keys{"a"});
  EXPECT_EQ(keys("r", "cook"), Keys{});
  const auto hits = find_hits(open("r"), "Nurses, nurses! bees", 10);
  ASSERT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[0].rank, 1U);
  EXPECT_EQ(hits[0].terms[0].term, "bee");
  EXPECT_EQ(hits[0].terms[1].in_query, 2U);
  EXPECT_EQ(hits[1].rank, 2U);
  EXPECT_EQ(hits[1].terms.size(), 1U);
  EXPECT_EQ(sum_of(hits[0].terms), hits[0].score);
}

TEST_F(Search, KnowsRunsWithoutTextAndRunsOfNobody) {
  add_records({record("a", "Ann nurse"), record("b", "Bob cook")});
  add_run("s", {variant("s1", "a nurse"), variant("s2", "a cook")}, true);
  EXPECT_FALSE(open("remove-all").has_text());
  EXPECT_EQ(keys("remove-all", "nurse"), Keys{});
  EXPECT_TRUE(open("s").has_text());
  EXPECT_EQ(keys("s", "cook"), Keys{"s2"});
  EXPECT_THROW(open("absent"), Error);
}

TEST_F(Search, WritesNothingWhereItMayNotBuild) {
  add_records({record("a", "Ann nurse"), record("b", "Bob cook")});
  EXPECT_EQ(ingest::testing::error_of([&] { open("none", IndexUse::kAsStored); }).first, 3);
  EXPECT_EQ(number("SELECT count(*) FROM index_segment"), 0);
  open("none");
  EXPECT_NO_THROW(open("none", IndexUse::kAsStored));
  EXPECT_THROW(open("none", IndexUse::kAsStored, "bm25[analyzer=plain]"), Error);
  add_records({record("c", "Cid")});
  EXPECT_THROW(open("none", IndexUse::kAsStored), Error);
  EXPECT_EQ(keys("none", "Cid"), Keys{"c"});
  for (const auto& file : std::filesystem::directory_iterator(store().index_dir())) {
    std::filesystem::resize_file(file.path(), 100);
  }
  EXPECT_THROW(open("none", IndexUse::kAsStored), Error);
}

TEST_F(Search, RefusesLinkersWithoutTerms) {
  EXPECT_NO_THROW(require_bm25(parse_protocol("bm25/all"), "rank a text"));
  EXPECT_THROW(require_bm25(parse_protocol("random/all"), "rank a text"), Error);
}

// Ranks, scores and ties are those of BM25 by definition.
TEST_F(Search, EqualsTheOracleOnRandomRuns) {
  int round = 0;
  rc::check([&] {
    const auto word = rc::gen::elementOf(std::vector<std::string>{"fever", "pain", "knee", "nurse", "the", "Öl", "x"});
    const auto texts = *rc::gen::container<std::vector<std::vector<std::string>>>(
        8, rc::gen::container<std::vector<std::string>>(word));
    const auto query = fmt::format("{}", fmt::join(*rc::gen::container<std::vector<std::string>>(word), " "));
    const std::string run = fmt::format("r{}", round++);
    std::vector<RecordRow> records;
    std::vector<VariantRow> variants;
    std::vector<std::string> joined;
    std::vector<index::Bm25Oracle::Document> documents;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      joined.push_back(fmt::format("{}", fmt::join(texts[i], " ")));
      records.push_back(record(fmt::format("r{}", i), "x"));
      variants.push_back(variant(records.back().key, joined.back()));
    }
    add_records(records);
    add_run(run, variants);
    const OpenRun opened = open(run);
    for (std::size_t i = 0; i < opened.candidates.ids.size(); ++i) {
      const auto at = static_cast<std::size_t>(std::stoi(opened.candidates.keys[i].substr(1)));
      documents.push_back({opened.candidates.ids[i], opened.candidates.keys[i], joined[at]});
    }
    const index::Bm25Oracle oracle(documents, text::Analyzer::fsp());
    const std::vector<index::Query> queries{{query, "", {}}};
    const auto expected = oracle.top(queries, kMaxHits).front();
    const auto hits = find_hits(opened, query, kMaxHits);
    RC_ASSERT(hits.size() == expected.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      RC_ASSERT(hits[i].rank == i + 1);
      RC_ASSERT((index::Hit{hits[i].candidate, hits[i].score, hits[i].tied} == expected[i]));
      RC_ASSERT(sum_of(hits[i].terms) == hits[i].score);
    }
  });
}

std::string marked(const Snippet& snippet) {
  std::string out = snippet.text;
  for (auto mark = snippet.marks.rbegin(); mark != snippet.marks.rend(); ++mark) {
    out.insert(mark->end, "]");
    out.insert(mark->begin, "[");
  }
  return out;
}

TEST(Snippet, ShowsTheHeaviestStretchAndMarksItsWords) {
  const struct {
    const char* text;
    std::map<std::string, double, std::less<>> weights;
    std::size_t columns;
    const char* expected;
  } cases[] = {
      {"Ann keeps bees.", {{"bee", 1}}, 80, "Ann keeps [bees]."},
      {"Ann\n\nkeeps\t bees ", {{"keep", 1}}, 80, "Ann [keeps] bees "},
      {"one two three four bees five six seven", {{"bee", 1}}, 24, "… two three four [bees] five …"},
      {"bees one two three four five bees wax", {{"bee", 1}, {"wax", 2}}, 9, "… [bees] [wax]"},
      {"bees one two bees one two", {{"bee", 1}}, 8, "[bees] one …"},
      {"nothing of it", {{"bee", 1}}, 7, "nothing …"},
      {"bad \x1b[1m bees", {{"bee", 1}}, 80, "bad \\x1b[1m [bees]"},
      {"Øl is\xC2\xA0nice", {{"ol", 1}, {"nice", 1}}, 80, "[Øl] is [nice]"},
      {"", {{"bee", 1}}, 80, ""},
      {"...", {{"bee", 1}}, 80, "..."},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(marked(make_snippet(one.text, text::Analyzer::fsp(), one.weights, one.columns)), one.expected);
  }
}

}  // namespace
}  // namespace residue::query::testing
