#include "index/rouge/rouge_linker.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "index/rouge/rouge_simd.h"
#include "tests/index/corpus.h"
#include "tests/index/rouge/rouge_oracle.h"

namespace residue::index {
namespace {

using testing::Corpus;
using Way = RougeLinker::Way;
using Hits = std::vector<std::vector<Hit>>;

std::vector<Query> as_queries(const std::vector<std::string>& texts) {
  std::vector<Query> queries;
  for (const std::string& text : texts) queries.push_back({text, "", {}});
  return queries;
}

std::vector<RougeText> as_texts(const Corpus& corpus) {
  std::vector<RougeText> texts;
  for (std::size_t i = 0; i < corpus.texts.size(); ++i) texts.push_back({Corpus::id(i), corpus.texts[i]});
  return texts;
}

RougeOracle oracle(const Corpus& corpus, RougeScore score) {
  std::vector<RougeOracle::Document> documents;
  for (std::size_t i = 0; i < corpus.texts.size(); ++i) {
    documents.push_back({Corpus::id(i), corpus.keys[i], corpus.texts[i]});
  }
  return RougeOracle(documents, score);
}

std::vector<RougeSimd> machine() {
  std::vector<RougeSimd> result;
  for (const RougeSimd simd : {RougeSimd::kAutomatic, RougeSimd::kPortable, RougeSimd::kAvx2, RougeSimd::kAvx512}) {
    if (can_run(simd)) result.push_back(simd);
  }
  return result;
}

// The best `k` of more: what is tied with a hit does not depend on how many are asked for.
Hits first(Hits hits, std::size_t k) {
  for (auto& list : hits) list.resize(std::min(k, list.size()));
  return hits;
}

// Every instruction set and way, on some number of threads, gives what the definition gives: candidates, order, ties
// and score bits.
::testing::AssertionResult equals_definition(const Corpus& corpus, const std::vector<std::string>& texts,
                                             const std::vector<std::size_t>& ks, int threads) {
  const auto queries = as_queries(texts);
  tbb::task_arena arena(threads);
  for (const RougeScore score : {RougeScore::kF, RougeScore::kRecall}) {
    const Hits expected = oracle(corpus, score).top(queries, std::ranges::max(ks));
    for (const RougeSimd simd : machine()) {
      for (const Way way : {Way::kAutomatic, Way::kEveryPair, Way::kBounds}) {
        const RougeLinker linker(corpus.table(), as_texts(corpus), score, {simd, way});
        for (const std::size_t k : ks) {
          if (arena.execute([&] { return linker.top(queries, k); }) == first(expected, k)) continue;
          return ::testing::AssertionFailure() << rouge_kernels(simd).name << ", way " << static_cast<int>(way)
                                               << (score == RougeScore::kF ? ", F" : ", recall") << ", k " << k;
        }
      }
    }
  }
  return ::testing::AssertionSuccess();
}

// `length` words, mostly frequent ones of `vocabulary`: subsequences and ties of all lengths.
std::string some_words(std::uint64_t seed, std::size_t length, std::size_t vocabulary) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    const double u = static_cast<double>(hash_of(seed, "word", i) >> 11) * 0x1p-53;
    text += "w" + std::to_string(static_cast<std::size_t>(u * u * static_cast<double>(vocabulary))) + " ";
  }
  return text;
}

// `text` with `percent` of its words exchanged for others of the same vocabulary, from `from` on, `length` of them.
std::string part_of(const std::string& text, std::uint64_t seed, std::size_t from, std::size_t length,
                    std::uint64_t percent) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t i = 0, n = 0; at < text.size() && n < length; ++i) {
    const std::size_t end = text.find(' ', at);
    if (i >= from) {
      const bool kept = hash_of(seed, "keep", i) % 100 >= percent;
      result += kept ? text.substr(at, end - at) + " " : some_words(seed + i, 1, 300);
      ++n;
    }
    at = end + 1;
  }
  return result;
}

// Records of up to 150 words, and the claims an attacker has of them, of `lengths` words.
struct Attack {
  Corpus corpus;
  std::vector<std::string> queries;

  Attack(std::uint64_t seed, std::size_t records, std::size_t vocabulary, const std::vector<std::size_t>& lengths,
         std::uint64_t percent)
      : corpus(records_of(seed, records, vocabulary)) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::string& text = corpus.texts[hash_of(seed, "record", i) % records];
      queries.push_back(part_of(text, seed + i, i % 7, lengths[i], percent));
    }
  }

  static std::vector<std::string> records_of(std::uint64_t seed, std::size_t records, std::size_t vocabulary) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < records; ++i) {
      const std::uint64_t n = hash_of(seed, "length", i);
      texts.push_back(n % 29 == 0 && i > 0 ? texts.back()
                                           : some_words(n, n % 23 == 0 ? n % 3 : 20 + n % 130, vocabulary));
    }
    return texts;
  }
};

