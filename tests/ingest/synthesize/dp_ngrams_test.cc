#include "ingest/synthesize/dp_ngrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace residue::ingest {
namespace {

using text::NgramTrie;
using text::TokenId;
using text::TokenTable;

void add(NgramCorpus& corpus, const std::string& unit, std::uint32_t code, std::string_view text) {
  const std::string key = std::to_string(corpus.documents.size());
  corpus.documents.push_back({key, unit, code, corpus.tokens.read(text)});
}

// Noise that is always 0, and thresholds that all counts pass.
numbers::Accounting noiseless(std::size_t order, std::int64_t threshold = 0) {
  numbers::Accounting accounting;
  accounting.tables.assign(order + 1, {{1}, threshold});
  return accounting;
}

// Counts by code and text of the n-gram; that of the code itself under "".
std::map<std::string, std::int64_t> counts_of(const NgramCorpus& corpus, const NgramTrie& trie) {
  std::map<std::string, std::int64_t> out;
  for (NgramTrie::Node node = 0; node < trie.size(); ++node) {
    std::vector<TokenId> tokens;
    NgramTrie::Node at = node;
    for (; at >= corpus.codes.size(); at = trie.parent(at)) tokens.insert(tokens.begin(), trie.token(at));
    std::string name = corpus.codes[at] + ":";
    for (const TokenId token : tokens) {
      name += token == TokenTable::kStart ? "^" : token == TokenTable::kEnd ? "$" : corpus.tokens.spelling(token);
    }
    if (trie.count(node) != 0) out[name] = trie.count(node);
  }
  return out;
}

std::map<std::string, std::int64_t> released(const NgramCorpus& corpus, std::size_t order, const NgramBounds& bounds,
                                             const numbers::Accounting& accounting, const std::string& key = "key") {
  return counts_of(corpus, private_ngrams(corpus, order, bounds, accounting, key));
}

TEST(DpNgrams, CountsUnitsAndNotOccurrences) {
  NgramCorpus corpus;
  corpus.codes = {"x", "y"};
  add(corpus, "ann", 0, "a a a b");
  add(corpus, "ann", 0, "a c");
  add(corpus, "bob", 0, "a b");
  add(corpus, "eve", 1, "a");
  EXPECT_EQ(released(corpus, 2, {100, 5}, noiseless(2)), (std::map<std::string, std::int64_t>{{"x:", 3},
                                                                                              {"x:^", 3},
                                                                                              {"x: a", 2},
                                                                                              {"x: b", 2},
                                                                                              {"x: c", 1},
                                                                                              {"x:$", 2},
                                                                                              {"x:^ a", 2},
                                                                                              {"x: a a", 1},
                                                                                              {"x: a b", 2},
                                                                                              {"x: a c", 1},
                                                                                              {"x: b$", 2},
                                                                                              {"x: c$", 1},
                                                                                              {"y:", 1},
                                                                                              {"y:^", 1},
                                                                                              {"y: a", 1},
                                                                                              {"y:$", 1},
                                                                                              {"y:^ a", 1},
                                                                                              {"y: a$", 1}}));
  const auto one = released(corpus, 1, {100, 1}, noiseless(1));
  EXPECT_EQ(one.at("x:"), 2) << "one record of a person";
}

TEST(DpNgrams, BuildsOnlyOnWhatWasReleased) {
  NgramCorpus corpus;
  corpus.codes = {"", "rare"};
  for (const char* unit : {"1", "2", "3"}) add(corpus, unit, 0, "a b c");
  add(corpus, "4", 0, "a z c");
  add(corpus, "5", 1, "a b c");
  const auto seen = released(corpus, 3, {100, 1}, noiseless(3, 1));
  EXPECT_EQ(seen.at(": a b c"), 3);
  EXPECT_EQ(seen.at(":^ a b"), 3);
  for (const auto& [name, count] : seen) {
    EXPECT_GT(count, 1) << name;
    EXPECT_EQ(name.find('z'), std::string::npos);
    EXPECT_FALSE(name.starts_with("rare"));
  }
  corpus.codes_are_secret = false;
  EXPECT_EQ(released(corpus, 1, {100, 1}, noiseless(1, 1)).at("rare:"), 1);
}

// What a unit may add is not spent on n-grams that cannot be released: of the 21 pairs of unit 4 two can.
TEST(DpNgrams, SpendNothingOnWhatCannotBeReleased) {
  NgramCorpus corpus;
  corpus.codes = {""};
  for (const char* unit : {"1", "2", "3"}) add(corpus, unit, 0, "a b");
  std::string rare = "a b";
  for (char c = 'm'; c < 'w'; ++c) rare += std::string{' ', c, ' ', 'a'};
  add(corpus, "4", 0, rare);
  const auto seen = released(corpus, 2, {4, 1}, noiseless(2, 1));
  EXPECT_EQ(seen.at(": a b"), 4);
  EXPECT_EQ(seen.at(":^ a"), 4);
}

// With and without a unit, over random corpora in which others have said everything: what it adds to a table has at
// most the sensitivity that the accounting is of.
TEST(DpNgrams, BoundWhatAUnitAdds) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    NgramCorpus corpus;
    corpus.codes = {"p", "q"};
    const std::string words = "abcd";
    for (const std::uint32_t code : {0U, 1U}) {
      for (const char a : words) {
        for (const char b : words) {
          for (const char c : words) {
            for (int copy = 0; copy < 8; ++copy) {
              add(corpus, "base" + std::to_string(corpus.documents.size()), code, std::string{a, ' ', b, ' ', c});
            }
          }
        }
      }
    }
    const NgramBounds bounds{1 + seed % 7, 1 + seed % 3};
    const numbers::Accounting none = noiseless(3);
    const auto before = released(corpus, 3, bounds, none);
    for (int text = 0; text < 4; ++text) {
      std::string said;
      for (std::uint64_t i = 0; i < 12; ++i) said += std::string{words[hash_of(seed, said, i) % 4], ' '};
      add(corpus, "new", hash_of(seed, said) % 2, said);
    }
    const auto after = released(corpus, 3, bounds, none);
    std::map<std::size_t, std::int64_t> squares, most;
    for (const auto& [name, count] : after) {
      const auto old = before.find(name);
      const std::int64_t more = count - (old == before.end() ? 0 : old->second);
      ASSERT_GE(more, 0);
      if (name.ends_with('^')) continue;  // the code's count once more
      std::size_t order = 0;
      for (const char c : name.substr(2)) order += c == ' ' ? 0 : 1;
      squares[order] += more * more;
      most[order] = std::max(most[order], more);
    }
    const auto records = static_cast<std::int64_t>(bounds.records);
    EXPECT_LE(squares[0], records * records);
    EXPECT_GT(squares[0], 0);
    for (const std::size_t order : {1U, 2U, 3U}) {
      EXPECT_LE(squares[order], static_cast<std::int64_t>(bounds.ngrams));
      EXPECT_LE(most[order], 1);
    }
    EXPECT_EQ(squares[3], static_cast<std::int64_t>(bounds.ngrams)) << "it has more to say than it may";
  }
}

