#include "model/limits/spending.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace residue::model {
namespace {

Endpoint priced() {
  Endpoint endpoint;
  endpoint.name = "m";
  endpoint.transport.price_in = 1;
  endpoint.transport.price_out = 2;
  return endpoint;
}

TEST(Spending, TakesTheLimitThatIsAskedForBeforeThoseThatAreDeclared) {
  Endpoint endpoint = priced();
  EXPECT_FALSE(most_answer_tokens(endpoint));
  endpoint.transport.context = 100'000;
  EXPECT_EQ(most_answer_tokens(endpoint), 100'000);
  endpoint.transport.output_limit = 30'000;
  EXPECT_EQ(most_answer_tokens(endpoint), 30'000);
  endpoint.asking.max_completion_tokens = 500;
  EXPECT_EQ(most_answer_tokens(endpoint), 500);
  endpoint.asking.max_completion_tokens.reset();
  endpoint.asking.max_tokens = 400;
  EXPECT_EQ(most_answer_tokens(endpoint), 400);
  endpoint.embedding = Embedding{};
  EXPECT_EQ(most_answer_tokens(endpoint), 0);
}

// A text of digits or of rare characters has nearly as many tokens as bytes; servers put a frame around what they read.
TEST(Spending, SetsAsideATokenForEveryByteAndTheLongestAnswer) {
  const MostCost most = most_cost(priced(), 1'000, 300);
  EXPECT_GE(most.in, 1'000e-6 + 100e-6);
  EXPECT_LE(most.in, 1'000e-6 + 500e-6);
  EXPECT_DOUBLE_EQ(most.out, 600e-6);
  EXPECT_DOUBLE_EQ(most.sum(), most.in + most.out);
}

TEST(Spending, PlansWhatItKnowsAlone) {
  Endpoint endpoint = priced();
  EXPECT_TRUE(std::isnan(planned_cost(endpoint, 3'500, 2)));
  EXPECT_EQ(planned_cost(endpoint, 0, 0), 0);
  endpoint.transport.output_limit = 1'000;
  EXPECT_DOUBLE_EQ(planned_cost(endpoint, 3'500, 2), 0.001 + 0.004);
  endpoint.transport = {};
  EXPECT_EQ(planned_cost(endpoint, 3'500, 2), 0);
}

TEST(Spending, RefusesABudgetThatCannotBeKept) {
  struct Case {
    const char* what;
    double price_in, price_out;
    std::optional<std::int64_t> output_limit, of_requests;
    bool refused;
  };
  const Case cases[] = {{"no prices", 0, 0, 100, {}, true},
                        {"no limit", 1, 2, {}, {}, true},
                        {"answers that cost nothing", 1, 0, {}, {}, false},
                        {"a declared limit", 1, 2, 100, {}, false},
                        {"requests with a limit", 1, 2, {}, 1, false}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    Endpoint endpoint = priced();
    endpoint.transport.price_in = one.price_in;
    endpoint.transport.price_out = one.price_out;
    endpoint.transport.output_limit = one.output_limit;
    Budget budget;
    EXPECT_NO_THROW(check_budget(endpoint, budget, one.of_requests));
    budget.max_cost = 1;
    try {
      check_budget(endpoint, budget, one.of_requests);
      EXPECT_FALSE(one.refused);
    } catch (const Error& error) {
      EXPECT_TRUE(one.refused);
      EXPECT_EQ(error.code(), Code::kUsage);
    }
  }
}

}  // namespace
}  // namespace residue::model
