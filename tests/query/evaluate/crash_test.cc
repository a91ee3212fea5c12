// A crash at any named durable step loses nothing that was acknowledged and changes no number (STYLE 12).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/atomize/atomize.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/purge.h"
#include "ingest/files/remove.h"
#include "ingest/files/run.h"
#include "ingest/files/work_import.h"
#include "ingest/sanitize/sanitize.h"
#include "model/asking/answer.h"
#include "model/asking/egress.h"
#include "model/server/endpoint.h"
#include "model/server/http_client.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/recompute.h"
#include "query/evaluate/work_export.h"
#include "storage/check.h"
#include "tests/ingest/store_fixture.h"
#include "tests/query/child.h"
#include "tests/stub/stub_server.h"

namespace residue::query::testing {
namespace {

namespace fs = std::filesystem;
using ingest::testing::claims;
using ingest::testing::file;
using ingest::testing::record;
using ingest::testing::variant;
using ingest::testing::VectorSource;

constexpr std::size_t kLeastPoints = 300;  // reached by the workload; fewer: a durable step lost its name

std::int64_t number(storage::Store& store, const char* sql) {
  storage::Statement row = store.db().prepare(sql);
  return row.step() ? row.integer(0) : -1;
}

// What never becomes less along the workload.
struct Rows {
  std::int64_t records = 0, claims = 0, variants = 0, metrics = 0, backups = 0;
};
Rows rows_of(storage::Store& store, const fs::path& dir) {
  return {number(store, "SELECT count(*) FROM record r JOIN dataset d ON d.id = r.dataset_id WHERE d.name = 'd'"),
          number(store, "SELECT count(*) FROM claim"),
          number(store,
                 "SELECT count(*) FROM variant v JOIN run r ON r.id = v.run_id JOIN dataset d ON d.id = r.dataset_id "
                 "WHERE d.name = 'd'"),
          number(store, "SELECT count(*) FROM metric"), fs::exists(dir / "backup.tar") ? 1 : 0};
}

void ingest_inputs(storage::Store& store, bool edited) {
  ingest::IngestOptions small;
  small.batch_rows = 3;
  const std::string change = edited ? " and older" : "";
  std::vector<ingest::RecordRow> records = {
      record("a", "Ann is a nurse. She is 45" + change), record("b", "Bob is a cook. He is 50"), record("c", ""),
      record("d", "Dan has diabetes. He lives in Köln" + change), record("e", "Eve. 日本")};
  records[0].person = edited ? "p" : "q";
  records[1].person = "p";
  VectorSource<ingest::RecordRow> dataset(records);
  ingest::ingest_dataset(store, "d", dataset, file("/data/records", edited), small);
  VectorSource<ingest::ClaimsRow> facts({claims("a", {"Ann is a nurse", "She is 45" + change, "She has a job"}),
                                         claims("b", {"Bob is a cook", "He is 50"}), claims("c", {"nothing"}),
                                         claims("d", {"Dan has diabetes", "He lives in Köln", "He is ill"})});
  ingest::ingest_claims(store, "d", "claims", facts, file("/data/claims", edited), small);
  ingest::VariantRow failed = variant("b", "");
  failed.error = "refused";
  VectorSource<ingest::VariantRow> run(
      {variant("a", "[NAME] is a nurse" + change), failed, variant("d", "Dan in Köln")});
  ingest::ingest_run(store, "d", "masked", {}, run, file("/data/run", edited), small);
  ingest::RunSpec synthetic;
  synthetic.synthetic = true;
  VectorSource<ingest::VariantRow> free({variant("s1", "A nurse of 45" + change), variant("s2", "diabetes in Köln")});
  ingest::ingest_run(store, "d", "free", synthetic, free, file("/data/synthetic", edited), small);
}

void evaluate_all(storage::Store& store, const char* protocols, const std::string& judge, std::size_t keep_from) {
  EvalOptions options;
  options.protocols = parse_protocols(protocols);
  options.judge = judge;
  options.keep_replicates_from = keep_from;
  evaluate(store, {{"d", std::nullopt}}, options);
}

// What the server says to each line of an export, as a batch interface returns it; of every second line.
void answer_lines(const stub::Server& server, const fs::path& requests, const fs::path& answers) {
  std::ifstream in(requests);
  std::ofstream out(answers);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    if (number++ % 2 != 0) continue;
    const std::size_t id = line.find("\"custom_id\":\"") + 13, body = line.find("\"body\":") + 7;
    model::HttpClient http;
    http.start({1, server.url() + "/chat/completions", line.substr(body, line.size() - 1 - body), ""});
    std::vector<model::HttpReply> replies;
    while (replies.empty()) replies = http.wait(100);
    out << "{\"custom_id\":\"" << line.substr(id, line.find('"', id) - id) << "\",\"body\":" << replies.front().body
        << "}\n";
  }
}

// Half of the questions by way of files.
void exchange_files(storage::Store& store, const stub::Server& server, const EvalOptions& eval, const fs::path& dir) {
  if (fs::exists(dir / "out" / "part-00001.jsonl")) fs::remove_all(dir / "out");
  ExportOptions options;
  options.eval = eval;
  options.folder = dir / "out";
  if (!export_work(store, {{"d", "masked"}}, options).files.empty()) {
    answer_lines(server, dir / "out" / "part-00001.jsonl", dir / "done.jsonl");
    ingest::import_work(store, (dir / "done.jsonl").string());
  }
  fs::remove_all(dir / "out");
  fs::remove(dir / "done.jsonl");
}

// By a model, one request after the other: as many steps in every run.
void evaluate_by_model(storage::Store& store, const fs::path& dir) {
  const stub::Server server;
  model::Endpoint endpoint{"stub", {}, {}, 1, true, {}};
  endpoint.asking.model = "m";
  endpoint.transport.url = server.url();
  endpoint.transport.concurrency = 1;
  {
    const auto batch = store.write();
    model::save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  EvalOptions options;
  options.protocols = parse_protocols("bm25/first:1/claims");
  options.judge = "stub";
  exchange_files(store, server, options, dir);
  evaluate(store, {{"d", "masked"}}, options);
}

// A dataset comes and is purged, with an answer about its text, and a text of its run that another dataset has, too.
void purge_a_dataset(storage::Store& store) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("word{} of what is purged, ", i);
  const std::string released = text.substr(100);
  VectorSource<ingest::RecordRow> gone({record("x", text)});
  ingest::ingest_dataset(store, "gone", gone, file("/data/gone"));
  VectorSource<ingest::VariantRow> run({variant("x", released)});
  ingest::ingest_run(store, "gone", "r", {}, run, file("/data/gone-run"));
  VectorSource<ingest::RecordRow> kept({record("y", released)});
  ingest::ingest_dataset(store, "kept", kept, file("/data/kept"));
  {
    const VoteKey vote(TaggedHash("test").field("about", text).bytes());
    const model::Sender sender{"local", "gone", model::parse_server_url("http://127.0.0.1:1/v1")};
    const auto batch = store.write();
    model::Outgoing fate;
    fate.vote = vote;
    fate.attempt = model::record_sending(batch->db(), sender, {vote, 0, "{}"}, 1);
    fate.fate = model::Fate::kSaved;
    model::record_texts(store, *batch, vote, std::vector<std::string_view>{text});
    batch->facts().put_answer(vote, fate.attempt, model::encode({200, "", 1, 1, false, "{}", 0, false}));
    model::record_fate(batch->db(), fate);
    batch->commit();
  }
  (void)ingest::purge_rows(store, {ingest::PurgeKind::kDataset, "gone", ""});
  const auto result = store.collect_garbage();
  EXPECT_TRUE(result.left.empty());
  EXPECT_EQ(store.facts().read()->find(text), std::nullopt);
}

// The workload: the same end whatever was there before, if it began as this one does.
void work(const fs::path& dir) {
  if (!fs::exists(dir / ".residue")) storage::Store::create(dir);
  auto store = std::make_unique<storage::Store>(dir / ".residue");
  std::ofstream acknowledged(dir / "acknowledged");
  const auto acknowledge = [&] {
    const Rows rows = rows_of(*store, dir);
    acknowledged << rows.records << ' ' << rows.claims << ' ' << rows.variants << ' ' << rows.metrics << ' '
                 << rows.backups << std::endl;
  };
  acknowledge();
  ingest_inputs(*store, false);
  acknowledge();
  ingest::atomize_dataset(*store, "d", ingest::kSentenceSet, 2);
  acknowledge();
  ingest::sanitize_dataset(*store, "d", "scrubbed", {"scrub", {}, {}, {}}, 2);
  acknowledge();
  evaluate_all(*store, "bm25/first:1/claims,bm25/random:1/sentences", "lexical", 0);
  acknowledge();
  ingest_inputs(*store, true);
  acknowledge();
  evaluate_all(*store, "bm25/first:1/claims,bm25/random:1/sentences", "lexical", 0);
  acknowledge();
  evaluate_all(*store, "bm25/first:1/claims", "rouge", kReplicatesKeptFrom);
  acknowledge();
  evaluate_by_model(*store, dir);
  acknowledge();
  purge_a_dataset(*store);
  acknowledge();
  if (!fs::exists(dir / "backup.tar")) store->backup(dir / "backup.tar");
  acknowledge();
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

int work_in_child(const fs::path& dir, const std::vector<std::string>& fault) {
  std::vector<std::string> variables = fault;
  variables.push_back("RESIDUE_CRASH_DIR=" + dir.string());
  return run_child("Crash.AtAnyDurableStepLosesNothingAndChangesNoNumber", variables);
}

// The names in fault_point("...") of the sources.
std::set<std::string> names_in_sources() {
  std::set<std::string> names;
  for (const char* floor : {"base", "numbers", "text", "storage", "index", "model", "ingest", "query", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RESIDUE_SOURCE_DIR) / floor)) {
      if (entry.path().extension() != ".cc") continue;
      for (const std::string& line : lines_of(entry.path())) {
        const std::string call = "fault_point(\"";
        for (std::size_t at = line.find(call); at != std::string::npos; at = line.find(call, at + 1)) {
          const std::size_t begin = at + call.size();
          const std::string name = line.substr(begin, line.find('"', begin) - begin);
          // Migration and repair: tests/storage/migrate_test.cc, check_test.cc.
          if (!name.starts_with("migrate.") && !name.starts_with("repair.")) names.insert(name);
        }
      }
    }
  }
  return names;
}

