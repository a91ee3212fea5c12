// The verbs as a face calls them: options in, results out; rows of this process are stored like rows of a file.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "tests/verbs/scratch.h"
#include "verbs/compare.h"
#include "verbs/eval.h"
#include "verbs/ingest.h"
#include "verbs/leaks.h"
#include "verbs/open.h"
#include "verbs/report.h"
#include "verbs/sql.h"

namespace residue::verbs {
namespace {

namespace fs = std::filesystem;

class Verbs : public ::testing::Test {
 protected:
  std::unique_ptr<storage::Store> made(const std::string& name) {
    init(dir_ / name);
    return open_store((dir_ / name).string());
  }
  std::string file(const std::string& name, const std::string& lines) const {
    std::ofstream(dir_ / name) << lines;
    return (dir_ / name).string();
  }

  // All rows of the statements, cells joined by |, and "end" behind each statement.
  std::vector<std::string> rows(const std::string& name, const std::string& statements) const {
    std::vector<std::string> lines;
    query::SqlOptions options;
    options.store = find_store((dir_ / name).string());
    options.level = query::ReadLevel::kOriginals;
    SqlSinks sinks;
    sinks.columns = [](const auto&) {};
    sinks.row = [&](const std::vector<query::SqlValue>& cells) {
      std::string line;
      for (const auto& cell : cells) {
        const auto* text = std::get_if<std::string>(&cell);
        const auto* whole = std::get_if<std::int64_t>(&cell);
        line += (line.empty() ? "" : "|") + (text != nullptr ? *text : whole != nullptr ? std::to_string(*whole) : "");
      }
      lines.push_back(std::move(line));
    };
    sinks.end = [&](const query::SqlEnd&) { lines.emplace_back("end"); };
    sql(options, statements, sinks);
    return lines;
  }

  static std::vector<ingest::RecordRow> records() {
    std::vector<ingest::RecordRow> all;
    for (const auto& [key, text] : std::vector<std::pair<std::string, std::string>>{
             {"a", "Ann lives in Bergen. She has asthma. She owns a red boat. She sings in a choir."},
             {"b", "Bob lives in Oslo. He has gout. He drives a blue van. He plays the cello."},
             {"c", "Cem lives in Molde. He has no illness. He bakes bread. He walks to work."}}) {
      ingest::RecordRow row;
      row.key = key;
      row.text = text;
      all.push_back(row);
    }
    return all;
  }
  static void add_records(storage::Store& store) {
    const std::vector<ingest::RecordRow> all = records();
    DatasetOptions options;
    options.dataset = "d";
    options.rows = all;
    ingest_dataset(store, options);
  }
  static void add_run(storage::Store& store, const std::string& run, const std::string& suffix) {
    std::vector<ingest::VariantRow> variants;
    for (const ingest::RecordRow& record : records()) {
      ingest::VariantRow row;
      row.key = record.key;
      row.text = record.text->substr(record.text->find(". ") + 2) + suffix;
      variants.push_back(row);
    }
    RunOptions options;
    options.dataset = "d";
    options.run = run;
    options.rows = variants;
    EXPECT_EQ(ingest_run(store, options).result.counts.fresh, 3U);
  }

