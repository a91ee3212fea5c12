// A model that is asked about several claims at once: every request once, whole, and exactly those again that changed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/files/labels.h"
#include "query/agree/agreement_report.h"
#include "query/agree/spec_difference.h"
#include "query/agree/unstable.h"
#include "query/judge/cascade_judge.h"
#include "query/judge/model_judge.h"
#include "query/report/leaks.h"
#include "query/report/show.h"
#include "query/study/label_sample.h"
#include "tests/query/store_fixture.h"
#include "tests/stub/stub_obey.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

class SeveralClaims : public QueryStore {
 protected:
  const std::vector<std::string> five_ = {"Ann keeps bees.", "She has two dogs.", "She sings.", "She is ill.",
                                          "She is 45."};
  const std::string released_ = "Somebody keeps bees. She has two dogs. She sings.";

  // One record of five claims, three of which its release gives away; the first is not word for word.
  void add_small() {
    add_records({record("a", "Ann keeps bees. She has two dogs. She sings. She is ill. She is 45.")});
    add_claims({claims("a", five_)});
    add_run("r", {variant("a", released_)});
  }
  model::Endpoint endpoint(const stub::Server& server, std::uint32_t at_once, std::uint32_t votes = 1) {
    model::Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.asking.seed = 0;
    endpoint.votes = votes;
    endpoint.canaries = false;
    endpoint.claims_per_request = at_once;
    endpoint.transport.url = server.url();
    endpoint.transport.timeout_s = 5;
    return endpoint;
  }
  void use(const model::Endpoint& endpoint) {
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  static EvalOptions options(const std::string& protocol, const std::string& judge = "stub") {
    EvalOptions options;
    options.protocols = {parse_protocol(protocol)};
    options.judge = judge;
    options.retry.base = model::Millis(1);
    return options;
  }
  EvalCounts evaluate_with(const std::string& protocol = "bm25/first:1", const std::string& judge = "stub") {
    return evaluate(store(), {{"d", "r"}}, options(protocol, judge));
  }
  std::string metric(const std::string& name, const std::string& protocol = "bm25/first:1/claims") {
    const std::string sql =
        "SELECT m.value || ' ' || m.n || ' ' || m.failed || ' ' || m.missing FROM metric m JOIN metric_definition f ON "
        "f.id = m.metric JOIN evaluation e ON e.id = m.evaluation_id JOIN judge j ON j.id = e.judge_id JOIN protocol p "
        "ON p.id = e.protocol_id WHERE f.name = '" +
        name + "' AND m.slice = '' AND j.name = 'stub' AND p.name = '" + protocol + "'";
    return rows(sql.c_str()).front();
  }
  std::vector<Leak> leaks(const std::string& protocol = "bm25/first:1", const std::string& run = "r") {
    return load_leaks(store(), {"d", run, protocol, "stub", "", 0}).leaks;
  }
};

TEST_F(SeveralClaims, AreAskedAboutTogetherOnceForAllAttackers) {
  stub::Server server;
  add_small();
  use(endpoint(server, 3));
  evaluate_with("bm25/first:1", "lexical");
  const EvalPlan planned = plan(store(), {{"d", "r"}}, options("bm25/first:1"));
  EXPECT_TRUE(planned.exact);
  EXPECT_EQ(planned.requests, 4U);
  EXPECT_EQ(planned.counts.rated, 8U);
  EXPECT_EQ(planned.egress.at(0).texts, 6U)
      << "the linked text and five claims; what the attacker knows is one of them";
  EXPECT_EQ(server.requests(), 0U);
  // Claims 1-3 and 4-5, against the linked text and against what the attacker knows.
  const EvalCounts counts = evaluate_with();
  EXPECT_EQ(counts.asked.saved, 4U);
  EXPECT_EQ(counts.rated, 8U);
  EXPECT_EQ(server.requests(), 4U);
  std::uint64_t bytes = 0;
  for (const auto& [body, count] : server.bodies()) bytes += body.size();
  EXPECT_EQ(planned.egress[0].bytes, bytes);
  EXPECT_EQ(number("SELECT count(*) FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE j.name = 'stub'"), 10);
  EXPECT_EQ(metric("semantic_distance"), "0.5 1 0 0");  // dogs and songs are out, illness and age are not
  const auto found = leaks();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].n, 2U);
  EXPECT_EQ(found[1].n, 3U);
  EXPECT_EQ(plan(store(), {{"d", "r"}}, options("bm25/first:1")).requests, 0U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  // Another attacker reaches the same text: only what he knows is new.
  EXPECT_EQ(evaluate_with("bm25/last:1").asked.requests, 2U);
  EXPECT_EQ(metric("semantic_distance", "bm25/last:1/claims"), "0.5 1 0 0");
  expect_proven();
  EXPECT_EQ(server.requests(), 6U);
}

