// Which claims are rated together, and that a rating is of a claim in its request.
#include "query/inputs/requests.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/inputs/snapshot.h"
#include "query/judge/judging.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

std::vector<TextId> texts(const std::vector<std::int64_t>& ids) {
  std::vector<TextId> list;
  for (const std::int64_t id : ids) list.push_back(TextId{id});
  return list;
}

// Claims of one record, numbered from 1 with the gaps that zeros leave.
std::vector<ClaimView> record_of(const std::vector<std::int64_t>& ids) {
  std::vector<ClaimView> claims;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != 0) claims.push_back({static_cast<std::uint32_t>(i + 1), TextId{ids[i]}});
  }
  return claims;
}

std::vector<std::vector<TextId>> requests_of(const DatasetView& view, std::size_t record) {
  std::vector<std::vector<TextId>> list;
  for (const ClaimView& claim : view.claims[record]) list.push_back(view.requests.at(claim.request));
  return list;
}

TEST(Requests, AreARecordsClaimsInOrderCutEverySoMany) {
  DatasetView view;
  view.claims = {record_of({11, 12, 13, 14, 15, 16, 17}), record_of({11, 12, 13}),     record_of({12, 11, 13}),
                 record_of({0, 11, 0, 12, 13, 14}),       record_of({11, 12, 11, 15}), {}};
  cut_requests(view, 3);
  const auto first = texts({11, 12, 13}), second = texts({14, 15, 16}), third = texts({17});
  EXPECT_EQ(requests_of(view, 0), (std::vector{first, first, first, second, second, second, third}));
  EXPECT_EQ(requests_of(view, 1), (std::vector(3, first)));
  EXPECT_EQ(view.claims[1][0].request, view.claims[0][0].request);
  EXPECT_EQ(requests_of(view, 2), (std::vector(3, texts({12, 11, 13}))));
  EXPECT_NE(view.claims[2][0].request, view.claims[0][0].request);
  EXPECT_EQ(requests_of(view, 3), (std::vector{first, first, first, texts({14})}));  // a missing number takes no room
  EXPECT_EQ(requests_of(view, 4), (std::vector{texts({11, 12}), texts({11, 12}), texts({11, 12}), texts({15})}));
  EXPECT_TRUE(requests_of(view, 5).empty());

  DatasetView alone;
  alone.claims = {record_of({11, 12})};
  cut_requests(alone, 1);
  EXPECT_TRUE(alone.requests.empty());
  EXPECT_EQ(alone.claims[0][0].request, RequestId{});
}

TEST(Requests, HaveNumbersOfTheirClaimsAndTheirOrder) {
  EXPECT_EQ(request_of(texts({1, 2, 3})), request_of(texts({1, 2, 3})));
  EXPECT_NE(request_of(texts({1, 2, 3})), request_of(texts({1, 3, 2})));
  EXPECT_NE(request_of(texts({1, 2})), request_of(texts({1, 2, 3})));
  EXPECT_NE(request_of(texts({1, 2})), request_of(texts({12})));
  EXPECT_GT(request_of(texts({1})).value, 0);
}

// Rates a claim by its place among the others, and counts the requests.
class Places final : public Judge {
 public:
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return false; }
  [[nodiscard]] std::size_t claims_per_request() const override { return 3; }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override {
    std::vector<std::vector<std::optional<Rating>>> all;
    for (const Request& request : requests) {
      asked.push_back(std::string(request.passage) + ":");
      auto& ratings = all.emplace_back();
      for (const std::string_view claim : request.claims) {
        asked.back() += " " + std::string(claim);
        ratings.push_back(Rating{static_cast<std::uint8_t>(ratings.size() + 1), 0});
      }
    }
    return all;
  }
  [[nodiscard]] Explanation explain(std::string_view /*passage*/, std::string_view /*claim*/) const override {
    return {};
  }
  mutable std::vector<std::string> asked;

 private:
  std::string name_ = "places";
  std::string spec_ = R"({"claims_per_request":3,"judge":"places"})";
};

class RatingTogether : public QueryStore {};