TEST(DpNgrams, DependOnTheSetOfDocuments) {
  NgramCorpus corpus, other;
  corpus.codes = other.codes = {""};
  const std::vector<std::string> texts{"a b c", "c b a", "b b c d", "d"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    corpus.documents.push_back({texts[i], texts[i], 0, corpus.tokens.read(texts[i])});
    const std::string& last = texts[texts.size() - 1 - i];
    other.documents.push_back({last, last, 0, other.tokens.read(last)});
  }
  const NgramBounds bounds{3, 1};
  const numbers::Accounting accounting = account_ngrams({8, 0.1}, bounds, 2);
  EXPECT_EQ(released(corpus, 2, bounds, accounting), released(other, 2, bounds, accounting));
  std::set<std::map<std::string, std::int64_t>> different;
  for (const char* key : {"1", "2", "3", "4"}) different.insert(released(corpus, 2, bounds, accounting, key));
  EXPECT_GT(different.size(), 1U) << "another key is other noise";
}

// Twelve units that say the same four words, and one more: the largest epsilon that the frequencies of events prove, at
// a confidence of 99.9 %, when the sum of what is released reaches t. Hoeffding's bound on both frequencies and all t.
double proven_epsilon(const numbers::Accounting& accounting, double delta, const NgramBounds& bounds, int runs) {
  const auto sums = [&](int units) {
    NgramCorpus corpus;
    corpus.codes = {""};
    corpus.codes_are_secret = false;
    for (int i = 0; i < units; ++i) add(corpus, std::to_string(i), 0, "a b c");
    std::vector<std::int64_t> out;
    for (int run = 0; run < runs; ++run) {
      std::int64_t sum = 0;
      for (const auto& [name, count] :
           released(corpus, 1, bounds, accounting, std::to_string(units) + "/" + std::to_string(run))) {
        if (name != ":" && name != ":^") sum += count;
      }
      out.push_back(sum);
    }
    return out;
  };
  const auto with = sums(13), without = sums(12);
  const double margin = std::sqrt(std::log(2 * 100 / 0.001) / (2.0 * runs));
  double proven = 0;
  for (std::int64_t t = 0; t < 100; ++t) {
    const auto share = [&](const std::vector<std::int64_t>& of) {
      return static_cast<double>(std::ranges::count_if(of, [t](std::int64_t sum) { return sum >= t; })) / runs;
    };
    const double low = share(with) - margin - delta;
    if (low > 0) proven = std::max(proven, std::log(low / (share(without) + margin)));
    const double low_without = 1 - share(without) - margin - delta;
    if (low_without > 0) proven = std::max(proven, std::log(low_without / (1 - share(with) + margin)));
  }
  return proven;
}