  ScratchFolder scratch_;
  fs::path dir_ = scratch_.path();
};

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST_F(Verbs, FindTheStoreThatInitMade) {
  EXPECT_EQ(init(dir_ / "s" / ".residue"), dir_ / "s" / ".residue");
  EXPECT_EQ(find_store((dir_ / "s").string()), dir_ / "s" / ".residue");
  EXPECT_EQ(refusal([&] { open_store(dir_.string()); }), "no store in " + dir_.string());
}

TEST_F(Verbs, StoreRowsOfThisProcessLikeThoseOfAFile) {
  const std::string path = file("r.jsonl", R"({"id":"a","text":"Ann.","person":"p1"})"
                                           "\n"
                                           R"({"id":"b","text":"Bob."})"
                                           "\n");
  std::vector<std::string> done;
  {
    const auto store = made("of_file");
    DatasetOptions options;
    options.dataset = "d";
    options.files = {path};
    options.file_done = [&](const std::string& name, const ingest::IngestResult& result) {
      done.push_back(name + " " + std::to_string(result.counts.fresh));
    };
    EXPECT_EQ(ingest_dataset(*store, options).result.counts.fresh, 2U);
  }
  EXPECT_EQ(done, std::vector<std::string>{path + " 2"});
  {
    const auto store = made("of_rows");
    std::vector<ingest::RecordRow> rows(2);
    rows[0].key = "a";
    rows[0].text = "Ann.";
    rows[0].person = "p1";
    rows[1].key = "b";
    rows[1].text = "Bob.";
    DatasetOptions options;
    options.dataset = "d";
    options.rows = rows;
    EXPECT_EQ(ingest_dataset(*store, options).result.counts.fresh, 2U);
    EXPECT_EQ(ingest_dataset(*store, options).result.counts.same, 2U) << "the rows are read again";
    options.files = {path};
    EXPECT_EQ(refusal([&] { ingest_dataset(*store, options); }), "both files and rows are given");
  }
  const std::string what = "SELECT record, person, text(record_text) FROM records ORDER BY record; SELECT 1";
  EXPECT_EQ(rows("of_rows", what), rows("of_file", what));
  EXPECT_EQ(rows("of_rows", what).size(), 5U);
}

TEST_F(Verbs, StoreRowsOfThisProcessAllOrNone) {
  {
    const auto store = made("s");
    add_records(*store);
    std::vector<ingest::VariantRow> variants(20'001);  // more than a batch of a file
    for (ingest::VariantRow& row : variants) row.text = "x";
    variants.back().key = std::string(2000, 'k');  // longer than a key may be
    RunOptions options;
    options.dataset = "d";
    options.run = "r";
    options.spec.synthetic = true;
    options.rows = variants;
    EXPECT_NE(refusal([&] { ingest_run(*store, options); }).find("standard input:20001"), std::string::npos);
  }
  EXPECT_EQ(rows("s", "SELECT count(*) FROM variants WHERE run = 'r'").front(), "0");
}

// Of another program's file only the end says whether it has one text for each record.
TEST_F(Verbs, StoreFilesOfOtherProgramsAllOrNone) {
  const auto sample = [](const std::string& id, int epoch) {
    return R"({"id": ")" + id + R"(", "epoch": )" + std::to_string(epoch) +
           R"(, "output": {"completion": "Someone lives somewhere."}})";
  };
  const auto log = [&](const std::string& name, const std::string& samples) {
    return file(name, R"({"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [)" + samples + "]}");
  };
  const auto store = made("s");
  add_records(*store);
  RunOptions options;
  options.dataset = "d";
  options.run = "r";
  options.files = {log("two.json", sample("a", 1) + "," + sample("b", 1) + "," + sample("a", 2))};
  EXPECT_EQ(refusal([&] { ingest_run(*store, options); }), "two.json has samples of 2 values of epoch: 1, 2");
  options.files = {log("unknown.json", sample("a", 1) + ",\n" + sample("x", 1))};
  EXPECT_EQ(refusal([&] { ingest_run(*store, options); }), "unknown.json:2: no record with this id in dataset d");
  options.files = {log("again.json", sample("a", 1) + ",\n" + sample("a", 1))};
  EXPECT_EQ(refusal([&] { ingest_run(*store, options); }), "again.json:2: the id was on an earlier line already");
  options.files = {file("cut.json", R"({"version": 2, "eval": {}, "samples": [)" + sample("a", 1))};
  options.source.preset = "inspect";
  EXPECT_EQ(refusal([&] { ingest_run(*store, options); }), "cut.json:1: the file ends before its JSON does");
  std::string many;  // more than a batch of an ordinary file
  for (int i = 0; i <= 20'000; ++i) many += sample(std::to_string(i), 1) + ",";
  options.files = {log("many.json", many + sample("0", 2))};
  options.spec.synthetic = true;
  EXPECT_EQ(refusal([&] { ingest_run(*store, options); }), "many.json has samples of 2 values of epoch: 1, 2");
  options.spec.synthetic = false;
  storage::Statement runs = store->db().prepare("SELECT count(*) FROM run WHERE name = 'r'");
  runs.step();
  EXPECT_EQ(runs.integer(0), 0);
  options.files = {log("two.json", sample("a", 1) + "," + sample("b", 1) + "," + sample("a", 2))};
  options.source.only["epoch"] = "1";
  EXPECT_EQ(ingest_run(*store, options).result.counts.fresh, 2U);
}

TEST_F(Verbs, LeadFromRowsToNumbers) {
  const auto store = made("s");
  add_records(*store);
  ingest::atomize_dataset(*store, "d", ingest::kSentenceSet, 1, {});
  add_run(*store, "one", "");
  add_run(*store, "two", " The end.");
  EvalOptions wanted;
  wanted.metrics = {"no_such_metric"};
  EXPECT_NE(refusal([&] { eval(*store, wanted); }), "nothing");
  wanted.metrics.clear();
  wanted.gates.gates = {query::parse_gate("leak_rate > 0")};
  std::vector<std::string> stages;
  wanted.attack.progress = [&](const std::string& what, auto, auto) { stages.push_back(what); };
  const EvalResult evaluated = eval(*store, wanted);
  EXPECT_GT(evaluated.counts.evaluations, 2U);
  EXPECT_FALSE(stages.empty());
  ASSERT_EQ(evaluated.gates.size(), 2U);
  EXPECT_TRUE(evaluated.gates.front().failed);
  ASSERT_EQ(evaluated.targets.size(), 1U);

  ReportOptions what;
  what.gates = wanted.gates;
  const ReportResult reported = report(*store, what);
  ASSERT_EQ(reported.reports.size(), 1U);
  EXPECT_EQ(reported.reports.front().dataset, "d");
  EXPECT_EQ(reported.gates.size(), 2U);
  EXPECT_EQ(reported.gates.front().value, evaluated.gates.front().value);

  LeaksOptions of_one;
  of_one.what.dataset = "d";
  of_one.what.run = "one";
  of_one.evidence = true;
  const LeaksResult found = leaks(*store, of_one);
  ASSERT_FALSE(found.leaks.leaks.empty());
  EXPECT_EQ(found.claims.size(), found.leaks.leaks.size());
  EXPECT_EQ(found.evidence.size(), found.leaks.leaks.size());
  EXPECT_TRUE(found.linked.empty());
  of_one.evidence = false;
  of_one.linked = true;
  const LeaksResult whole = leaks(*store, of_one);
  EXPECT_TRUE(whole.evidence.empty());
  ASSERT_EQ(whole.linked.size(), found.evidence.size());
  for (std::size_t i = 0; i < whole.linked.size(); ++i) {
    EXPECT_NE(whole.linked[i].find(found.evidence[i]), std::string::npos);
    EXPECT_EQ(std::ranges::count(whole.linked[i], '.'), 3) << "the whole text of three sentences";
  }
  of_one.claims = false;
  EXPECT_TRUE(leaks(*store, of_one).claims.empty());

  CompareOptions both;
  both.what.runs.dataset = "d";
  both.what.runs.runs = {"two"};
  both.all_runs = true;
  both.gates = wanted.gates;
  const CompareResult compared = compare(*store, both);
  EXPECT_EQ(compared.compared.baseline, "two");
  ASSERT_EQ(compared.compared.runs.size(), 1U);
  EXPECT_EQ(compared.compared.runs.front().run, "one");
  ASSERT_EQ(compared.gates.size(), 1U);
  query::ReportOptions of_all;
  of_all.dataset = "d";
  EXPECT_EQ(frontier(*store, of_all, {}).frontier.runs.size(), compared.frontier.runs.size());
}

}  // namespace
}  // namespace residue::verbs
