#include "index/bm25_kernel/bm25_kernel.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "index/bm25/term_table.h"
#include "index/bm25_kernel/bm25_rows.h"

namespace residue::index {
namespace {

// Documents as term -> tf, and the kernel's answer by definition.
struct Collection final : PostingSource {
  std::vector<std::map<std::uint32_t, std::uint32_t>> documents;
  std::vector<double> norms;
  std::vector<std::vector<Posting>> lists;

  Collection(std::vector<std::map<std::uint32_t, std::uint32_t>> all, std::size_t terms)
      : documents(std::move(all)), lists(terms) {
    double total = 0;
    std::vector<std::uint64_t> lengths;
    for (const auto& document : documents) {
      lengths.push_back(0);
      for (const auto& [term, tf] : document) lengths.back() += tf;
      total += static_cast<double>(lengths.back());
    }
    for (const auto length : lengths) norms.push_back(bm25_norm({}, length, total / count()));
    for (std::uint32_t rank = 0; rank < documents.size(); ++rank) {
      for (const auto& [term, tf] : documents[rank]) lists[term].push_back({rank, tf});
    }
  }

  double count() const { return static_cast<double>(documents.size()); }
  std::size_t terms() const override { return lists.size(); }
  std::uint32_t containing(std::uint32_t term) const override { return static_cast<std::uint32_t>(lists[term].size()); }
  void read(std::uint32_t term, std::vector<Posting>& out) const override {
    out.assign(lists[term].rbegin(), lists[term].rend());
  }

  std::vector<RankedHit> by_definition(std::span<const KernelTerm> query, std::size_t k) const {
    std::vector<RankedHit> all;
    for (std::uint32_t rank = 0; rank < documents.size(); ++rank) {
      double sum = 0;
      for (const auto& [term, wqf] : query) {
        const auto found = documents[rank].find(term);
        if (found == documents[rank].end()) continue;
        sum += bm25_part(bm25_idf(documents.size(), containing(term)) * wqf, found->second, norms[rank]);
      }
      if (sum > 0) all.push_back({rank, sum, 0});
    }
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.score > b.score; });
    std::map<double, std::uint32_t> equal;
    for (const RankedHit& hit : all) ++equal[hit.score];
    for (RankedHit& hit : all) hit.tied = equal[hit.score] - 1;
    all.resize(std::min(k, all.size()));
    return all;
  }
};

// Few terms are frequent, most are rare; frequencies reach beyond a byte.
rc::Gen<std::uint32_t> term_gen(std::uint32_t terms) {
  return rc::gen::weightedOneOf<std::uint32_t>(
      {{3, rc::gen::inRange<std::uint32_t>(0, std::min(terms, 6U))}, {2, rc::gen::inRange<std::uint32_t>(0, terms)}});
}