TEST(DpNgrams, NeighboursAreAsAlikeAsPromised) {
  const NgramBounds bounds{4, 1};
  const numbers::PrivacyBudget budget{2, 0.01};
  numbers::Accounting accounting = account_ngrams(budget, bounds, 1);
  accounting.tables[1].threshold = -1000;  // it would hide all of these; what is behind it may be told as well
  EXPECT_LT(proven_epsilon(accounting, budget.delta, bounds, 3000), budget.epsilon);
  // With a twentieth of the noise that is not so, and the test sees it.
  accounting.tables[1].variance.scaled /= 400;
  EXPECT_GT(proven_epsilon(accounting, budget.delta, bounds, 3000), budget.epsilon);
}

// Words of one unit alone come out with at most the share of delta that their table has.
TEST(DpNgrams, WhatOnlyOneUnitSaidStaysUnseen) {
  const NgramBounds bounds{4, 1};
  numbers::Accounting accounting = account_ngrams({2, 0.4}, bounds, 1);
  const auto share_seen = [&](int runs) {
    NgramCorpus corpus;
    corpus.codes = {""};
    corpus.codes_are_secret = false;
    add(corpus, "1", 0, "a b c");
    int seen = 0;
    for (int run = 0; run < runs; ++run) {
      const auto out = released(corpus, 1, bounds, accounting, std::to_string(run));
      seen +=
          std::ranges::any_of(out, [](const auto& item) { return item.first != ":" && item.first != ":^"; }) ? 1 : 0;
    }
    return static_cast<double>(seen) / runs;
  };
  EXPECT_DOUBLE_EQ(accounting.table_delta, 0.1);
  const double seen = share_seen(2000);
  EXPECT_LT(seen, 0.1);
  EXPECT_GT(seen, 0) << "it is spent";
  accounting.tables[1].threshold = 1;
  EXPECT_GT(share_seen(200), 0.5) << "without the threshold";
}

}  // namespace
}  // namespace residue::ingest
