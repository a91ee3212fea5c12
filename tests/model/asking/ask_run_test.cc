#include "model/asking/ask_run.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "tests/model/store_fixture.h"

namespace residue::model::testing {
namespace {

class OneRun : public ModelStore {
 protected:
  OneRun() {
    endpoint_.name = "m";
    endpoint_.transport.url = "http://127.0.0.1:1/v1";  // nobody listens there
    questions_.list = {{.index = 0, .vote = VoteKey(std::string(32, 'v'))}};
    questions_.body = [](std::size_t, std::uint32_t) { return std::string("{}"); };
  }

  std::string failure() {
    try {
      AskRun(store(), endpoint_, "d", questions_, budget_, options_).run();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  Endpoint endpoint_;
  Questions questions_;
  Budget budget_;
  AskOptions options_;
};

TEST_F(OneRun, EndsAtOnceWhereNothingIsAsked) {
  questions_.list.clear();
  EXPECT_EQ(failure(), "none");
}

TEST_F(OneRun, SendsNothingThatTheBudgetDoesNotAllow) {
  budget_.max_calls = 0;
  EXPECT_EQ(failure(), "the limit of 0 calls is reached; 0 of 1 answers are there, none of them is lost");
  budget_ = {};
  budget_.max_cost = 0.5;
  EXPECT_EQ(failure(), "--max-cost: the prices of model m are not known");
  endpoint_.transport.price_in = endpoint_.transport.price_out = 1e6;
  EXPECT_EQ(failure(), "--max-cost: nobody said how long the answers of model m can be");
  endpoint_.asking.max_completion_tokens = 2;
  EXPECT_EQ(failure(),
            "the next request could exceed --max-cost (spent: 0.0000 USD, set aside for one request: 260.0000 USD); 0 "
            "of 1 answers are there, none of them is lost");
  EXPECT_EQ(number("SELECT count(*) FROM attempt"), 0);
}

TEST_F(OneRun, GivesTheCallBackThatReachedNobody) {
  options_.retry.base = options_.retry.cap = Millis(1);
  options_.retry.patience = Millis(20);
  EXPECT_NE(failure().find("model m has not answered for a long time"), std::string::npos);
  EXPECT_EQ(budget_.calls, 0U);
  EXPECT_GT(number("SELECT count(*) FROM attempt"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state <> 'refused'"), 0);
}

}  // namespace
}  // namespace residue::model::testing