rc::Gen<std::map<std::uint32_t, std::uint32_t>> counts_gen(std::uint32_t terms) {
  return rc::gen::container<std::map<std::uint32_t, std::uint32_t>>(
      term_gen(terms), rc::gen::weightedOneOf<std::uint32_t>({{20, rc::gen::inRange<std::uint32_t>(1, 5)},
                                                              {1, rc::gen::inRange<std::uint32_t>(250, 70'000)}}));
}

RC_GTEST_PROP(Bm25Kernel, EqualsTheDefinitionForEveryVariantAndBlock, ()) {
  const auto terms = *rc::gen::inRange<std::uint32_t>(1, 200);
  auto few = *rc::gen::container<std::vector<std::map<std::uint32_t, std::uint32_t>>>(counts_gen(terms));
  // Many documents of few kinds: ties across blocks.
  std::vector<std::map<std::uint32_t, std::uint32_t>> documents;
  const auto copies = *rc::gen::element<std::size_t>(1, 1, 2, 40);
  for (std::size_t i = 0; i < copies; ++i) documents.insert(documents.end(), few.begin(), few.end());
  const Collection collection(documents, terms);

  std::vector<std::vector<KernelTerm>> queries;
  for (int i = 0; i < 8; ++i) {
    auto& query = queries.emplace_back();
    for (const auto& [term, wqf] : *counts_gen(terms)) query.push_back({term, wqf});
  }
  for (const Simd simd : supported_simd()) {
    const KernelOptions options = {.simd = simd,
                                   .block = *rc::gen::element<std::uint32_t>(64, 128, 65'536),
                                   .row_share = *rc::gen::element<std::uint32_t>(0, 2, 10, 1'000'000)};
    const Bm25Kernel kernel(collection, collection.norms, documents.size(), options);
    for (const std::size_t k : {1, 3, 10, 100}) {
      std::vector<KernelQuery> wanted;
      for (const auto& query : queries) {
        wanted.push_back({query, KernelQuery::kNoHint});
        if (!documents.empty() && *rc::gen::arbitrary<bool>()) {
          wanted.back().hint = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(documents.size()));
        }
      }
      const auto got = kernel.top(wanted, k);
      for (std::size_t i = 0; i < queries.size(); ++i) RC_ASSERT(got[i] == collection.by_definition(queries[i], k));
    }
  }
}

TEST(Bm25Kernel, AnswersAQueryOfThousandsOfTerms) {
  std::vector<std::map<std::uint32_t, std::uint32_t>> documents(300);
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    for (std::uint32_t j = 0; j < 60; ++j) documents[i][(i * i + j * 37) % 6'000] = j % 7 + 1;
  }
  const Collection collection(documents, 6'000);
  for (const std::uint32_t length : {200U, 2'000U, 4'096U, 4'097U, 6'000U}) {
    std::vector<KernelTerm> terms;
    for (std::uint32_t term = 0; term < length; ++term) terms.push_back({term, term % 3 + 1});
    const KernelQuery query = {terms};
    for (const Simd simd : supported_simd()) {
      const Bm25Kernel kernel(collection, collection.norms, 300, {.simd = simd, .block = 128, .row_share = 1'000'000});
      EXPECT_EQ(kernel.top({&query, 1}, 10).front(), collection.by_definition(terms, 10)) << length;
    }
  }
}

// Texts searched for with texts: as many terms as they have, with their frequencies, and bounds that are nearly full.
TEST(Bm25Kernel, AnswersWholeDocumentsAsQueries) {
  std::uint64_t state = 4;
  const auto draw = [&](std::uint64_t n) { return mix(++state) % n; };
  std::vector<std::map<std::uint32_t, std::uint32_t>> documents(260);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::size_t words = i % 20 == 0 ? 9'000 : 1 + draw(300);
    for (std::size_t n = 0; n < words; ++n) {
      const std::uint64_t most = draw(3) == 0 ? 40 : 7'000;
      ++documents[i][static_cast<std::uint32_t>(draw(most))];
    }
    if (i % 9 == 0) documents[i][3] += 70'000;
  }
  const Collection collection(documents, 7'000);
  for (const Simd simd : supported_simd()) {
    const Bm25Kernel kernel(collection, collection.norms, documents.size(), {.simd = simd, .block = 128});
    for (std::size_t i = 0; i < documents.size(); i += i % 20 == 0 ? 1 : 7) {
      std::vector<KernelTerm> terms;
      for (const auto& [term, tf] : documents[i]) terms.push_back({term, tf});
      const KernelQuery query = {terms};
      EXPECT_EQ(kernel.top({&query, 1}, 4).front(), collection.by_definition(terms, 4)) << i;
    }
  }
}

RC_GTEST_PROP(Bm25Rows, EveryVariantAddsTheSame, ()) {
  const auto chunks = *rc::gen::inRange<std::size_t>(1, 12);
  const std::size_t n = chunks * kChunk;
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(n * count, rc::gen::arbitrary<std::uint8_t>());
  std::vector<ImpactRow> rows;
  for (std::size_t r = 0; r < count; ++r) {
    rows.push_back({bytes.data() + r * n, static_cast<std::uint8_t>(*rc::gen::inRange(0, 32))});
  }
  const auto factor = *rc::gen::inRange<std::uint16_t>(0, 65'535);
  std::vector<std::uint16_t> before =
      *rc::gen::container<std::vector<std::uint16_t>>(n, rc::gen::inRange<std::uint16_t>(0, 100));
  std::vector<std::uint32_t> chosen;
  for (std::size_t c = 0; c < chunks; ++c) {
    if (*rc::gen::arbitrary<bool>()) chosen.push_back(static_cast<std::uint32_t>(c * kChunk));
  }
  for (const Simd simd : supported_simd()) {
    auto sums = before;
    row_ops(simd).add(sums.data(), chosen, rows, factor);
    std::vector<std::uint16_t> maxima(chunks);
    row_ops(simd).maxima(sums.data(), n, maxima.data());
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t total = 0;
      if (std::find(chosen.begin(), chosen.end(), i / kChunk * kChunk) == chosen.end()) {
        RC_ASSERT(sums[i] == before[i]);
        continue;
      }
      for (const ImpactRow& row : rows) total += std::uint64_t{row.impacts[i]} * row.weight;
      // 16 bits keep the low part of what a caller must not let overflow.
      const auto expected = before[i] + ((total & 0xffff) * factor >> 16) + ((total & 0xffff) != 0);
      RC_ASSERT(sums[i] == (expected & 0xffff));
    }
    for (std::size_t c = 0; c < chunks; ++c) {
      RC_ASSERT(maxima[c] == *std::max_element(sums.begin() + c * kChunk, sums.begin() + (c + 1) * kChunk));
    }
  }
}

TEST(TopList, CountsTiesBeyondWhatItKeeps) {
  TopList list(2);
  for (const std::uint32_t rank : {5U, 3U, 9U, 1U}) list.offer(rank, 2.0);
  EXPECT_EQ(list.hits(), (std::vector<RankedHit>{{1, 2.0, 3}, {3, 2.0, 3}}));
  list.offer(7, 4.0);
  EXPECT_EQ(list.hits(), (std::vector<RankedHit>{{7, 4.0, 0}, {1, 2.0, 3}}));
  list.offer(8, 3.0);
  EXPECT_EQ(list.hits(), (std::vector<RankedHit>{{7, 4.0, 0}, {8, 3.0, 0}}));
  list.offer(2, 1.0);
  EXPECT_EQ(list.threshold(), 3.0);
}

TEST(TermTable, FindsWhatItHolds) {
  TermTable table;
  std::vector<std::string> names = {"", "a", "ab", std::string(245, 'z')};
  for (int i = 0; i < 1'000; ++i) names.push_back("term" + std::to_string(i));
  for (const auto& name : names) table.add(name);
  table.finish();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(table.name(i), names[i]);
    EXPECT_EQ(table.find(names[i]), i);
  }
  EXPECT_FALSE(table.find("absent").has_value());
}

TEST(LuceneLength, IsWhatOneByteKeeps) {
  struct Row {
    std::uint64_t length, kept;
  };
  // SmallFloat.byte4ToInt(SmallFloat.intToByte4(length)) of Lucene 8.
  for (const auto& [length, kept] : std::vector<Row>{{0, 0},
                                                     {23, 23},
                                                     {39, 39},
                                                     {40, 40},
                                                     {41, 40},
                                                     {42, 42},
                                                     {55, 54},
                                                     {56, 56},
                                                     {59, 56},
                                                     {60, 60},
                                                     {110, 104},
                                                     {119, 112},
                                                     {120, 120},
                                                     {1000, 984}}) {
    EXPECT_EQ(lucene_length(length), kept) << length;
  }
}

}  // namespace
}  // namespace residue::index