TEST_F(RatingTogether, AsksForTheWholeRequestOnceAndKeepsWhatIsSaidOfEachClaim) {
  const Places judge;
  const JudgeId id = register_judge(store(), judge);
  EXPECT_EQ(number("SELECT claims_per_request FROM judge"), 3);
  const TextId passage = put("P"), other = put("Q"), a = put("a"), b = put("b"), c = put("c");
  RequestClaims requests;
  const auto request = [&](const std::vector<TextId>& claims) {
    const RequestId number = request_of(claims);
    requests[number] = claims;
    return number;
  };
  const RequestId abc = request({a, b, c}), ca = request({c, a});
  std::uint64_t rated = 0;
  const RatingMap first = rate_pairs(store(), judge, id, {{passage, b, abc}, {passage, c, abc}}, rated, requests);
  EXPECT_EQ(rated, 2U);
  EXPECT_EQ(first, (RatingMap{{{passage, b, abc}, 2}, {{passage, c, abc}, 3}}));
  EXPECT_EQ(judge.asked, std::vector<std::string>{"P: a b c"});
  EXPECT_EQ(number("SELECT count(*) FROM judgment"), 3);
  // The third claim is known; the same claims elsewhere, or among others, are not.
  rated = 0;
  EXPECT_EQ(rate_pairs(store(), judge, id, {{passage, a, abc}}, rated, requests).at({passage, a, abc}), 1);
  EXPECT_EQ(rated, 0U);
  EXPECT_EQ(judge.asked.size(), 1U);
  const RatingMap more =
      rate_pairs(store(), judge, id, {{passage, a, ca}, {other, a, abc}, {passage, a, abc}}, rated, requests);
  EXPECT_EQ(more, (RatingMap{{{passage, a, ca}, 2}, {{other, a, abc}, 1}, {{passage, a, abc}, 1}}));
  EXPECT_EQ(rated, 2U);
  EXPECT_EQ(judge.asked.size(), 3U);
  EXPECT_EQ(number("SELECT count(*) FROM judgment"), 8);
}

TEST_F(RatingTogether, NeverPartsARequest) {
  const Places judge;
  const JudgeId id = register_judge(store(), judge);
  std::vector<TextId> claims, passages;
  {
    const auto batch = store().write();
    for (int i = 0; i < 3; ++i) {
      claims.push_back(batch->put_text(fmt::format("c{}", i), storage::PrivacyClass::kOriginal));
    }
    for (int i = 0; i < 1'500; ++i) {
      passages.push_back(batch->put_text(fmt::format("p{}", i), storage::PrivacyClass::kOriginal));
    }
    batch->commit();
  }
  const RequestClaims requests = {{request_of(claims), claims}};
  std::vector<Pair> pairs;
  for (const TextId passage : passages) {
    for (const TextId claim : claims) pairs.push_back({passage, claim, request_of(claims)});
  }
  std::uint64_t rated = 0;
  EXPECT_EQ(rate_pairs(store(), judge, id, pairs, rated, requests).size(), 4'500U);
  EXPECT_EQ(rated, 4'500U);
  EXPECT_EQ(judge.asked.size(), 1'500U);  // 4,096 pairs at once do not end between two requests
}

TEST_F(RatingTogether, RemembersTheRequestsOfThePresentClaims) {
  const auto stored = [&] {
    return rows(
        "SELECT r.key || ' ' || q.n || ' ' || q.size FROM claim_request q JOIN record r ON r.id = q.record_id ORDER BY "
        "1");
  };
  add_records({record("a", "Ann."), record("b", "Bob.")});
  add_claims({claims("a", {"A1", "A2", "A3", "A4"}), claims("b", {"A1"})});
  DatasetView view = dataset_view();
  cut_requests(view, 3);
  store_requests(store(), view, 3);
  EXPECT_EQ(stored(), (std::vector<std::string>{"a 1 3", "a 2 3", "a 3 3", "a 4 3", "b 1 3"}));
  EXPECT_EQ(number("SELECT count(*) FROM request"), 3);
  EXPECT_EQ(load_requests(store().db()), view.requests);
  EXPECT_EQ(request_claims(store().db(), view.claims[0][0].request), view.requests.at(view.claims[0][0].request));
  const DatasetView before = view;
  add_claims({claims("a", {"A1", "A2"})});
  store_requests(store(), before, 3);  // of claims that are no more: nothing is done
  EXPECT_EQ(stored().size(), 5U);
  view = dataset_view();
  cut_requests(view, 3);
  store_requests(store(), view, 3);
  EXPECT_EQ(stored(), (std::vector<std::string>{"a 1 3", "a 2 3", "b 1 3"}));
  // Those that no judgment names are cut again when they are needed.
  store().collect_garbage();
  EXPECT_TRUE(stored().empty());
  EXPECT_EQ(number("SELECT count(*) FROM request"), 0);
}

}  // namespace
}  // namespace residue::query::testing
