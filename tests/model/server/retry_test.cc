#include "model/server/retry.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace residue::model {
namespace {

Outcome status(int code, std::optional<std::int64_t> after = std::nullopt, Trouble trouble = Trouble::kNone) {
  return {Delivery::kAnswered, code, trouble, after};
}
Outcome failure(Delivery delivery) { return {delivery, 0, Trouble::kNone, std::nullopt}; }

TEST(Retry, DecidesByWhatTheServerDid) {
  struct Case {
    const char* what;
    Outcome outcome;
    Action action;
    bool overload;
  };
  const Case cases[] = {
      {"200", status(200), Action::kRead, false},
      {"400", status(400), Action::kStop, false},
      {"401", status(401), Action::kStop, false},
      {"402", status(402), Action::kStop, false},
      {"403", status(403), Action::kStop, false},
      {"404", status(404), Action::kStop, false},
      {"307: not followed", status(307), Action::kStop, false},
      {"422", status(422), Action::kStop, false},
      {"408", status(408), Action::kRepeat, true},
      {"409", status(409), Action::kRepeat, true},
      {"500", status(500), Action::kRepeat, true},
      {"502", status(502), Action::kRepeat, true},
      {"504", status(504), Action::kRepeat, true},
      {"429: rate", status(429), Action::kWait, true},
      {"413", status(413), Action::kSkip, false},
      {"400: too long", status(400, std::nullopt, Trouble::kLength), Action::kSkip, false},
      {"422: too long", status(422, std::nullopt, Trouble::kLength), Action::kSkip, false},
      {"400: filter", status(400, std::nullopt, Trouble::kFilter), Action::kSkip, false},
      {"403: filter", status(403, std::nullopt, Trouble::kFilter), Action::kStop, false},
      {"429: quota", status(429, std::nullopt, Trouble::kQuota), Action::kStop, false},
      {"503: busy", status(503), Action::kWait, true},
      {"503: loading", status(503, std::nullopt, Trouble::kLoading), Action::kWait, false},
      {"not sent", failure(Delivery::kNotSent), Action::kWait, false},
      {"maybe sent", failure(Delivery::kMaybeSent), Action::kRepeat, true},
      {"502 before the request", {Delivery::kAnswered, 502, Trouble::kNone, std::nullopt, true}, Action::kWait, true},
      {"200 before the request", {Delivery::kAnswered, 200, Trouble::kNone, std::nullopt, true}, Action::kRead, false},
      {"untrusted", failure(Delivery::kUntrusted), Action::kStop, false},
      {"refused by the proxy", failure(Delivery::kRefusedByProxy), Action::kStop, false},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const Decision decision = decide(one.outcome, 0, {}, 0.5);
    EXPECT_EQ(decision.action, one.action);
    EXPECT_EQ(decision.overload, one.overload);
  }
}

TEST(Retry, WaitsWithFullJitterUpToItsBound) {
  const RetryPolicy policy;
  EXPECT_EQ(decide(status(500), 0, policy, 0.0).wait, Millis(0));
  EXPECT_EQ(decide(status(500), 0, policy, 0.5).wait, Millis(500));
  EXPECT_EQ(decide(status(500), 3, policy, 0.5).wait, Millis(4'000));
  EXPECT_EQ(decide(status(500), 6, policy, 0.5).wait, Millis(30'000));
  EXPECT_EQ(decide(status(500), 4'000'000'000U, policy, 0.5).wait, Millis(30'000));
}

TEST(Retry, WaitsAsLongAsTheServerAsksWithinReason) {
  const RetryPolicy policy;
  EXPECT_EQ(decide(status(429, 7), 5, policy, 0.1).wait, Millis(7'000));
  EXPECT_EQ(decide(status(429, 7), 5, policy, 0.1).told, Millis(7'000));
  EXPECT_EQ(decide(status(429), 5, policy, 0.1).told, Millis(0)) << "what we draw is of one request";
  EXPECT_EQ(decide(status(503, 7), 5, policy, 0.1).wait, Millis(7'000));
  EXPECT_EQ(decide(status(500, 7), 5, policy, 0.1).wait, Millis(7'000));
  EXPECT_EQ(decide(status(429, 86'400), 0, policy, 0.1).wait, Millis(600'000));
  EXPECT_EQ(decide(status(429, -5), 0, policy, 0.1).wait, Millis(0));
  EXPECT_EQ(decide(status(429, INT64_MAX), 0, policy, 0.1).wait, Millis(600'000));
}

TEST(Retry, TellsAnExhaustedQuotaFromALimitAndALoadingModelFromABusyOne) {
  EXPECT_EQ(trouble_of(R"({"error":{"message":"x","type":"insufficient_quota","code":null}})"), Trouble::kQuota);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"You exceeded your current quota, please check"}})"), Trouble::kQuota);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"This model's maximum context length is 600 tokens. However, ...",)"
                       R"("code":"context_length_exceeded"}})"),
            Trouble::kLength);
  EXPECT_EQ(trouble_of(R"({"object":"error","message":"This model's maximum context length is 600 tokens.",)"
                       R"("type":"BadRequestError","param":null,"code":400})"),
            Trouble::kLength);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's )"
                       R"(content management policy.","code":"content_filter"}})"),
            Trouble::kFilter);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"unknown parameter","code":null}})"), Trouble::kNone);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"Loading model","type":"unavailable_error","code":503}})"),
            Trouble::kLoading);
  EXPECT_EQ(trouble_of(R"({"error":"model is loading"})"), Trouble::kLoading);
  EXPECT_EQ(trouble_of(R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})"), Trouble::kNone);
  for (const char* body :
       {"", "nonsense", "[]", "{}", R"({"error":null})", R"({"error":[1]})", R"({"error":{"code":5}})"}) {
    EXPECT_EQ(trouble_of(body), Trouble::kNone) << body;
  }
}

TEST(Concurrency, GrowsByOneARoundAndShrinksByAFifthAtMostOnceASecond) {
  Concurrency many(std::nullopt);
  EXPECT_EQ(many.limit(), 8U);
  for (int i = 0; i < 9; ++i) many.succeeded();
  EXPECT_EQ(many.limit(), 9U);
  for (int i = 0; i < 10'000; ++i) many.succeeded();
  EXPECT_EQ(many.limit(), 64U);
  many.overloaded(10'000);
  many.overloaded(10'500);
  EXPECT_EQ(many.limit(), 51U);
  for (int i = 0; i < 100; ++i) many.overloaded(20'000 + 1'000 * i);
  EXPECT_EQ(many.limit(), 1U);
  Concurrency fixed(3);
  fixed.succeeded();
  fixed.overloaded(0);
  EXPECT_EQ(fixed.limit(), 3U);
}

}  // namespace
}  // namespace residue::model
