#include "index/bm25/bm25_relink.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "index/relinker.h"

namespace residue::index {
namespace {

constexpr std::uint32_t kTerms = 40;
constexpr std::size_t kRanks = 90;  // more than one block of 64

using Counts = std::map<std::uint32_t, std::uint32_t>;

// The documents of one moment, by rank; a rank without terms has none.
struct Moment final : PostingSource {
  std::vector<Counts> documents{kRanks};
  Bm25Options options;
  std::vector<double> norms;
  CollectionSize size;
  std::vector<std::vector<Posting>> lists;

  void finish() {
    size = {};
    norms.clear();
    lists.assign(kTerms, {});
    const auto length_of = [](const Counts& counts) {
      std::uint64_t length = 0;
      for (const auto& [term, tf] : counts) length += tf;
      return length;
    };
    for (const Counts& counts : documents) {
      size.documents += counts.empty() ? 0 : 1;
      size.length += length_of(counts);
    }
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      norms.push_back(bm25_norm(options, length_of(documents[rank]), size.average()));
      for (const auto& [term, tf] : documents[rank]) lists[term].push_back({rank, tf});
    }
  }
  std::size_t terms() const override { return kTerms; }
  std::uint32_t containing(std::uint32_t term) const override { return static_cast<std::uint32_t>(lists[term].size()); }
  void read(std::uint32_t term, std::vector<Posting>& out) const override { out = lists[term]; }
};

Counts some_counts() {
  Counts counts;
  const int words = *rc::gen::inRange(1, 12);
  for (int i = 0; i < words; ++i) {
    // Low numbers often: frequent terms.
    const auto limit = *rc::gen::element<std::uint32_t>(4, 12, kTerms);
    ++counts[*rc::gen::inRange<std::uint32_t>(0, limit)];
  }
  return counts;
}

// Appends, edits, removals; sometimes of very unlike lengths, so that the average moves.
Moment changed(const Moment& before, std::vector<std::uint32_t>& ranks) {
  Moment now = before;
  const int changes = *rc::gen::element(1, 1, 2, 5, 20);
  for (int i = 0; i < changes; ++i) {
    const auto rank = *rc::gen::inRange<std::uint32_t>(0, kRanks);
    if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) continue;
    ranks.push_back(rank);
    now.documents[rank] = *rc::gen::inRange(0, 4) == 0 ? Counts() : some_counts();
    if (*rc::gen::inRange(0, 6) == 0) now.documents[rank][kTerms - 1] += 30;
    // As another document: ties.
    if (*rc::gen::inRange(0, 4) == 0) now.documents[rank] = before.documents[*rc::gen::inRange<std::size_t>(0, kRanks)];
  }
  std::sort(ranks.begin(), ranks.end());
  now.finish();
  return now;
}

struct Totals {
  std::size_t decided = 0, link_open = 0, rank_open = 0;
};

RankedStanding standing_of_hits(const std::vector<RankedHit>& hits, std::uint32_t own, std::size_t k) {
  std::vector<Hit> named;
  for (const RankedHit& hit : hits) named.push_back({CandidateId{hit.rank + 1}, hit.score, hit.tied});
  const Standing standing = standing_of(named, own == KernelQuery::kNoHint ? CandidateId{} : CandidateId{own + 1}, k);
  RankedStanding ranked{{}, standing.rest};
  for (const CandidateId id : standing.best) ranked.best.push_back(static_cast<std::uint32_t>(id.value - 1));
  return ranked;
}

std::optional<std::size_t> place_of(const std::vector<RankedHit>& hits, std::uint32_t own) {
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (hits[i].rank == own) return i;
  }
  return std::nullopt;
}

// Everything that a decision says is what the search says.
void expect_right(const RankedDecision& decision, const std::vector<RankedHit>& hits, const Bm25Kernel& kernel,
                  const KernelQuery& query) {
  RC_ASSERT(decision.hits.size() <= hits.size());
  RC_ASSERT(std::equal(decision.hits.begin(), decision.hits.end(), hits.begin()));
  RC_ASSERT(decision.hits.empty() == hits.empty());
  RC_ASSERT(place_of(decision.hits, query.hint) == place_of(hits, query.hint));
  // The new standing: none of the others is above its rest.
  const auto all = kernel.top({&query, 1}, kRanks);
  for (const RankedHit& hit : all.front()) {
    const auto& best = decision.standing.best;
    if (std::find(best.begin(), best.end(), hit.rank) != best.end()) continue;
    RC_ASSERT(hit.score <= decision.standing.rest);
  }
}

