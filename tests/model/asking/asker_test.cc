// Asking against a server that misbehaves in every way it knows: each request ends saved, invalid, refused or unknown,
// and the ledger agrees with the server about how many there were.
#include "model/asking/asker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/asking/saved_answers.h"
#include "model/asking/vote_key.h"
#include "model/server/request.h"
#include "model/tasks/claim_support.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/model/asking/misbehaviours.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

TEST_F(Asker, KeepsEveryAnswerAndAccountsForEveryRequest) {
  stub::Server server("ok", 5);  // long enough that requests meet
  const AskCounts counts = run(server, questions(200));
  EXPECT_EQ(counts.requests, 200U);
  EXPECT_EQ(counts.saved, 200U);
  EXPECT_EQ(counts.tokens_in, 20'000U);
  EXPECT_NEAR(counts.cost_usd, 0.22, 1e-9);
  EXPECT_EQ(server.requests(), 200U);
  EXPECT_EQ(saved_answers(), 200U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved' AND n = 1 AND dataset = 'd'"), 200);
  EXPECT_EQ(number("SELECT sum(cost) FROM attempt"), 220'000'000);
  EXPECT_GE(server.most_at_once(), 2U);
  EXPECT_LE(server.most_at_once(), 64U);
}

TEST_F(Asker, EndsEveryMisbehaviourInOneOfFourWays) {
  std::size_t asked = 0;
  for (const Misbehaviour& one : kMisbehaviours) {
    SCOPED_TRACE(one.behaviour);
    stub::Server server;
    server.script({one.behaviour});
    Questions all = questions(++asked);
    all.list.erase(all.list.begin(), all.list.end() - 1);
    const std::int64_t before = number("SELECT coalesce(max(id), 0) FROM attempt");
    const AskCounts counts = run(server, all);
    const std::uint64_t again = std::string(one.state) == "saved" ? 0 : 1;
    EXPECT_EQ(counts.requests, 1 + again);
    EXPECT_EQ(counts.saved, 1U);
    EXPECT_EQ(server.requests(), counts.requests);
    storage::Statement first = store().db().prepare("SELECT state FROM attempt WHERE id = ?1 + 1");
    first.bind(before);
    ASSERT_TRUE(first.step());
    EXPECT_EQ(first.text(0), one.state);
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'sent'"), 0);
}

TEST_F(Asker, StopsAtOnceWhereNoRequestCanSucceedAndRepeatsNoWordOfTheTexts) {
  for (const char* behaviour : kHopeless) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    ::setenv("RESIDUE_TEST_KEY", "sk-hidden", 1);
    endpoint_.transport.key_env = "RESIDUE_TEST_KEY";
    endpoint_.transport.concurrency = 1;
    try {
      run(server, questions(20));
      ADD_FAILURE() << "went on";
    } catch (const Error& error) {
      const std::string all = std::string(error.what()) + error.hint();
      EXPECT_EQ(error.code(), Code::kIo);
      EXPECT_NE(all.find("HTTP"), std::string::npos) << all;
      for (const char* word : {"bees", "Ann", "sk-hidden", "hidden"})
        EXPECT_EQ(all.find(word), std::string::npos) << all;
    }
    EXPECT_EQ(server.requests(), 1U);
    EXPECT_EQ(saved_answers(), 0U);
  }
  ::unsetenv("RESIDUE_TEST_KEY");
}

TEST_F(Asker, GivesUpOnAnAnswerThatStaysUnusableAndKeepsAllOfThem) {
  stub::Server server("rating-4");
  const AskCounts counts = run(server, questions(2));
  EXPECT_EQ(counts.invalid, 6U);
  EXPECT_EQ(counts.saved, 0U);
  EXPECT_EQ(server.requests(), 6U);
  EXPECT_EQ(saved_answers(), 6U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE reason = 'a rating out of range'"), 6);
}

TEST_F(Asker, FinishesWhatIsInFlightWhenInterrupted) {
  stub::Server server("ok", 20);
  std::atomic<int> looks = 0;
  options_.interrupted = [&] { return ++looks > 3; };
  try {
    run(server, questions(500));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInterrupted);
  }
  EXPECT_LT(server.requests(), 500U);
  EXPECT_EQ(saved_answers(), server.requests());
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state <> 'saved'"), 0);
}

TEST_F(Asker, SettlesWhatADeadProcessLeft) {
  const Sender sender{"stub", "d", parse_server_url("http://localhost/v1")};
  const auto key = [](char c) { return VoteKey(std::string(32, c)); };
  const std::string completion =
      R"({"choices":[{"message":{"content":"?"}}],"usage":{"prompt_tokens":100,"completion_tokens":10}})";
  {
    const auto batch = store().write();
    for (const char vote : {'a', 'c', 'e', 'f'}) {
      EXPECT_EQ(record_sending(batch->db(), sender, {key(vote), 0, "{}"}, 1), 1U);
    }
    EXPECT_EQ(record_sending(batch->db(), sender, {key('b'), 4, "{}"}, 1), 5U);
    for (const char vote : {'a', 'c', 'e'}) {
      batch->facts().put_answer(key(vote), 1, encode({200, "u", 1, 7, false, completion}));
    }
    batch->facts().put_answer(key('f'), 1, encode({200, "u", 1, 7, false, R"({"error":"no"})"}));
    save_endpoint(batch->db(), endpoint_);
    batch->commit();
  }
  EXPECT_EQ(settle(store(), "other"), 0U);
  // Who asks knows what makes an answer of two of them; whether the third is one is for another task to say.
  const auto problem = [&](const VoteKey& vote, const Envelope&) -> std::optional<std::string> {
    if (vote == key('a')) return "";
    if (vote == key('c')) return "a rating out of range";
    return std::nullopt;
  };
  EXPECT_EQ(settle(store(), "stub", problem), 1U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 1);
  EXPECT_EQ(number("SELECT tokens_in + tokens_out FROM attempt WHERE state = 'saved'"), 110);
  EXPECT_EQ(number("SELECT cost FROM attempt WHERE state = 'saved'"), 1'100'000);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'invalid' AND reason = 'a rating out of range'"), 1);
  EXPECT_EQ(number("SELECT cost FROM attempt WHERE reason = 'a rating out of range'"), 1'100'000);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'invalid' AND reason LIKE '%error%'"), 1);
  EXPECT_EQ(number("SELECT n FROM attempt WHERE state = 'unknown'"), 5);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'sent'"), 1);
  EXPECT_EQ(settle(store(), "stub", [](const VoteKey&, const Envelope&) { return std::optional<std::string>(""); }),
            0U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 2);
}

// The reply is durable and nobody has looked at it yet: what a kill leaves.
TEST_F(Asker, NeverCallsAnUnusableReplySavedAfterAKill) {
  const Sender sender{"stub", "d", parse_server_url("http://localhost/v1")};
  const std::vector<VoteKey> votes = {VoteKey(std::string(32, 'a')), VoteKey(std::string(32, 'b'))};
  const auto reply = [](const char* content) {
    return R"({"choices":[{"finish_reason":"stop","message":{"content":")" + std::string(content) + R"("}}]})";
  };
  {
    const auto batch = store().write();
    for (const VoteKey& vote : votes) record_sending(batch->db(), sender, {vote, 0, "{}"}, 1);
    batch->facts().put_answer(votes[0], 1, encode({200, "u", 1, 7, false, reply("Rating: 2")}));
    batch->facts().put_answer(votes[1], 1, encode({200, "u", 1, 7, false, reply("Rating: 9")}));
    save_endpoint(batch->db(), endpoint_);
    batch->commit();
  }
  stub::Server server("ok");
  endpoint_.transport.url = server.url();
  Task task{spec_digest("spec"), [](std::size_t, std::uint32_t) { return std::string("{}"); },
            [](std::size_t, std::string_view content) { return parse_support(content, 1, AnswerForm::kText).problem; }};
  AskSession session;
  session.options = options_;
  session.budget.max_calls = 0;
  EXPECT_THROW(ask_open(store(), endpoint_, "d", task, votes, session), Error);  // it may not ask again for the second
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'invalid' AND reason = 'a rating out of range'"), 1);
}

TEST_F(Asker, LeavesToTheLivingWhatTheyHaveInFlight) {
  const Sender sender{"stub", "d", parse_server_url("http://localhost/v1")};
  const auto batch = store().write();
  record_sending(batch->db(), sender, {VoteKey(std::string(32, 'a')), 0, "{}"}, 1);
  batch->commit();
  {
    const storage::Lock other_task = hold_in_flight(store(), "stub");
    EXPECT_EQ(settle(store(), "stub"), 0U);
    EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'sent'"), 1);
    const storage::Lock more = hold_in_flight(store(), "stub");
  }
  EXPECT_EQ(settle(store(), "stub"), 1U);
}

TEST_F(Asker, HoldsWhatItHasInFlightAgainstOthersWhoSettle) {
  stub::Server server("ok", 5);
  std::size_t looked = 0;
  options_.interrupted = [&] {
    if (number("SELECT count(*) FROM attempt WHERE state = 'sent'") > 0) {
      ++looked;
      EXPECT_EQ(settle(store(), "stub"), 0U);
    }
    return false;
  };
  EXPECT_EQ(run(server, questions(20)).saved, 20U);
  EXPECT_GT(looked, 0U);
  EXPECT_EQ(settle(store(), "stub"), 0U);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), 20);
}