RC_GTEST_PROP(RougeLinker, EqualsTheDefinitionOnSmallTexts, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 40);
  const Corpus corpus(*rc::gen::container<std::vector<std::string>>(size, testing::text_gen()));
  auto texts =
      *rc::gen::container<std::vector<std::string>>(*rc::gen::inRange<std::size_t>(0, 12), testing::text_gen());
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 4); ++i) texts.push_back(corpus.texts[i]);
  const auto result = equals_definition(corpus, texts, {0, 1, 3, 10, 100}, *rc::gen::inRange(1, 4));
  if (!result) RC_FAIL(result.message());
}

TEST(RougeLinker, EqualsTheDefinitionForQueriesOfAnyLength) {
  const std::vector<std::size_t> lengths = {0,  1,  2,  7,  16, 30, 31,  32,  33,  34, 40,
                                            62, 63, 64, 65, 66, 99, 127, 128, 129, 150};
  for (const std::uint64_t percent : {10, 60, 95}) {
    Attack attack(percent, 700, 300, lengths, percent);
    attack.queries.push_back(some_words(1, 260, 300));
    attack.queries.push_back(some_words(2, 1100, 300));
    attack.queries.push_back("unknown " + some_words(3, 32, 300) + "words unheard of");
    EXPECT_TRUE(equals_definition(attack.corpus, attack.queries, {1, 3, 10, 100}, 2)) << percent;
  }
}

TEST(RougeLinker, EqualsTheDefinitionForManyQueries) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 270; ++i) lengths.push_back(10 + i % 50);
  for (const std::uint64_t percent : {20, 80}) {
    const Attack attack(percent, 700, 2'000, lengths, percent);
    EXPECT_TRUE(equals_definition(attack.corpus, attack.queries, {1, 10}, percent == 20 ? 3 : 1));
  }
}

// More texts than the chunks of one group hold; queries about texts of every length, so that every chunk has winners.
TEST(RougeLinker, EqualsTheDefinitionForManyTexts) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 34 * kChunkTexts; ++i) texts.push_back(some_words(i, 4 + i % 9, 900));
  const Corpus corpus(texts);
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < 300; ++i) queries.push_back(part_of(texts[i * 57], i, 0, 12, 10));
  EXPECT_TRUE(equals_definition(corpus, queries, {1}, 2));
}

