#include "index/bm25/bm25_weight.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "index/bm25/bm25_linker.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

// Xapian's matcher with our weight, over the same two segments, against the linker's canonical sums.
TEST(Bm25Weight, GivesXapianTheScoresOfTheLinker) {
  const text::Analyzer& analyzer = text::Analyzer::fsp();
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 600; ++i) {
    std::string text;
    for (std::uint64_t j = 0; j < 3 + mix(i) % 40; ++j) {
      const std::uint64_t draw = mix(i * 1000 + j) % 400;
      text += "t" + std::to_string(draw * draw / 400) + " ";
    }
    texts.push_back(text);
  }
  const testing::Corpus corpus(texts);
  const testing::IndexDir dir;
  std::vector<std::size_t> part;
  for (std::size_t i = 0; i < texts.size(); ++i) part.push_back(i < 450 ? 0 : 1);
  const auto files = testing::paths(dir.path(), corpus.build(dir.path(), analyzer, part, 2));
  const Bm25Linker linker(files, corpus.table(), analyzer, {}, Bm25Linker::Way::kPostings);

  Xapian::Database db;
  for (const auto& file : files) db.add_database(Xapian::Database(file.string()));
  Xapian::Enquire enquire(db);
  enquire.set_weighting_scheme(Bm25Weight(Bm25Options{}));

  std::size_t compared = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    std::vector<std::string> terms;
    analyzer.terms(texts[i * 6], terms);
    Xapian::Query query;
    for (const std::string& term : terms) query |= Xapian::Query(term);
    enquire.set_query(query);
    const Xapian::MSet found = enquire.get_mset(0, 50);
    const std::vector<Query> queries = {{texts[i * 6], "", {}}};
    const auto hits = linker.top(queries, 50)[0];
    ASSERT_EQ(hits.size(), found.size());
    for (std::size_t h = 0; h < hits.size(); ++h, ++compared) {
      EXPECT_NEAR(hits[h].score, found[static_cast<Xapian::doccount>(h)].get_weight(), 1e-9 * hits[h].score);
    }
  }
  EXPECT_GT(compared, 4'000U);
}

}  // namespace
}  // namespace residue::index
