#include "model/probe/probe_length.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "model/limits/read_whole.h"
#include "model/limits/spending.h"
#include "tests/model/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class Length : public ModelStore {
 protected:
  Length() {
    endpoint_.name = "stub";
    endpoint_.asking.model = "m";
    endpoint_.asking.max_tokens = 100;
  }
  LengthProbe probe(stub::Server& server, std::uint64_t words) {
    endpoint_.transport.url = server.url();
    return probe_length(store(), endpoint_, words);
  }
  Endpoint endpoint_;
};

// A passage of 1,000 words has about 5,300 bytes, so 1,350 tokens of the stub's.
TEST_F(Length, IsFoundWhateverTheServerSaysAboutIt) {
  for (const char* behaviour : {"context-6000", "context-6000-silent", "context-6000-refused"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    const LengthProbe found = probe(server, 16'000);
    ASSERT_TRUE(found.longest_prompt);
    EXPECT_GT(found.read, 3'500U);
    EXPECT_LT(found.read, 4'500U);
    EXPECT_GT(*found.longest_prompt, static_cast<std::int64_t>(found.read)) << "with the instructions";
    EXPECT_LT(*found.longest_prompt, static_cast<std::int64_t>(found.read) + 500);
    EXPECT_TRUE(found.probes.back().works);
    EXPECT_LE(server.requests(), 10U);
    EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE dataset IS NOT NULL"), 0);
  }
}

TEST_F(Length, HasNoEndWhereAllIsRead) {
  stub::Server server("counted");
  const LengthProbe found = probe(server, 5'000);
  EXPECT_EQ(found.read, 5'000U);
  EXPECT_FALSE(found.longest_prompt);
  EXPECT_EQ(server.requests(), 5U) << "the fact that is not there, 1,000, 2,000, 4,000, 5,000";
  EXPECT_EQ(probe(server, 300).read, 300U);
}

TEST_F(Length, IsNotKnownOfAServerThatFailsOrOfAModelThatAgreesWithAll) {
  stub::Server busy("429");
  EXPECT_FALSE(probe(busy, 4'000).longest_prompt);
  EXPECT_EQ(busy.requests(), 1U);
  stub::Server server;
  server.ratings({1});
  endpoint_.asking.seed = 0;
  const LengthProbe found = probe(server, 4'000);
  EXPECT_FALSE(found.longest_prompt);
  EXPECT_EQ(found.read, 0U);
  ASSERT_EQ(found.probes.size(), 1U);
  EXPECT_FALSE(found.probes[0].works);
}

TEST_F(Length, CostsNoMoreThanItSaysBefore) {
  endpoint_.transport.price_in = 1;
  endpoint_.transport.price_out = 2;
  for (const char* behaviour : {"context-1000", "context-6000", "context-20000", "counted"}) {
    SCOPED_TRACE(behaviour);
    store().db().run("DELETE FROM attempt");
    stub::Server server(behaviour);
    const LengthCost most = most_length_cost(endpoint_, 16'000);
    probe(server, 16'000);
    EXPECT_LE(number("SELECT sum(bytes) / 4 FROM attempt"), static_cast<std::int64_t>(most.tokens));
    EXPECT_GT(most.usd, price(endpoint_, static_cast<double>(most.tokens), 0));
  }
}

}  // namespace
}  // namespace residue::model::testing
