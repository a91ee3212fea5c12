// Votes that differ are found from saved answers alone, and counted with what they are shares of.
#include "query/agree/unstable.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/judgments.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

class UnstablePairs : public QueryStore {
 protected:
  void add_small() {
    add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", "Bob repairs clocks. He is ill.")});
    add_claims(
        {claims("a", {"Ann keeps bees.", "She has two dogs."}), claims("b", {"Bob repairs clocks.", "He is ill."})});
    add_run("r", {variant("a", "Somebody keeps bees. She has two dogs."), variant("b", "A man repairs clocks.")});
  }
  void use(const stub::Server& server, std::uint32_t votes) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.asking.seed = 0;
    endpoint.votes = votes;
    endpoint.transport.url = server.url();
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  void evaluate_stub() {
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:1")};
    options.judge = "stub";
    options.retry.base = model::Millis(1);
    evaluate(store(), {{"d", "r"}}, options);
  }
  Unstable load(std::optional<std::string> judge, std::optional<storage::Target> target = std::nullopt,
                std::size_t limit = 0) {
    const storage::Lock held = store().hold_texts();
    return load_unstable(store(), {std::move(judge), std::move(target), limit});
  }
  void import(std::vector<ingest::JudgmentRow> rows) {
    VectorSource<ingest::JudgmentRow> source(std::move(rows));
    ingest::ingest_judgments(store(), "d", "claims", source, ingest::testing::file());
  }
};

TEST_F(UnstablePairs, OfAModelAreItsVotesWithReferencesAndShares) {
  stub::Server server;
  server.ratings({3, 1, 3});
  add_small();
  use(server, 3);
  evaluate_stub();
  const Unstable found = load("stub");
  ASSERT_EQ(found.judges.size(), 1U);
  EXPECT_EQ(found.judges[0].asked, 4U);
  EXPECT_EQ(found.judges[0].compared, 4U);
  EXPECT_EQ(found.judges[0].unstable, 4U);
  EXPECT_EQ(found.judges[0].undecided, 0U);
  ASSERT_EQ(found.pairs.size(), 4U);
  EXPECT_EQ(found.pairs[0].claim, "d/a#2");
  EXPECT_EQ(found.pairs[0].passage, "d known a");
  EXPECT_EQ(found.pairs[1].passage, "d/r a");
  EXPECT_EQ(found.pairs[3].claim, "d/b#2");
  EXPECT_EQ(found.pairs[0].votes.ratings, (std::array<std::uint32_t, 3>{1, 0, 2}));
  EXPECT_EQ(found.pairs[0].votes.mode, 3);
  EXPECT_EQ(load(std::nullopt, storage::Target{"d", "r"}).total, 4U);
  EXPECT_EQ(load("stub", storage::Target{"d", "none"}).judges[0].asked, 2U);  // what the attacker knew
  EXPECT_EQ(load("stub", std::nullopt, 1).pairs.size(), 1U);
  EXPECT_EQ(load("stub", std::nullopt, 1).total, 4U);
}

TEST_F(UnstablePairs, AgreeingVotesAreCountedAndNotListed) {
  stub::Server server;
  server.ratings({2, 2, 2});
  add_small();
  use(server, 3);
  evaluate_stub();
  EXPECT_EQ(load("stub").judges[0].asked, 4U);
  EXPECT_EQ(load("stub").judges[0].unstable, 0U);
  EXPECT_TRUE(load("stub").pairs.empty());
}

TEST_F(UnstablePairs, PairsWithoutARatingAreFoundAndFailedVotesAreNoVotes) {
  stub::Server server("refused");
  add_small();
  use(server, 2);
  EXPECT_THROW(evaluate_stub(), Error);  // twenty in a row
  evaluate_stub();
  const Unstable found = load("stub");
  EXPECT_EQ(found.judges[0].asked, 4U);
  EXPECT_EQ(found.judges[0].compared, 0U);
  EXPECT_EQ(found.judges[0].undecided, 4U);
  EXPECT_EQ(found.judges[0].failed_votes, 8U);
  EXPECT_EQ(found.total, 0U);
}

TEST_F(UnstablePairs, SamplesFromElsewhereAreVotes) {
  add_small();
  const auto row = [](std::uint64_t sample, std::uint8_t rating, const std::string& claim, const std::string& passage) {
    ingest::JudgmentRow one;
    one.line = 1;
    one.judge = "gpt/a";
    one.sample = sample;
    one.rating = rating;
    one.claim = claim;
    one.passage = passage;
    return one;
  };
  import({row(0, 1, "Bob repairs clocks.", "A man repairs clocks."),
          row(1, 3, "Bob repairs clocks.", "A man repairs clocks."), row(0, 2, "Elsewhere.", "Nobody."),
          row(1, 1, "Elsewhere.", "Nobody."), row(2, 1, "Elsewhere.", "Nobody."), row(0, 1, "Once.", "Nobody."),
          row(0, 3, "Same.", "Nobody."), row(1, 3, "Same.", "Nobody.")});
  const Unstable found = load("gpt/a");
  EXPECT_EQ(found.judges[0].asked, 4U);
  EXPECT_EQ(found.judges[0].compared, 3U);
  EXPECT_EQ(found.judges[0].unstable, 2U);
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(found.pairs[0].claim, "d/b#1");  // half of the votes dissent, there a third
  EXPECT_EQ(found.pairs[0].passage, "d/r b");
  EXPECT_EQ(found.pairs[0].votes.mode, 1);
  EXPECT_EQ(found.pairs[1].claim, "");
  EXPECT_EQ(found.pairs[1].votes.ratings, (std::array<std::uint32_t, 3>{2, 1, 0}));
  EXPECT_EQ(load(std::nullopt, storage::Target{"d", std::nullopt}).judges[0].asked, 1U);
}

TEST_F(UnstablePairs, EmbeddedJudgesHaveNoVotes) {
  add_small();
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_THROW(load("lexical"), Error);
  EXPECT_THROW(load("nobody"), Error);
  EXPECT_TRUE(load(std::nullopt).judges.empty());
}

}  // namespace
}  // namespace residue::query::testing
