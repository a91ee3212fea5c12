// An answer that was saved and is damaged is not asked for again in silence.
#include "model/asking/lost_answers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/asking/answered_as.h"
#include "model/asking/egress.h"
#include "storage/check.h"
#include "storage/erase/paid.h"
#include "storage/facts/answer_entry.h"
#include "tests/model/asking/asker_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class LostAnswer : public Asker {
 protected:
  // Changes a bit of the vote key under which the answer is kept.
  void damage_key(const VoteKey& vote) {
    store_.reset();
    const auto file = dir_ / ".residue" / "facts" / "data.mdb";
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const std::string key = "a" + storage::answer_place(vote, 1);
    std::size_t places = 0;
    for (std::size_t at = bytes.find(key); at != std::string::npos; at = bytes.find(key, at + 1), ++places)
      bytes[at + 10] = static_cast<char>(bytes[at + 10] ^ 4);
    ASSERT_GT(places, 0U);
    std::ofstream(file, std::ios::binary) << bytes;
    open();
  }
  // As a command asks: what facts/ does not find is open.
  AskCounts ask_open_ones(stub::Server& server, const Questions& all) {
    Questions open = all;
    std::erase_if(open.list, [&](const Question& one) { return !store().facts().read()->answers(one.vote).empty(); });
    return run(server, open);
  }
};

TEST_F(LostAnswer, IsNotAskedForAgainBeforeARepair) {
  stub::Server server;
  const Questions all = questions(5);
  run(server, all);
  EXPECT_EQ(ask_open_ones(server, all).requests, 0U);
  damage_key(all.list[2].vote);
  try {
    ask_open_ones(server, all);
    ADD_FAILURE() << "asked again";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCorrupt);
    EXPECT_NE(error.hint().find("residue check --repair"), std::string::npos);
  }
  EXPECT_EQ(server.requests(), 5U);
  storage::repair_store(store(), storage::check_store(store()));
  EXPECT_EQ(ask_open_ones(server, all).requests, 1U);
  EXPECT_EQ(ask_open_ones(server, all).requests, 0U);
  EXPECT_EQ(saved_answers(), 5U);
}

TEST_F(LostAnswer, IsNoneThatWasPurged) {
  stub::Server server;
  const Questions all = questions(3);
  run(server, all);
  {
    const auto batch = store().write();
    storage::erase_later(batch->db(), {all.list[1].vote});
    batch->commit();
  }
  store().collect_garbage();
  EXPECT_EQ(egress_ledger(store(), 0)[1].state, "saved");
  EXPECT_EQ(ask_open_ones(server, all).requests, 1U);
}

TEST_F(LostAnswer, IsMarkedInTheLedger) {
  stub::Server server;
  const Questions all = questions(3);
  run(server, all);
  const auto states = [&] {
    std::size_t damaged = 0, saved = 0;
    for (const EgressRow& row : egress_ledger(store(), 0)) {
      damaged += row.state == kDamaged ? 1 : 0;
      saved += row.state == "saved" && !row.answered_as.empty() ? 1 : 0;
    }
    return std::vector<std::size_t>{damaged, saved};
  };
  EXPECT_EQ(states(), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(answered_as(store()).size(), 1U);
  damage_key(all.list[1].vote);
  EXPECT_EQ(states(), (std::vector<std::size_t>{1, 2}));
  EXPECT_THROW(answered_as(store()), Error);
}

}  // namespace
}  // namespace residue::model::testing
