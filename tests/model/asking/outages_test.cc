// A server that is out, and one that talks nonsense.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

using Outages = Asker;

// Audit B5: 2,350 requests in 18 seconds, then the end, because one question of thousands had failed eight times.
TEST_F(Outages, PausesWithAllQuestionsWhileTheServerIsOutAndThenGoesOn) {
  stub::Server server("502");
  options_.retry.base = Millis(20);
  options_.retry.cap = Millis(200);
  std::jthread repair([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    server.always("ok");
  });
  const AskCounts counts = run(server, questions(300));
  EXPECT_EQ(counts.saved, 300U);
  EXPECT_GT(counts.unknown, 8U) << "the first ones, and those that tried";
  EXPECT_LE(counts.unknown, 24U);
  EXPECT_EQ(server.requests(), counts.requests);
}

TEST_F(Outages, IsPatientForAsLongWhateverTheNumberOfQuestions) {
  options_.retry.patience = Millis(400);
  for (const std::size_t count : {1U, 200U}) {
    SCOPED_TRACE(count);
    stub::Server server("500");
    const auto start = std::chrono::steady_clock::now();
    try {
      run(server, questions(count));
      ADD_FAILURE() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kTryAgain);
      EXPECT_NE(std::string(error.what()).find("has not answered for a long time (HTTP 500)"), std::string::npos)
          << error.what();
    }
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400));
    EXPECT_GT(server.requests(), 2U);
  }
}

TEST_F(Outages, StopsWhereAnswersAreNonsenseAndKeepsThem) {
  stub::Server server("rating-4");
  endpoint_.transport.concurrency = 4;
  try {
    run(server, questions(500));
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
    EXPECT_NE(std::string(error.what()).find("20 answers in a row cannot be used: a rating out of range (20)"),
              std::string::npos)
        << error.what();
    EXPECT_NE(error.hint().find("residue egress --ledger"), std::string::npos);
  }
  EXPECT_GE(server.requests(), 20U);
  EXPECT_LE(server.requests(), 24U);
  EXPECT_EQ(saved_answers(), server.requests());
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state <> 'invalid'"), 0);
  // What one command asks in several parts is one row.
  budget_ = {};
  stub::Server again("rating-4");
  for (std::size_t i = 0; i < 6; ++i) {
    Questions one = questions(600 + i + 1);
    one.list.erase(one.list.begin(), one.list.end() - 1);
    EXPECT_NO_THROW(run(again, one));
  }
  Questions last = questions(700);
  last.list.erase(last.list.begin(), last.list.end() - 1);
  EXPECT_THROW(run(again, last), Error);
}

// Whoever waits learns after the first failure what he waits for, and once.
TEST_F(Outages, TellsOfASilenceOnceAndOfItsEnd) {
  stub::Server server;
  server.script({"close-mid", "close-mid", "ok"});
  endpoint_.transport.concurrency = 1;
  std::vector<std::optional<Silence>> told;
  options_.silence = [&](const auto& silence) { told.push_back(silence); };
  const std::int64_t before = now_ms();
  EXPECT_EQ(run(server, questions(2)).saved, 2U);
  ASSERT_EQ(told.size(), 2U);
  ASSERT_TRUE(told[0]);
  EXPECT_EQ(told[0]->model, "stub");
  EXPECT_EQ(told[0]->host, "127.0.0.1");
  EXPECT_FALSE(told[0]->reason.empty());
  EXPECT_GE(told[0]->until_ms, before + 2'000);
  EXPECT_LT(told[0]->until_ms, before + 60'000);
  EXPECT_FALSE(told[1]);
  // A server that says that it is busy is reached.
  told.clear();
  server.script({"429"});
  run(server, questions(3));
  EXPECT_TRUE(told.empty());
}

TEST_F(Outages, StopsWhereTheServerIsGoneAndLosesNothing) {
  options_.retry.patience = Millis(300);
  std::uint64_t sent = 0;
  {
    stub::Server server("500");
    EXPECT_THROW(run(server, questions(3)), Error);
    sent = server.requests();
    EXPECT_EQ(static_cast<std::int64_t>(sent), number("SELECT count(*) FROM attempt"));
  }
  EXPECT_EQ(saved_answers(), 0U);
  endpoint_.transport.url = "http://127.0.0.1:1/v1";
  const std::uint64_t calls = budget_.calls;
  try {
    ask(store(), endpoint_, "d", questions(3), budget_, options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'sent'"), 0);
  EXPECT_EQ(budget_.calls, calls) << "nobody got them";
  const std::vector<EgressSum> sums = egress_sums(store().db());
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].requests, sent) << "nothing of the others left";
  EXPECT_GT(sums[0].not_sent, 0U);
  EXPECT_EQ(sums[0].refused, 0U);
  const std::vector<EgressRow> ledger = egress_ledger(store(), 1);
  EXPECT_EQ(ledger[0].state, "not sent");
  EXPECT_EQ(ledger[0].bytes, 0U);
  stub::Server server;
  EXPECT_EQ(run(server, questions(3)).saved, 3U);
}

TEST_F(Outages, WaitsWithAllRequestsWhereTheServerSaysSo) {
  stub::Server server;
  server.script({"429-after-1"});
  endpoint_.transport.concurrency = 1;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run(server, questions(2)).saved, 2U);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(900));
  EXPECT_EQ(server.requests(), 3U);
}

}  // namespace
}  // namespace residue::model::testing