TEST_F(Asker, SendsNothingToAHostThatTheDatasetDoesNotAllow) {
  store().db().run("INSERT INTO dataset (name, created_at, content) VALUES ('d', 1, x'00')");
  endpoint_.transport.url = "https://example.invalid/v1";
  try {
    ask(store(), endpoint_, "d", questions(1), budget_, options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(error.hint().find("residue egress allow d example.invalid"), std::string::npos);
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt"), 0);
  EXPECT_TRUE(allow_egress(store(), "d", "https://EXAMPLE.invalid:444/v1"));
  EXPECT_FALSE(allow_egress(store(), "d", "example.invalid"));
  EXPECT_NO_THROW(require_egress(store().db(), "d", parse_server_url(endpoint_.transport.url)));
  EXPECT_THROW(require_egress(store().db(), "d", parse_server_url("https://sub.example.invalid")), Error);
}

TEST_F(Asker, SendsNothingThroughAProxyThatTheDatasetDoesNotAllow) {
  store().db().run("INSERT INTO dataset (name, created_at, content) VALUES ('d', 1, x'00')");
  stub::Server proxy("403");  // makes no tunnel: what is asked for stays open
  endpoint_.transport.url = "https://example.invalid/v1";
  endpoint_.transport.proxy = "http://proxy.invalid:3128";
  EXPECT_TRUE(allow_egress(store(), "d", "example.invalid"));
  try {
    ask(store(), endpoint_, "d", questions(1), budget_, options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("may not be sent through proxy.invalid"), std::string::npos)
        << error.what();
    EXPECT_NE(error.hint().find("residue egress allow d proxy.invalid"), std::string::npos);
  }
  EXPECT_EQ(number("SELECT count(*) FROM attempt"), 0);
  EXPECT_TRUE(allow_egress(store(), "d", "proxy.invalid"));
  EXPECT_NO_THROW(require_egress(store().db(), "d", receiver_of(endpoint_.transport)));
  // One on this machine needs no leave, and the ledger names it all the same.
  endpoint_.transport.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
  options_.retry.patience = Millis(50);
  EXPECT_THROW(ask(store(), endpoint_, "d", questions(1), budget_, options_), Error);
  EXPECT_GT(number("SELECT count(*) FROM attempt WHERE host = 'example.invalid via 127.0.0.1'"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE host <> 'example.invalid via 127.0.0.1'"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE bytes > 0"), 0) << "nothing left";
  // Where it cannot reach the server, what is said while waiting names both: either may be the one that is away.
  proxy.always("502");
  std::string away;
  options_.silence = [&](const std::optional<Silence>& silence) {
    if (silence) away = silence->host + ": " + silence->reason;
  };
  EXPECT_THROW(ask(store(), endpoint_, "d", questions(1), budget_, options_), Error);
  EXPECT_EQ(away, "example.invalid via 127.0.0.1: the proxy makes no connection (HTTP 502)");
}

TEST(Envelope, ComesBackAsItWasPut) {
  Envelope envelope{200, "http://x/v1", 5, 7, true, std::string("a\nb\0c", 5)};
  EXPECT_EQ(decode(encode(envelope)), envelope);
  envelope.least_tokens = 9;
  envelope.withdraws = true;
  EXPECT_EQ(decode(encode(envelope)), envelope);
  for (const char* bytes : {"", "answer 1 ", "answer 1 9\n{}", "answer 1 x\n{}", "answer 2 2\n{}", "answer 1 2\n[]"}) {
    EXPECT_THROW(decode(bytes), Error) << bytes;
  }
}

}  // namespace
}  // namespace residue::model::testing
