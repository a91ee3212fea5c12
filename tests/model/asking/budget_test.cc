// A budget holds, whatever the server does.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/server/server_url.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

// A reply that got lost may have been given: it is held against the limit as if it had cost what it could.
class Budgets : public Asker {
 protected:
  // A hundred questions with a budget of 0.1 USD for some of them.
  void expect_stopped(stub::Server& server) {
    EXPECT_THROW(run(server, questions(100)), Error);
    EXPECT_GE(server.requests(), 1U);
    EXPECT_LT(server.requests(), 20U);
    EXPECT_GT(budget_.cost, 0.05);
    EXPECT_LE(budget_.cost, 0.1);
  }
};

TEST_F(Budgets, CountsLostRepliesAgainstTheCostLimit) {
  stub::Server server("close-mid");
  budget_.max_cost = 0.05;  // of a few requests
  try {
    run(server, questions(50));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
    EXPECT_NE(std::string(error.what()).find("may have to be paid"), std::string::npos) << error.what();
  }
  EXPECT_GE(server.requests(), 1U);
  EXPECT_LE(server.requests(), 6U);
  EXPECT_LE(budget_.cost, 0.05);
}

TEST_F(Budgets, SpendsNoMoreThanItMay) {
  stub::Server server;
  budget_.max_calls = 5;
  EXPECT_THROW(run(server, questions(20)), Error);
  EXPECT_EQ(server.requests(), 5U);
  EXPECT_EQ(saved_answers(), 5U);
  budget_ = {};
  budget_.max_cost = 0.1;
  EXPECT_THROW(run(server, questions(1'000)), Error);
  EXPECT_LE(budget_.cost, 0.1);
  EXPECT_GT(budget_.cost, 0.05);
  endpoint_.transport.price_in = endpoint_.transport.price_out = 0;
  EXPECT_THROW(run(server, questions(1)), Error);
}

// Answers as long as they may be, texts with as many tokens as bytes, as many at once as there can be.
TEST_F(Budgets, SpendsNoMoreThanItMayHoweverLongAnswersAreAndHoweverManyAreInFlight) {
  struct Case {
    const char* what;
    void (*limit)(Endpoint& endpoint);
    std::uint32_t concurrency;
  };
  const Case cases[] = {{"max_tokens", [](Endpoint& e) { e.asking.max_tokens = 30'000; }, 64},
                        {"max_completion_tokens", [](Endpoint& e) { e.asking.max_completion_tokens = 30'000; }, 64},
                        {"output limit", [](Endpoint& e) { e.transport.output_limit = 30'000; }, 64},
                        {"context", [](Endpoint& e) { e.transport.context = 30'000; }, 64},
                        {"one at a time", [](Endpoint& e) { e.transport.output_limit = 30'000; }, 1}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    stub::Server server("long-30000", 5);
    endpoint_.asking.max_tokens.reset();
    endpoint_.asking.max_completion_tokens.reset();
    endpoint_.transport.output_limit.reset();
    endpoint_.transport.context.reset();
    endpoint_.transport.concurrency = one.concurrency;
    one.limit(endpoint_);
    budget_ = {};
    budget_.max_cost = 2;
    const std::int64_t before = number("SELECT coalesce(sum(cost), 0) FROM attempt");
    try {
      run(server, questions(100));
      ADD_FAILURE() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kTryAgain) << error.what();
    }
    EXPECT_GT(server.requests(), 3U);
    const double spent = static_cast<double>(number("SELECT coalesce(sum(cost), 0) FROM attempt") - before) / 1e9;
    EXPECT_LE(spent, 2);
    EXPECT_GT(spent, 1);
    EXPECT_NEAR(spent, budget_.cost, 1e-9);
    store().db().run("DELETE FROM attempt");
  }
}

TEST_F(Budgets, SendsNothingWhereABudgetCannotBeKept) {
  stub::Server server;
  endpoint_.asking.max_tokens.reset();
  budget_.max_cost = 1;
  try {
    run(server, questions(3));
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(error.hint().find("--output-limit"), std::string::npos) << error.hint();
    EXPECT_NE(error.hint().find("--context"), std::string::npos) << error.hint();
  }
  EXPECT_EQ(server.requests(), 0U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt"), 0);
  budget_ = {};
  EXPECT_EQ(run(server, questions(3)).saved, 3U) << "without a budget there is nothing to keep";
}

// Nobody knows what an answer costs whose server counts nothing.
TEST_F(Budgets, BooksTheMostForAnswersThatAreNotCounted) {
  stub::Server server("context-100000-silent");
  budget_.max_cost = 0.1;
  expect_stopped(server);
}

// A prompt has at least a token: a server that says 0 has not counted, and what it may ask for is not 0.
TEST_F(Budgets, BooksTheMostWhereTheServerSaysThatNothingWasUsed) {
  for (const char* behaviour : {"counts-0", "counts-minus-1"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    budget_ = {};
    budget_.max_cost = 0.1;
    expect_stopped(server);
    store().db().run("DELETE FROM attempt");
  }
}

// What the budget counts is what the ledger says later, also where no server counted: then at most.
TEST_F(Budgets, TheLedgerKeepsWhatWasCountedAtMost) {
  options_.retry.patience = Millis(200);
  for (const char* behaviour :
       {"context-100000-silent", "counts-0", "truncated-json", "huge", "empty", "close-mid", "garbage", "500"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    budget_ = {};
    budget_.max_cost = 0.1;
    EXPECT_THROW(run(server, questions(100)), Error);
    EXPECT_GT(budget_.cost, 0.01);
    const std::vector<EgressSum> sums = egress_sums(store().db());
    ASSERT_EQ(sums.size(), 1U);
    EXPECT_NEAR(sums[0].cost_usd, budget_.cost, 1e-6);
    EXPECT_NEAR(sums[0].uncounted_usd, budget_.cost, 1e-6);
    store().db().run("DELETE FROM attempt");
  }
  stub::Server server("ok");
  budget_ = {};
  const AskCounts counts = run(server, questions(10));
  const EgressSum sum = egress_sums(store().db()).at(0);
  EXPECT_NEAR(sum.cost_usd, 10 * 0.0011, 1e-9);
  EXPECT_EQ(sum.uncounted_usd, 0);
  EXPECT_NEAR(counts.cost_usd, sum.cost_usd, 1e-9);
  EXPECT_EQ(counts.uncounted_usd, 0);
}

// Nor is it forgotten with the process that asked.
TEST_F(Budgets, WhatADeadProcessHadSetAsideStaysInTheLedger) {
  const Sender sender{"stub", "d", parse_server_url("http://localhost/v1")};
  {
    const auto batch = store().write();
    Sending sending{VoteKey(std::string(32, 'a')), 0, "{}"};
    sending.most_nano_usd = 2'500'000'000;
    record_sending(batch->db(), sender, sending, 1);
    batch->commit();
  }
  EXPECT_EQ(egress_sums(store().db()).at(0).uncounted_usd, 2.5);
  EXPECT_EQ(settle(store(), "stub"), 1U);
  EXPECT_EQ(egress_sums(store().db()).at(0).cost_usd, 2.5);
}

// "At most" is said of nothing where nobody said how long answers can be.
TEST_F(Budgets, WhatMayCostAnythingHasNoCost) {
  stub::Server server("context-100000-silent");
  endpoint_.asking.max_tokens.reset();
  const AskCounts counts = run(server, questions(3));
  EXPECT_EQ(counts.cost_usd, 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved' AND cost IS NULL"), 3);
}

TEST_F(Budgets, StopsWhereADeclaredLimitDoesNotHold) {
  stub::Server server("long-30000");
  budget_.max_cost = 100;
  endpoint_.transport.concurrency = 1;
  try {
    run(server, questions(50));
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
    EXPECT_NE(std::string(error.what()).find("--max-cost cannot be kept"), std::string::npos) << error.what();
  }
  EXPECT_EQ(server.requests(), 1U);
  EXPECT_EQ(saved_answers(), 1U);
}

TEST_F(Budgets, BooksNothingForWhatWasCertainlyNotWorkedOn) {
  options_.retry.patience = Millis(100);
  budget_.max_cost = 1;
  stub::Server server("502-bare");
  EXPECT_THROW(run(server, questions(3)), Error);
  EXPECT_GT(server.requests(), 0U);
  EXPECT_EQ(budget_.cost, 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state <> 'refused'"), 0);
  endpoint_.transport.url = "http://127.0.0.1:1/v1";
  EXPECT_THROW(ask(store(), endpoint_, "d", questions(3), budget_, options_), Error);
  EXPECT_EQ(budget_.cost, 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state <> 'refused'"), 0);
}

}  // namespace
}  // namespace residue::model::testing