TEST_F(SeveralClaims, OneMoreAtOnceIsAnotherJudge) {
  stub::Server server;
  add_small();
  use(endpoint(server, 3));
  evaluate_with();
  use(endpoint(server, 4));
  EXPECT_EQ(evaluate_with().asked.requests, 4U);
  use(endpoint(server, 1));
  EXPECT_EQ(evaluate_with().asked.requests, 8U);
  use(endpoint(server, 3));
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  expect_proven();
  const auto miss = explain_miss(store(), "stub", "stub (superseded 2)");
  ASSERT_TRUE(miss.has_value());
  std::vector<std::string> differing;
  for (const SpecField& field : miss->difference.fields) {
    if (!field.equal) differing.push_back(field.name + " " + field.ours + " " + field.theirs.substr(0, 6));
  }
  ASSERT_EQ(differing.size(), 2U);
  EXPECT_EQ(differing[0], "claims_per_request 3 4");
  EXPECT_TRUE(differing[1].starts_with("schema "));
}

TEST_F(SeveralClaims, ExactlyTheRequestsThatChangedAreAskedAgain) {
  stub::Server server("neighbours");
  add_small();
  use(endpoint(server, 3));
  EXPECT_EQ(evaluate_with().asked.requests, 4U);
  const auto after = [&](std::vector<std::string> now) {
    add_claims({claims("a", now)});
    const EvalCounts counts = evaluate_with();
    expect_proven();
    std::vector<int> expected;
    for (std::size_t i = 1; i < now.size(); ++i) {
      const std::size_t begin = i / 3 * 3;
      const std::vector<std::string> together(
          now.begin() + static_cast<std::ptrdiff_t>(begin),
          now.begin() + static_cast<std::ptrdiff_t>(std::min(begin + 3, now.size())));
      const int rating = stub::rating_among(released_, together, i - begin);
      if (rating < 3) expected.push_back(static_cast<int>(i + 1) * 10 + rating);
    }
    std::vector<int> found;
    for (const Leak& leak : leaks()) found.push_back(static_cast<int>(leak.n) * 10 + leak.rating);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    return counts.asked.requests;
  };
  std::vector<std::string> now = five_;
  now.emplace_back("He works.");
  EXPECT_EQ(after(now), 2U);  // 4-6, against both passages
  now[4] = "She is 46.";
  EXPECT_EQ(after(now), 2U);
  std::swap(now[1], now[2]);
  EXPECT_EQ(after(now), 2U);  // 1-3 in another order
  std::swap(now[1], now[2]);
  EXPECT_EQ(after(now), 0U);
  EXPECT_EQ(after(five_), 0U);
  // Without its second claim all others move.
  now = five_;
  now.erase(now.begin() + 1);
  EXPECT_EQ(after(now), 4U);
  // What the attacker knows is a passage: with another first claim it is another one.
  now[0] = "Ann has bees.";
  EXPECT_EQ(after(now), 3U);
  store().collect_garbage();
  EXPECT_EQ(after(five_), 0U);
}