TEST(RougeLinker, EqualsTheDefinitionForTextsOfThousandsOfTokens) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 12; ++i) texts.push_back(some_words(i, i % 3 == 0 ? 5'000 : 90, 400));
  texts.push_back(std::string());
  for (int i = 0; i < 3'000; ++i) texts.back() += "the ";
  const Corpus corpus(texts);
  const std::vector<std::string> queries = {some_words(99, 30, 400), some_words(98, 50, 400), some_words(97, 300, 400),
                                            "the the the the the the the the the the the the", texts[3]};
  EXPECT_TRUE(equals_definition(corpus, queries, {1, 10}, 2));
}

TEST(RougeLinker, CountsThousandsOfTiesAndGivesTheSmallestKeys) {
  std::vector<std::string> texts(2'000, "[NAME] was seen at [LOCATION]");
  texts.push_back("Anna was seen at [LOCATION] by Bert");
  const Corpus corpus(texts);
  const std::vector<std::string> queries = {"seen at location", "Anna was seen", "was was was"};
  EXPECT_TRUE(equals_definition(corpus, queries, {1, 3, 100}, 1));
  const auto hits = RougeLinker(corpus.table(), as_texts(corpus), RougeScore::kF).top(as_queries(queries), 2);
  EXPECT_EQ(hits[0][0].tied, 1'999U);
}

TEST(RougeLinker, RanksTheWorkedExample) {
  const Corpus corpus({"man drinks beer", "the old man often drinks cheap red wine at home"});
  const std::vector<Query> query = {{"man drinks wine", "", {}}};
  const auto f = RougeLinker(corpus.table(), as_texts(corpus), RougeScore::kF).top(query, 2).front();
  ASSERT_EQ(f.size(), 2U);
  EXPECT_EQ(f[0].candidate, Corpus::id(0));
  EXPECT_NEAR(f[0].score, 0.6667, 5e-5);
  EXPECT_NEAR(f[1].score, 0.4615, 5e-5);
  const auto recall = RougeLinker(corpus.table(), as_texts(corpus), RougeScore::kRecall).top(query, 2).front();
  ASSERT_EQ(recall.size(), 2U);
  EXPECT_EQ(recall[0].candidate, Corpus::id(1));
  EXPECT_EQ(recall[0].score, 1.0);
  EXPECT_NEAR(recall[1].score, 0.6667, 5e-5);
}

// Audit A11: accents that were dropped hide nobody.
TEST(RougeLinker, TakesAccentsForNothing) {
  const Corpus corpus({"Élodie lives in Zürich", "Elodie lives in Zurich", "Ann lives in Oslo"});
  for (const char* said : {"Élodie of Zürich", "Elodie of Zurich", "E\u0301lodie of Zu\u0308rich"}) {
    const std::vector<Query> query = {{said, "", {}}};
    const auto hits = RougeLinker(corpus.table(), as_texts(corpus), RougeScore::kF).top(query, 2).front();
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_NEAR(hits[0].score, 4.0 / 7, 5e-5) << said;
    EXPECT_EQ(hits[0].score, hits[1].score) << said;
  }
}

// Equal fractions that are different doubles: the larger double wins, whatever the keys.
TEST(RougeLinker, TiesAreThoseOfDoubles) {
  const auto f = [](std::uint64_t common, std::uint64_t query, std::uint64_t text) {
    return text::prf({common, query, text}).f;
  };
  std::size_t different = 0;
  for (std::uint32_t a = 1; a < 30; ++a) {
    for (std::uint32_t n = a; n < 60; ++n) {
      // b common tokens of a text of `other` tokens give the same fraction.
      const std::uint32_t b = a + 1;
      if ((20 + n) * b % a != 0 || b > 20 || a > 20) continue;
      const std::uint32_t other = (20 + n) * b / a - 20;
      if (other < b || f(a, 20, n) == f(b, 20, other)) continue;
      ++different;
      std::string query, left, right;
      for (std::uint32_t i = 0; i < 20; ++i) query += "q" + std::to_string(i) + " ";
      for (std::uint32_t i = 0; i < n; ++i) left += (i < a ? "q" : "x") + std::to_string(i) + " ";
      for (std::uint32_t i = 0; i < other; ++i) right += (i < b ? "q" : "y") + std::to_string(i) + " ";
      EXPECT_TRUE(equals_definition(Corpus({left, right}), {query}, {1}, 1)) << a << " of " << n;
      EXPECT_TRUE(equals_definition(Corpus({right, left}), {query}, {1, 2}, 1)) << a << " of " << n;
    }
  }
  EXPECT_GT(different, 5U);
}

TEST(RougeLinker, ExplainsAndRanksEveryCandidate) {
  const Attack attack(5, 80, 100, {20, 70}, 50);
  const auto queries = as_queries(attack.queries);
  for (const RougeScore score : {RougeScore::kF, RougeScore::kRecall}) {
    const RougeLinker linker(attack.corpus.table(), as_texts(attack.corpus), score);
    const Hits all = oracle(attack.corpus, score).top(queries, 80);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t i = 0; i < all[q].size(); ++i) {
        EXPECT_EQ(linker.rank_of(queries[q].text, all[q][i].candidate), i + 1);
        const text::Prf prf = text::prf(linker.explain(queries[q].text, all[q][i].candidate).value());
        EXPECT_EQ(score == RougeScore::kF ? prf.f : prf.r, all[q][i].score);
      }
      for (std::size_t i = 0; i < 80; ++i) {
        const bool hit =
            std::any_of(all[q].begin(), all[q].end(), [&](const Hit& h) { return h.candidate == Corpus::id(i); });
        EXPECT_EQ(linker.rank_of(queries[q].text, Corpus::id(i)).has_value(), hit);
      }
    }
    EXPECT_FALSE(linker.rank_of("w1 w2", CandidateId{999}).has_value());
    EXPECT_FALSE(linker.explain("w1 w2", CandidateId{999}).has_value());
  }
}

TEST(RougeLinker, ServesARunWithoutAnyText) {
  const Corpus corpus({"", "..."});
  EXPECT_TRUE(equals_definition(corpus, {"fever", "", "..."}, {5}, 1));
  EXPECT_TRUE(RougeLinker(corpus.table(), {}, RougeScore::kF).top(as_queries({"fever"}), 5)[0].empty());
}

TEST(RougeLinker, RefusesTextsOfOtherRecords) {
  const Corpus corpus({"fever", "pain"});
  const std::vector<RougeText> unknown = {{CandidateId{77}, "fever"}};
  const std::vector<RougeText> twice = {{Corpus::id(0), "fever"}, {Corpus::id(0), "pain"}};
  EXPECT_THROW(RougeLinker(corpus.table(), unknown, RougeScore::kF), Error);
  EXPECT_THROW(RougeLinker(corpus.table(), twice, RougeScore::kF), Error);
}

TEST(RougeOracle, FindsTheLongestCommonSubsequence) {
  const std::vector<std::uint32_t> a = {1, 2, 3, 4, 2};
  const std::vector<std::uint32_t> b = {2, 1, 4, 2, 9};
  EXPECT_EQ(lcs_by_rows(a, b), 3U);
  EXPECT_EQ(lcs_by_rows(a, {}), 0U);
  EXPECT_EQ(lcs_by_rows({}, b), 0U);
  EXPECT_EQ(lcs_by_rows(a, a), 5U);
}

}  // namespace
}  // namespace residue::index
