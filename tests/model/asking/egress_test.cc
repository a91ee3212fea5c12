#include "model/asking/egress.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/asking/answered_as.h"
#include "model/server/chat.h"
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
    fate.vote = VoteKey(std::string(32, name));
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

TEST_F(Ledger, TellsServersByWhatTheyCallThemselves) {
  const Sender sender{"far", "d", parse_server_url("http://localhost/v1")};
  std::int64_t now = 0;
  const auto answer = [&](const std::string& name, const std::string& fingerprint, std::int64_t ms) {
    const auto batch = store().write();
    Outgoing fate;
    fate.vote = VoteKey(std::string(31, 'v') + static_cast<char>(++now));
    fate.attempt = record_sending(batch->db(), sender, {fate.vote, 0, "{}"}, now);
    fate.fate = Fate::kSaved;
    fate.ms = ms;
    record_fate(batch->db(), fate);
    const std::string body = R"({"model":")" + name + R"(","system_fingerprint":")" + fingerprint + R"("})";
    batch->facts().put_answer(fate.vote, fate.attempt, encode({200, "u", now, ms, false, body}));
    batch->commit();
  };
  for (const int ms : {5, 9, 7, 30}) answer("m-1", "f", ms);
  EXPECT_EQ(swapped_note(store(), "far"), "");
  EXPECT_EQ(answered_as(store()).size(), 1U);
  answer("m-1", "g", 1);
  EXPECT_EQ(swapped_note(store(), "far"), "") << "the same model under another fingerprint";
  // The first answer is looked at however many came since.
  for (int i = 0; i < 70; ++i) answer("m-2 \\u00e9", "g", 1);
  EXPECT_EQ(swapped_note(store(), "far").find("model far answered as m-1 and m-2 ??: "), 0U);
  EXPECT_EQ(swapped_note(store(), "near"), "");
  const std::vector<AnsweredAs> all = answered_as(store());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, (ServerName{"m-1", "f"}));
  EXPECT_EQ(all[0].answers, 4U);
  EXPECT_EQ(all[0].median_ms, 7);
  EXPECT_EQ(all[0].first_ms, 1);
  EXPECT_EQ(all[0].last_ms, 4);
  EXPECT_EQ(all[2].answers, 70U);
  const std::vector<EgressRow> ledger = egress_ledger(store(), 72);
  EXPECT_EQ(ledger.front().answered_as, "m-1");
  EXPECT_EQ(ledger.front().ms, 30);
  EXPECT_EQ(ledger.back().answered_as, "m-2 ??");
  EXPECT_EQ(ledger.back().fingerprint, "g");
}

}  // namespace
}  // namespace residue::model::testing
