// Texts that tau-eval saved, as records and runs.
#include "ingest/neighbours/tau_eval.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::run_of;
using testing::shown;
using Strings = std::vector<std::string>;

constexpr const char* kTwo =
    "{\"original\":\"Ann\",\"Dummy Model\":\"...\",\"meta/llama-3.2:free/pii\":\"Ann\"}\n"
    "{\"original\":\"Bob\",\"Dummy Model\":\"\",\"meta/llama-3.2:free/pii\":\"[NAME]\"}\n";

TEST(TauEvalRun, TakesTheColumnOfOneModel) {
  VariantSourceOptions options;
  options.text = "meta/llama-3.2:free/pii";
  const auto run = run_of(kTwo, "tau-eval", options, ".jsonl");
  EXPECT_EQ(shown(run.rows), (Strings{"0|Ann|-", "1|[NAME]|-"}));
  EXPECT_EQ(run.rows.at(1).original, "Bob");
  EXPECT_EQ(run.notes,
            Strings{"1 text is the original: tau-eval keeps it where a model failed, and it counts as released"});
  options.text = "Dummy Model";
  const auto dummy = run_of(kTwo, "tau-eval", options, ".jsonl");
  EXPECT_EQ(shown(dummy.rows), (Strings{"0|...|-", "1|-|no output"}));
}

TEST(TauEvalRun, WantsOneModelToBeChosen) {
  const auto all = run_of(kTwo, "tau-eval", {}, ".jsonl");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(all.error, R"(FILE has texts of 2 models: "Dummy Model", "meta/llama-3.2:free/pii")");
  EXPECT_EQ(shown(run_of("original,m\nAnn,A\n", "tau-eval", {}, ".csv").rows), Strings{"0|A|-"});
  EXPECT_EQ(run_of(R"({"original": "Ann"})", "tau-eval").code, 6);
}

TEST(TauEvalRun, SaysThatFiguresAreNotTaken) {
  const auto run =
      run_of(R"({"dummy_task_0": {"metrics": ["rouge1"], "original_metrics": {}, "Dummy Model": {"rouge1": 0.0}}})",
             "tau-eval");
  EXPECT_EQ(run.code, 6);
  EXPECT_EQ(run.error, "FILE has tau-eval's figures, which are not taken; its texts are in TASK.hf");
}

TEST(TauEvalRun, RefusesRowsThatLackAColumn) {
  VariantSourceOptions options;
  options.text = "m";
  const auto run = run_of("{\"original\":\"Ann\",\"m\":\"A\"}\n{\"m\":\"B\"}\n{\"original\":\"Cem\"}\n", "tau-eval",
                          options, ".jsonl");
  EXPECT_EQ(shown(run.rows), Strings{"0|A|-"});
  ASSERT_EQ(run.bad.size(), 2U);
  EXPECT_EQ(run.bad[1].line, 3U);
  EXPECT_EQ(run_of("{\"original\":\"Ann\",\"m\":\"\"}\n", "tau-eval", options, ".jsonl").error,
            "none of the 1 rows of FILE has a text: 1 times no output");
}

TEST(TauEvalRecords, AreOriginals) {
  RecordSourceOptions options;
  options.preset = "tau-eval";
  const auto read = read_records(kTwo, options);
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[1].key, "1");
  EXPECT_EQ(read.rows[1].text, "Bob");
  EXPECT_FALSE(read.rows[1].meta);
  options.id = "x";
  EXPECT_EQ(error_code([&] { read_records(kTwo, options); }), 2);
}

}  // namespace
}  // namespace residue::ingest