// Of every name the first time or the last, in turns, and of all of them some in between; RESIDUE_CRASH_ALL: all.
std::set<std::size_t> points_to_die_at(const std::vector<std::string>& reached) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < reached.size(); ++i) by_name[reached[i]].push_back(i + 1);
  std::set<std::size_t> points;
  bool first = false;
  for (const auto& [name, at] : by_name) points.insert((first = !first) ? at.front() : at.back());
  const std::size_t step = std::getenv("RESIDUE_CRASH_ALL") != nullptr ? 1 : 1 + reached.size() / 12;
  for (std::size_t i = 1; i <= reached.size(); i += step) points.insert(i);
  return points;
}

void expect_acknowledged(storage::Store& store, const fs::path& dir) {
  const auto lines = lines_of(dir / "acknowledged");
  if (lines.empty()) return;
  Rows promised;
  std::istringstream(lines.back()) >> promised.records >> promised.claims >> promised.variants >> promised.metrics >>
      promised.backups;
  const Rows rows = rows_of(store, dir);
  EXPECT_GE(rows.records, promised.records);
  EXPECT_GE(rows.claims, promised.claims);
  EXPECT_GE(rows.variants, promised.variants);
  EXPECT_GE(rows.metrics, promised.metrics);
  EXPECT_GE(rows.backups, promised.backups);
}

