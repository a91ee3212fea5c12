// Right answers over all records that have a question: what is failed or missing is wrong until it is known.
#include "query/study/task_accuracy.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/answers.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr const char* kTask = R"({"answer":"B","options":{"A":"gout","B":"asthma"},"question":"What?"})";

class Tasks : public QueryStore {
 protected:
  void add_tasks(std::size_t count, std::size_t per_person = 0) {
    std::vector<RecordRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
      RecordRow row = record(fmt::format("r{}", i), fmt::format("A man of {} years.", i));
      row.task = kTask;
      if (per_person != 0) row.person = fmt::format("p{}", i / per_person);
      rows.push_back(row);
    }
    add_records(rows);
  }
  static ingest::AnswerRow answer(const std::string& record, std::optional<std::string> words,
                                  const std::string& run = "none", const std::string& model = "m") {
    ingest::AnswerRow row;
    row.line = 1;
    row.model = model;
    row.record = record;
    row.run = run;
    row.answer = std::move(words);
    return row;
  }
  ingest::IngestResult add_answers(std::vector<ingest::AnswerRow> rows) {
    VectorSource<ingest::AnswerRow> source(std::move(rows));
    return ingest::ingest_answers(store(), "d", source, ingest::testing::file());
  }
  std::string refusal(const ingest::AnswerRow& row) {
    try {
      add_answers({row});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
      return error.what();
    }
    return {};
  }
  std::vector<TaskAccuracy> load() {
    const storage::Lock held = store().hold_texts();
    return load_task_accuracy(store(), "d");
  }
};

TEST_F(Tasks, TheFirstLetterOfAnAnswerIsItsKey) {
  EXPECT_EQ(answered_key("C"), 'C');
  EXPECT_EQ(answered_key(" (c) because"), 'C');
  EXPECT_EQ(answered_key("**2**"), '2');
  EXPECT_EQ(answered_key("The answer is C"), 'T');
  EXPECT_EQ(answered_key("?!"), std::nullopt);
  EXPECT_EQ(right_key(kTask), 'B');
  EXPECT_EQ(right_key(R"({"answer":"asthma","options":{"A":"gout","B":"asthma"}})"), 'B');
  EXPECT_EQ(right_key(R"({"answer":"c"})"), 'C');
  EXPECT_EQ(right_key(R"({"answer":"cough"})"), std::nullopt);
  EXPECT_EQ(right_key(R"({"answer":"E","options":{"A":"gout"}})"), std::nullopt);
  EXPECT_EQ(right_key("{}"), std::nullopt);
}

TEST_F(Tasks, AllRecordsWithATaskAreTheDenominator) {
  add_tasks(8);
  RecordRow blank = record("e", "");
  blank.task = kTask;
  add_records({record("x", "No question."), blank});
  // Four answered, three of them right; two asked in vain; two never asked.
  add_answers({answer("r0", "B"), answer("r1", "b. asthma"), answer("r2", "A"), answer("r3", "(B)"),
               answer("r4", std::nullopt), answer("r5", std::nullopt)});
  const auto lines = load();
  ASSERT_EQ(lines.size(), 1U);
  const MetricRow& row = lines[0].row;
  EXPECT_EQ(lines[0].run, "none");
  EXPECT_EQ(lines[0].right, 3);
  EXPECT_EQ(row.n, 4);
  EXPECT_EQ(row.failed, 2);
  EXPECT_EQ(row.missing, 2);
  EXPECT_EQ(row.not_applicable, 2);
  EXPECT_DOUBLE_EQ(*row.value, 3.0 / 8);
  EXPECT_DOUBLE_EQ(*row.if_leaked, 3.0 / 8);
  EXPECT_DOUBLE_EQ(*row.if_private, 7.0 / 8);
  EXPECT_DOUBLE_EQ(*row.drop_value, 3.0 / 4);
  EXPECT_DOUBLE_EQ(*row.low, numbers::wilson_interval(3, 8).low);
  EXPECT_DOUBLE_EQ(*row.high, numbers::wilson_interval(3, 8).high);
}

TEST_F(Tasks, RecordsOfOnePersonAreResampledTogether) {
  add_tasks(8, 4);
  std::vector<ingest::AnswerRow> rows;
  for (int i = 0; i < 8; ++i) rows.push_back(answer(fmt::format("r{}", i), i < 4 ? "B" : "A"));
  add_answers(rows);
  const MetricRow row = load()[0].row;
  EXPECT_DOUBLE_EQ(*row.value, 0.5);
  EXPECT_LT(*row.low, 0.05);  // two persons say next to nothing
  EXPECT_GT(*row.high, 0.95);
}

