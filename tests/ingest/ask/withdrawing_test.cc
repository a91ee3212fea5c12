// A model whose server cut prompts unnoticed: answers and claims that were stored by then do not stand.
#include "ingest/ask/withdrawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ingest/ask/ask.h"
#include "ingest/atomize/atomize.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/atomize/claim_maker.h"
#include "ingest/atomize/withdrawing.h"
#include "ingest/files/run.h"
#include "model/tasks/task_asker.h"
#include "tests/ingest/asking_fixture.h"

namespace residue::ingest::testing {
namespace {

class Withdrawing : public AskingStore {
 protected:
  Withdrawing() {
    server_.always("context-1500");
    session_.options.withdraw = [](storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
      model::Withdrawn withdrawn;
      withdrawn.answers = withdraw_answers(store, batch, votes);
      withdrawn.claims = withdraw_claims(store, batch, votes);
      return withdrawn;
    };
  }
  std::size_t number(const char* sql) { return std::stoul(rows(sql).front()); }
  model::Endpoint endpoint() {
    model::Endpoint endpoint = model::find_endpoint(store().db(), "local");
    endpoint.transport.concurrency = 1;
    if (reads_all_) endpoint.transport.cut_from.reset();
    return endpoint;
  }
  // Longer than the server reads, each longer than the one before.
  void add_long(std::size_t i) {
    std::string text = fmt::format("Ann keeps bees{}.", i);
    for (std::size_t word = i; word < 700 + 90 * i; ++word) text += fmt::format(" w{}{:05}", i, word % 1'000);
    records_.push_back(record(fmt::format("r{}", i), text));
    variants_.push_back(variant(fmt::format("r{}", i), text));
    add(records_);
    VectorSource<VariantRow> source(variants_);
    ingest_run(store(), "d", "r", {}, source, file());
  }
  // A record more with each command, until something was taken back; how many records there are then.
  template <class Command>
  std::size_t grow(const Command& command) {
    for (std::size_t i = records_.size(); i < 8; ++i) {
      add_long(i);
      session_.counts = {};
      session_.budget = {};
      command();
      if (session_.counts.taken_back > 0) return i + 1;
    }
    ADD_FAILURE() << "the server was not found out";
    return 0;
  }

  // The server has another limit from now on, and `model test` has found that out.
  void read_all() {
    reads_all_ = true;
    server_.always("counted");
    session_.budget = {};
  }

  std::vector<RecordRow> records_;
  std::vector<VariantRow> variants_;
  bool reads_all_ = false;
};

TEST_F(Withdrawing, AnswersToTasksCountAsNotGiven) {
  const auto ask = [&](model::TaskKind kind) {
    model::TaskAsker asker(store(), {kind, model::default_items(kind), std::nullopt}, endpoint(), "d", session_);
    ask_run(store(), "d", "r", asker, "local");
  };
  const std::size_t records = grow([&] { ask(model::TaskKind::kAttributes); });
  EXPECT_EQ(session_.counts.withdrawn.answers, records - 1);
  EXPECT_EQ(number("SELECT count(*) FROM task_answer"), records);
  EXPECT_EQ(number("SELECT count(*) FROM task_answer WHERE answer_id IS NOT NULL"), 0U);
  // Of a server that reads all, everything is asked for again.
  read_all();
  ask(model::TaskKind::kAttributes);
  EXPECT_EQ(number("SELECT count(*) FROM task_answer WHERE answer_id IS NOT NULL"), records);
}

TEST_F(Withdrawing, AnswersToOtherTasksStay) {
  model::TaskAsker first(store(), {model::TaskKind::kCategory, {}, std::nullopt}, endpoint(), "d", session_);
  server_.always("counted");
  add_long(0);
  ask_run(store(), "d", "r", first, "local");
  const char* answers = "SELECT count(*) FROM task_answer WHERE answer_id IS NOT NULL AND task = 'category'";
  EXPECT_EQ(number(answers), 1U);
  const auto batch = store().write();
  EXPECT_EQ(withdraw_answers(store(), *batch, {VoteKey(std::string(32, 'x'))}), 0U);
  batch->commit();
  EXPECT_EQ(number(answers), 1U);
}

TEST_F(Withdrawing, RecordsHaveNoClaimsThatWereMadeOfAPart) {
  const std::size_t records = grow([&] {
    ModelMaker maker(store(), endpoint(), "d", session_);
    atomize_dataset(store(), "d", "said", maker);
  });
  EXPECT_EQ(session_.counts.withdrawn.claims, records - 1);
  EXPECT_EQ(number("SELECT count(*) FROM claim"), 0U);
  read_all();
  ModelMaker maker(store(), endpoint(), "d", session_);
  atomize_dataset(store(), "d", "said", maker);
  EXPECT_EQ(number("SELECT count(DISTINCT record_id) FROM claim"), records);
}

TEST_F(Withdrawing, ASetOfARunsClaimsThatWereMadeOfAPartIsUnfinished) {
  const char* finished = "SELECT count(*) FROM run_claim_set WHERE made_from IS NOT NULL";
  add_long(0);
  {
    ModelMaker maker(store(), endpoint(), "d", session_);
    atomize_run(store(), "d", "r", "said", maker);
  }
  EXPECT_EQ(number(finished), 1U);
  // Found out by another task of the same model.
  grow([&] {
    ModelMaker maker(store(), endpoint(), "d", session_);
    atomize_dataset(store(), "d", "other", maker);
  });
  EXPECT_EQ(number(finished), 0U);
}

}  // namespace
}  // namespace residue::ingest::testing
