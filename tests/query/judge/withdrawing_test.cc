// A judge whose server cut prompts unnoticed: what was judged by then does not stand.
#include "query/judge/withdrawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/server/endpoint.h"
#include "query/judge/judging.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

class Withdrawing : public QueryStore {
 protected:
  // Longer than the server reads, each longer than the one before: what claim 2 needs stands at the beginning.
  void add_long(std::size_t i) {
    std::string text = fmt::format("Ann keeps bees{}. Bob has gout{}.", i, i);
    for (std::size_t word = i; word < 700 + 90 * i; ++word) text += fmt::format(" w{}{:05}", i, word % 1'000);
    const std::string key = fmt::format("r{}", i);
    records_.push_back(record(key, text));
    variants_.push_back(variant(key, text));
    claims_.push_back(claims(key, {fmt::format("Ann keeps bees{}.", i), fmt::format("Bob has gout{}.", i)}));
    add_records(records_);
    add_claims(claims_);
    add_run(run_, variants_);
  }
  void use(const stub::Server& server, std::uint32_t claims_per_request = 1, bool canaries = false) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.votes = 1;
    endpoint.canaries = canaries;
    endpoint.claims_per_request = claims_per_request;
    endpoint.transport.url = server.url();
    endpoint.transport.concurrency = 1;
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  std::string run_ = "r";
  EvalCounts evaluate_with(const std::string& judge = "stub") {
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:1")};
    options.judge = judge;
    options.retry.base = model::Millis(1);
    options.withdraw = withdraw_judgments;
    return evaluate(store(), {{"d", run_}}, options);
  }
  // A record more with each command, until the server is found out.
  model::Withdrawn grow(const std::string& judge = "stub") {
    for (std::size_t i = records_.size(); i < 8; ++i) {
      add_long(i);
      const EvalCounts counts = evaluate_with(judge);
      EXPECT_EQ(counts.asked.withdrawn.judgments, counts.asked.taken_back);
      if (counts.asked.taken_back > 0) return counts.asked.withdrawn;
      EXPECT_EQ(failed(), "0") << i;
    }
    ADD_FAILURE() << "the server was not found out";
    return {};
  }
  std::string failed() { return asked_metric("m.failed"); }

  std::vector<RecordRow> records_;
  std::vector<VariantRow> variants_;
  std::vector<ClaimsRow> claims_;
};

TEST_F(Withdrawing, JudgmentsFallWithTheAnswersThatTheyWereMadeOf) {
  stub::Server server("context-1500");
  use(server);
  const model::Withdrawn withdrawn = grow();
  EXPECT_EQ(withdrawn.judgments, records_.size() - 1) << "that of the last record was never stored";
  EXPECT_EQ(failed(), std::to_string(records_.size()));
  EXPECT_EQ(asked_metric("m.value", "leak_rate"), "1.0");
  // What the attacker knows is a short prompt.
  EXPECT_EQ(number("SELECT count(*) FROM judgment"), static_cast<std::int64_t>(records_.size()));
  expect_proven();
  // A server that reads all is asked again about these, and about nothing else.
  stub::Server whole("counted");
  use(whole);
  EXPECT_EQ(evaluate_with().asked.saved, records_.size());
  EXPECT_EQ(failed(), "0");
  expect_proven();
}

TEST_F(Withdrawing, NumbersOfOtherRunsWithTheSameTextsAreDue) {
  stub::Server server("context-1500");
  use(server);
  add_long(0);
  evaluate_with();
  add_run("copy", variants_);
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:1")};
  options.judge = "stub";
  EXPECT_EQ(evaluate(store(), {{"d", "copy"}}, options).asked.requests, 0U);
  const char* stale =
      "SELECT count(*) FROM evaluation e JOIN run u ON u.id = e.run_id WHERE u.name = 'copy' AND e.tier = 'judge' AND "
      "e.run_content = x''";
  EXPECT_EQ(number(stale), 0);
  grow();
  EXPECT_EQ(number(stale), 1);
}

// Read before its server was found out, and scored behind that.
TEST_F(Withdrawing, ARatingThatWasReadFallsToo) {
  stub::Server server("context-1500");
  use(server);
  std::uint64_t withdrawn = 0;
  for (std::size_t i = 0; i < 8 && withdrawn == 0; ++i) {
    run_ = fmt::format("r{}", i);
    add_long(i);
    withdrawn = evaluate_with().asked.withdrawn.judgments;
  }
  EXPECT_EQ(withdrawn, records_.size() - 1);
  EXPECT_EQ(number(("SELECT m.failed FROM metric m JOIN metric_definition f ON f.id = m.metric JOIN evaluation e ON "
                    "e.id = m.evaluation_id JOIN run u ON u.id = e.run_id WHERE f.name = 'semantic_distance' AND "
                    "m.slice = '' AND u.name = '" +
                    run_ + "'")
                       .c_str()),
            static_cast<std::int64_t>(records_.size()));
}

TEST_F(Withdrawing, OfSeveralClaimsAtOnceAllFall) {
  stub::Server server("context-1500");
  use(server, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    add_long(i);
    const EvalCounts counts = evaluate_with();
    if (counts.asked.taken_back == 0) continue;
    EXPECT_EQ(counts.asked.withdrawn.judgments, 2 * counts.asked.taken_back);
    break;
  }
  EXPECT_EQ(failed(), std::to_string(records_.size()));
  expect_proven();
}

TEST_F(Withdrawing, RatingsOfACascadeFallToo) {
  stub::Server server("context-1500");
  use(server);
  grow("cascade:lexical,stub,0-1");
  EXPECT_EQ(failed(), std::to_string(records_.size()));
}

TEST_F(Withdrawing, ChecksOfPassagesCountAsFailed) {
  stub::Server server("context-1500");
  use(server, 1, true);
  std::uint64_t checks = 0;
  for (std::size_t i = 0; i < 8 && checks == 0; ++i) {
    add_long(i);
    checks = evaluate_with().asked.withdrawn.checks;
  }
  EXPECT_GT(checks, 0U);
  EXPECT_EQ(asked_metric("m.failed", "injection_suspect"), std::to_string(records_.size()));
}

TEST_F(Withdrawing, OtherVotesWithdrawNothing) {
  stub::Server server("counted");
  use(server);
  add_long(0);
  evaluate_with();
  const std::int64_t before = number("SELECT count(*) FROM judgment");
  EXPECT_GT(before, 0);
  const auto batch = store().write();
  const model::Withdrawn none = withdraw_judgments(store(), *batch, {VoteKey(std::string(32, 'x'))});
  batch->commit();
  EXPECT_EQ(none.judgments + none.checks, 0U);
  EXPECT_EQ(number("SELECT count(*) FROM judgment"), before);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
}

}  // namespace
}  // namespace residue::query::testing