TEST_F(Tasks, ATextThatChangedWasNotAnswered) {
  add_tasks(2);
  add_run("cut", {variant("r0", "A man."), variant("r1", "A man.")});
  const auto right = [&] { return load()[0].right; };
  add_answers({answer("r0", "B", "cut"), answer("r1", "B", "cut"), answer("r0", "B"), answer("r1", "B")});
  EXPECT_EQ(right(), 2);
  add_run("cut", {variant("r0", "A person.")});
  EXPECT_EQ(right(), 1);
  EXPECT_EQ(load()[0].row.missing, 1);
  EXPECT_EQ(load()[1].right, 2) << "the originals are as they were";
  add_answers({answer("r0", "B", "cut")});
  EXPECT_EQ(right(), 2);
  add_run("cut", {variant("r0", "A man.")});
  EXPECT_EQ(right(), 1);
  // Another question about the same text.
  RecordRow other = record("r1", "A man of 1 years.");
  other.task = R"({"answer":"B","options":{"A":"gout","B":"asthma"},"question":"And now?"})";
  add_records({other});
  EXPECT_EQ(right(), 0);
  EXPECT_EQ(load()[1].right, 1);
}

TEST_F(Tasks, ATextThatFailedWasNotAnswered) {
  add_tasks(3);
  VariantRow failed = variant("r1", "");
  failed.text.reset();
  failed.error = "trouble";
  add_run("cut", {variant("r0", "A man."), failed});
  add_answers({answer("r0", "B", "cut"), answer("r1", "B", "cut"), answer("r2", "B", "cut"),
               answer("r2", "B", "none", "other"), answer("r0", "B", "remove-all", "m")});
  const auto lines = load();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].run, "cut");
  EXPECT_EQ(lines[0].row.n, 1);
  EXPECT_EQ(lines[0].row.failed, 2);
  EXPECT_EQ(lines[1].run, "none");
  EXPECT_EQ(lines[1].model, "other");
  EXPECT_EQ(lines[1].row.missing, 2);
  EXPECT_EQ(lines[2].row.n, 1);
}

TEST_F(Tasks, AnswersAreReplacedAndGoWithTheirRun) {
  add_tasks(2);
  add_run("cut", {variant("r0", "A man."), variant("r1", "A man.")});
  EXPECT_EQ(add_answers({answer("r0", "A", "cut"), answer("r1", std::nullopt, "cut")}).counts.fresh, 2U);
  EXPECT_EQ(add_answers({answer("r0", "A", "cut"), answer("r1", std::nullopt, "cut")}).counts.same, 2U);
  EXPECT_EQ(add_answers({answer("r0", "B", "cut"), answer("r1", "B", "cut")}).counts.changed, 2U);
  EXPECT_EQ(load()[0].right, 2);
  store().collect_garbage();
  EXPECT_EQ(load()[0].right, 2);
  {
    const auto batch = store().write();
    batch->db().prepare("DELETE FROM run WHERE name = 'cut'").run();
    batch->commit();
  }
  EXPECT_TRUE(load().empty());
}

TEST_F(Tasks, RowsThatFitNothingAreRefused) {
  add_tasks(2);
  add_records({record("x", "No question.")});
  add_run("made", {variant("s1", "A man.")}, true);
  EXPECT_NE(refusal(answer("nobody", "B")).find("no record with this id"), std::string::npos);
  EXPECT_NE(refusal(answer("r0", "B", "nothing")).find("no run with this name"), std::string::npos);
  EXPECT_NE(refusal(answer("x", "B")).find("the record has no task"), std::string::npos);
  EXPECT_NE(refusal(answer("r0", "B", "made")).find("the texts of this run belong to none"), std::string::npos);
  EXPECT_NE(refusal(answer("r0", "B", "none", "")).find("name of a model"), std::string::npos);
  ingest::AnswerRow other = answer("r0", "B");
  other.gold = "A";
  EXPECT_NE(refusal(other).find("not that of the record's task"), std::string::npos);
  EXPECT_THROW(add_answers({answer("r0", "B"), answer("r0", "B")}), Error);
  EXPECT_TRUE(load().empty());
}

}  // namespace
}  // namespace residue::query::testing
