#include "model/egress.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/chat.h"
#include "tests/model/store_fixture.h"

namespace residue::model::testing {
namespace {

TEST(Usage, ThatNoRequestCanHaveIsNotCounted) {
  const auto tokens = [](const char* count) {
    return read_chat(200, std::string(R"({"usage":{"prompt_tokens":7,"completion_tokens":)") + count + "}}").tokens_out;
  };
  EXPECT_EQ(tokens("1000000000"), 1'000'000'000);
  for (const char* count : {"1000000001", "9223372036854775807", "18446744073709551615", "1e300", "-1", "\"7\""})
    EXPECT_EQ(tokens(count), std::nullopt) << count;
  EXPECT_EQ(nano_usd(0.0011), 1'100'000);
  EXPECT_EQ(nano_usd(-1), 0);
  EXPECT_EQ(nano_usd(1e300), 1'000'000'000'000'000'000);
}

class Ledger : public ModelStore {};

TEST_F(Ledger, SumsWhatOlderVersionsStoredToo) {
  const Sender sender{"stub", "d", parse_server_url("http://localhost/v1")};
  const auto batch = store().write();
  for (const char name : {'a', 'b', 'c', 'd'}) {
    Outgoing fate;
    fate.vote = std::string(32, name);
    fate.attempt = record_sending(batch->db(), sender, {fate.vote, 0, "{}"}, 1);
    fate.fate = Fate::kSaved;
    fate.tokens_in = 100;
    fate.tokens_out = name == 'a' ? 10 : std::numeric_limits<std::int64_t>::max();
    fate.cost_nano_usd = name == 'a' ? 2'500'000'000 : name == 'b' ? std::numeric_limits<std::int64_t>::min() : 0;
    record_fate(batch->db(), fate);
  }
  batch->commit();
  const std::vector<EgressSum> sums = egress_sums(store().db());
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].saved, 4U);
  EXPECT_EQ(sums[0].tokens_in, 400U);
  EXPECT_EQ(sums[0].tokens_out, 10U);
  EXPECT_EQ(sums[0].cost_usd, 2.5);
}

}  // namespace
}  // namespace residue::model::testing