void expect_clean(storage::Store& store, const fs::path& dir) {
  const auto check = storage::check_store(store);
  EXPECT_EQ(check.problems, std::vector<std::string>());
  EXPECT_EQ(check.derived_problems, std::vector<std::string>());
  std::set<std::string> left, known = {"acknowledged",   "backup.tar", ".residue", "catalog.db", "catalog.db-wal",
                                       "catalog.db-shm", "facts",      "index",    "key",        "config.toml",
                                       "format",         "data.mdb",   "lock.mdb", "commits"};
  storage::Statement segments = store.db().prepare("SELECT file FROM index_segment");
  while (segments.step()) known.emplace(segments.text(0));
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    if (known.count(name) == 0 && entry.path().extension() != ".lock") left.insert(name);
  }
  EXPECT_EQ(left, std::set<std::string>()) << "left behind";
}

TEST(Crash, AtAnyDurableStepLosesNothingAndChangesNoNumber) {
  if (const char* dir = std::getenv("RESIDUE_CRASH_DIR")) {  // The child that is to be killed.
    work(dir);
    return;
  }
  const ScratchDir scratch;
  const fs::path whole = scratch.path() / "whole";
  fs::create_directories(whole);
  ASSERT_TRUE(succeeded(work_in_child(whole, {"RESIDUE_FAULT_TRACE=" + (scratch.path() / "trace").string()})));
  const std::vector<std::string> reached = lines_of(scratch.path() / "trace");
  std::vector<std::string> numbers;
  {
    storage::Store store(whole / ".residue");
    numbers = metric_dump(store);
    expect_clean(store, whole);
  }
  ASSERT_GT(numbers.size(), 500U);
  EXPECT_GE(reached.size(), kLeastPoints);
  EXPECT_EQ(std::set<std::string>(reached.begin(), reached.end()), names_in_sources());

  const std::set<std::size_t> points = points_to_die_at(reached);
  for (const std::size_t point : points) {
    SCOPED_TRACE(fmt::format("killed at step {}, {}", point, reached[point - 1]));
    const fs::path dir = scratch.path() / std::to_string(point);
    fs::create_directories(dir);
    ASSERT_TRUE(killed(work_in_child(dir, {fmt::format("RESIDUE_FAULT={}", point)})));
    if (fs::exists(dir / ".residue")) {
      storage::Store store(dir / ".residue");
      expect_acknowledged(store, dir);
      EXPECT_EQ(storage::check_store(store).problems, std::vector<std::string>());
    }
    work(dir);
    storage::Store store(dir / ".residue");
    EXPECT_EQ(metric_dump(store), numbers);
    expect_clean(store, dir);
    if (HasFailure()) break;  // One is enough to look at.
    fs::remove_all(dir);
  }
  std::cout << fmt::format("{} durable steps of {} names, killed at {} of them\n", reached.size(),
                           names_in_sources().size(), points.size());
}

}  // namespace
}  // namespace residue::query::testing