void follow(const KernelOptions& kernel_options, bool lucene, std::size_t k, Totals& totals) {
  Moment before;
  before.options.lucene_lengths = lucene;
  for (std::size_t rank = 0; rank < kRanks * 2 / 3; ++rank) before.documents[rank] = some_counts();
  before.finish();
  std::vector<std::vector<KernelTerm>> terms;
  std::vector<KernelQuery> queries;
  for (int i = 0; i < 6; ++i) {
    auto& query = terms.emplace_back();
    for (const auto& [term, wqf] : some_counts()) query.push_back({term, wqf});
  }
  for (const auto& query : terms) {
    queries.push_back({query, KernelQuery::kNoHint});
    if (*rc::gen::inRange(0, 4) > 0) queries.back().hint = *rc::gen::inRange<std::uint32_t>(0, kRanks);
  }
  std::vector<RankedStanding> standings;
  const auto first = Bm25Kernel(before, before.norms, before.size.documents, kernel_options).top(queries, k);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    standings.push_back(standing_of_hits(first[i], queries[i].hint, k));
  }
  for (int step = 0; step < 4; ++step) {
    std::vector<std::uint32_t> ranks;
    Moment now = changed(before, ranks);
    CollectionSize gone;
    std::vector<std::uint32_t> containing(kTerms, 0);
    for (const std::uint32_t rank : ranks) {
      gone.documents += before.documents[rank].empty() ? 0 : 1;
      for (const auto& [term, tf] : before.documents[rank]) {
        gone.length += tf;
        ++containing[term];
      }
    }
    const Bm25Kernel kernel(now, now.norms, now.size.documents, kernel_options);
    const Bm25Relink relink(kernel, now.size, ranks, gone, containing);
    const auto hits = kernel.top(queries, k);
    Bm25Relink::Work work;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      RankedDecision decision = relink.decide(queries[i], standings[i], k, work);
      ++(decision.link_open ? totals.link_open : decision.rank_open ? totals.rank_open : totals.decided);
      if (decision.link_open || decision.rank_open) {
        standings[i] = standing_of_hits(hits[i], queries[i].hint, k);
        continue;
      }
      expect_right(decision, hits[i], kernel, queries[i]);
      standings[i] = std::move(decision.standing);
    }
    before = std::move(now);
  }
}

TEST(Bm25Relink, DecidesAsASearchAfterAnyChanges) {
  Totals totals;
  EXPECT_TRUE(rc::check([&] {
    const KernelOptions options = {.block = 64, .row_share = *rc::gen::element<std::uint32_t>(2, 10, 1'000'000)};
    follow(options, *rc::gen::arbitrary<bool>(), *rc::gen::element<std::size_t>(1, 3, 10), totals);
  }));
  std::cout << totals.decided << " decided, " << totals.link_open << " links open, " << totals.rank_open
            << " ranks open\n";
  EXPECT_GT(totals.decided, (totals.decided + totals.link_open + totals.rank_open) / 4);
}

TEST(Bm25Relink, KnowsNothingWithoutAStanding) {
  Moment now;
  now.documents[3] = {{1, 2}};
  now.finish();
  const Bm25Kernel kernel(now, now.norms, 1);
  const Bm25Relink relink(kernel, now.size, {}, {}, std::vector<std::uint32_t>(kTerms, 0));
  const std::vector<KernelTerm> terms = {{1, 1}};
  Bm25Relink::Work work;
  EXPECT_TRUE(relink.decide({terms}, {{}, std::numeric_limits<double>::infinity()}, 10, work).link_open);
  // A bound of 0: no other document shares a term.
  const auto decided = relink.decide({terms}, {{3}, 0}, 10, work);
  EXPECT_FALSE(decided.link_open);
  EXPECT_EQ(decided.hits, kernel.top(std::vector<KernelQuery>{{terms}}, 10).front());
}

}  // namespace
}  // namespace residue::index