TEST_F(SeveralClaims, AnAnswerThatLacksOneIsAVoteOnNone) {
  for (const char* behaviour : {"missing-claim", "repeat-claim", "rating-4", "unknown-claim"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    add_small();
    model::Endpoint one = endpoint(server, 3);
    one.asking.revision = behaviour;
    use(one);
    EXPECT_EQ(evaluate_with().asked.invalid, 12U);  // three tries each
    EXPECT_EQ(metric("semantic_distance"), "0.0 0 1 0");
    EXPECT_EQ(metric("leak_rate"), "1.0 0 1 0");
    EXPECT_TRUE(leaks().empty());
    EXPECT_EQ(number("SELECT count(*) FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE j.name = 'stub'"), 0);
    expect_proven();
    server.always("ok");
    EXPECT_EQ(evaluate_with().asked.requests, 0U);
  }
}

TEST_F(SeveralClaims, AClaimIsDecidedByTheVotesOfItsRequest) {
  stub::Server server;
  server.ratings({1, 3, 3});
  add_small();
  use(endpoint(server, 5, 3));
  EXPECT_EQ(evaluate_with().asked.saved, 6U);
  EXPECT_EQ(metric("semantic_distance"), "1.0 1 0 0");
  const storage::Lock held = store().hold_texts();
  const Unstable found = load_unstable(store(), {"stub", std::nullopt, 0});
  EXPECT_EQ(found.judges.at(0).asked, 10U);  // with the auxiliary claim, which was put to the model as well
  EXPECT_EQ(found.judges.at(0).unstable, 10U);
  EXPECT_EQ(found.pairs.at(0).votes.ratings, (std::array<std::uint32_t, 3>{1, 0, 2}));
  EXPECT_EQ(found.pairs.at(0).votes.mode, 3);
  const Lens lens = find_lens(store().db(), "d", "bm25/first:1", "stub");
  const AttackCard card = load_attack(store().db(), lens, "r", "a");
  ASSERT_EQ(card.ratings.size(), 5U);
  EXPECT_EQ(card.ratings[3].with.size(), 5U);
  // Claims that changed since are in no request yet.
  add_claims({claims("a", {"Ann keeps bees.", "She has a dog."})});
  EXPECT_EQ(load_unstable(store(), {"stub", std::nullopt, 0}).judges.at(0).asked, 10U);
  add_claims({claims("a", five_)});
  LabelOptions drawn;
  drawn.dataset = "d";
  drawn.run = "r";
  drawn.protocol = "bm25/first:1";
  drawn.judge = "stub";
  drawn.sample = 10;
  EXPECT_EQ(draw_labels(store(), drawn).judged, 4U);
}

// One claim of two records that lead to one text: a rating in each record's request.
TEST_F(SeveralClaims, APairHasARatingInEachOfItsRequests) {
  stub::Server server("neighbours");
  const std::vector<std::string> ann = {"She has two dogs.", "She sings.", "bees"},
                                 bob = {"She has two dogs.", "He is ill.", "bees"};
  add_records({record("a", "Ann keeps bees. She sings."), record("b", "Bob keeps bees. He is ill.")});
  add_claims({claims("a", ann), claims("b", bob)});
  add_run("s", {variant("s1", "Somebody keeps bees. She has two dogs.")}, true);
  use(endpoint(server, 3));
  evaluate(store(), {{"d", "s"}}, options("bm25/last:1"));
  EXPECT_EQ(server.requests(), 4U);  // two requests, the linked text and "bees"
  EXPECT_EQ(number("SELECT count(*) FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE j.name = 'stub'"), 12);
  std::vector<std::string> expected, found;
  const std::string passage = "Somebody keeps bees. She has two dogs.";
  for (const auto& [key, claims] : {std::pair("a", ann), std::pair("b", bob)}) {
    for (std::size_t i = 0; i < 2; ++i) {
      const int rating = stub::rating_among(passage, claims, i);
      if (rating < 3) expected.push_back(fmt::format("{}#{} {}", key, i + 1, rating));
    }
  }
  for (const Leak& leak : leaks("bm25/last:1", "s")) {
    found.push_back(fmt::format("{}#{} {}", leak.record, leak.n, leak.rating));
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(found.empty());
  expect_proven();
  // A label of a record's claim is held against what was said of it there.
  std::vector<ingest::LabelRow> labels;
  for (const std::string key : {"a", "b"}) {
    ingest::LabelRow& row = labels.emplace_back();
    row.record = key;
    row.claim = 1;
    row.annotator = "p";
    row.payload = nlohmann::json{{"annotator", "p"}, {"claim", key + "#1"}, {"passage", passage}, {"rating", 2}}.dump();
  }
  VectorSource<ingest::LabelRow> source(std::move(labels));
  ingest::ingest_labels(store(), "d", "support", std::nullopt, source, ingest::testing::file("/data/labels.jsonl"));
  const int of_ann = stub::rating_among(passage, ann, 0), of_bob = stub::rating_among(passage, bob, 0);
  ASSERT_NE(of_ann, of_bob) << "the stub rates both alike: choose other words";
  const std::vector<RatedLabel> rated = rated_labels(store(), "d", "stub");
  ASSERT_EQ(rated.size(), 2U);
  EXPECT_EQ(rated[0].judge, of_ann);
  EXPECT_EQ(rated[1].judge, of_bob);
}

TEST_F(SeveralClaims, ACascadeAsksAboutAWholeRequestAndKeepsWhatItsFirstJudgeIsSureOf) {
  stub::Server server;
  server.ratings({3});
  const std::string passage = "A woman keeps some bees near the river. She has two dogs.";
  const std::vector<std::string_view> claims = {"She has two dogs.", "Ann keeps bees near the old river.",
                                                "The mayor resigned."};
  const Request request{passage, claims};
  const auto sure = make_judge("lexical")->rate(std::span(&request, 1)).front();
  ASSERT_EQ(sure[0]->rating, 1);
  ASSERT_GT(sure[0]->score, sure[1]->score + 0.01);
  ASSERT_GT(sure[1]->score, sure[2]->score + 0.01);
  const auto session = std::make_shared<AskSession>();
  const auto cascade = [&](Band band) {
    return CascadeJudge("c", make_judge("lexical"),
                        std::make_unique<ModelJudge>(store(), endpoint(server, 3), "d", session), band);
  };
  const CascadeJudge middle = cascade({sure[1]->score - 0.005, sure[1]->score + 0.005});
  EXPECT_EQ(middle.claims_per_request(), 3U);
  EXPECT_EQ(middle.not_asked(std::span(&request, 1)).requests, 1U);
  const auto rated = middle.rate(std::span(&request, 1)).front();
  EXPECT_EQ(server.requests(), 1U);
  EXPECT_EQ(rated[0]->rating, 1);
  EXPECT_EQ(rated[1]->rating, 3);
  EXPECT_EQ(rated[2], sure[2]);
  EXPECT_NE(middle.explain_in(request, 1).sentence.find("asked 1 times: 3"), std::string::npos);
  EXPECT_EQ(middle.explain_in(request, 0).sentence.find("asked"), std::string::npos);
  // All are unsure: the same question as before.
  EXPECT_EQ(cascade({0, 1}).rate(std::span(&request, 1)).front()[0]->rating, 3);
  EXPECT_EQ(server.requests(), 1U);
  const Request far{passage, {"The mayor resigned.", "A treaty was signed."}};
  EXPECT_EQ(middle.not_asked(std::span(&far, 1)).requests, 0U);
}

TEST_F(SeveralClaims, ACascadeGivesTheNumbersOfAFreshStore) {
  stub::Server server("neighbours");
  add_many(0, 12);
  std::vector<VariantRow> variants;
  for (std::size_t i = 0; i < 12; ++i) variants.push_back(variant(fmt::format("r{}", i), text_of(i).substr(0, 40 + i)));
  add_run("r", variants);
  model::Endpoint one = endpoint(server, 2);
  one.canaries = true;
  use(one);
  const std::uint64_t some = evaluate_with("bm25/first:1", "cascade:lexical,stub").asked.requests;
  const std::uint64_t rest = evaluate_with("bm25/first:1", "cascade:lexical,stub,0-1").asked.requests;
  EXPECT_GT(some, 0U);
  EXPECT_GT(rest, 0U);
  EXPECT_EQ(evaluate_with().asked.requests, 0U);
  expect_proven();
}

TEST_F(SeveralClaims, PlansNoLessThanItAsks) {
  stub::Server server;
  add_small();
  model::Endpoint one = endpoint(server, 3, 2);
  one.canaries = true;
  use(one);
  const EvalPlan bound = plan(store(), {{"d", "r"}}, options("bm25/first:1"));
  EXPECT_FALSE(bound.exact);
  EXPECT_EQ(bound.counts.rated, 8U);
  EXPECT_EQ(bound.requests, 10U);  // two requests, two passages, two votes; a check of each passage
  EXPECT_EQ(evaluate_with().asked.requests, 10U);
}

}  // namespace
}  // namespace residue::query::testing
