// The thirty questions (query/sql/advice/questions.sql) and what `residue leaks` asks, on a store of 100,000 records,
// three runs and 1.2 million claims.
//
//   questions_bench [--records N] [--runs N] [--claims N] [--keep DIR] [--ask 0]
//
// A hundred records are brought in and evaluated as everybody does. The others are their copies, with texts and claims
// of their own, written into the catalog directly: evaluating them would take an hour and change no plan. Answers are
// checked first: every number of leaks, links and scores is that of the hundred times the copies. With --ask 0 the store
// is made and checked, and nothing is timed: viewer_bench.py asks it then.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "query/evaluate/evaluate.h"
#include "query/report/leaks.h"
#include "query/sql/advice/questions.h"
#include "query/sql/sql_shell.h"
#include "storage/store.h"
#include "tests/ingest/store_fixture.h"

namespace {

using namespace residue;
namespace fs = std::filesystem;
namespace from = ingest::testing;

constexpr std::size_t kEvaluated = 100;
constexpr std::size_t kCopiesAtOnce = 50'000;  // in one transaction
constexpr int kTries = 3;
std::size_t claims_of_record = 12;
std::vector<std::string> runs = {"scrub", "half", "rest"};  // and more where --runs asks for them

double seconds(const auto& what) {
  const auto begin = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string key(std::size_t i) { return fmt::format("n-{:02}", i + 1); }

// Claim `n` of a record: two words that no other claim has, among common ones.
std::string claim(std::size_t i, std::size_t n) {
  return fmt::format("The patient w{}x{} said that visit v{}y{} went well.", i, n, n, i);
}

// The run's text keeps the claims that its number and theirs say.
std::string text_of(std::size_t i, std::size_t run) {
  std::string text;
  for (std::size_t n = 0; n < claims_of_record; ++n) {
    if (run == 0 || (i + n) % (run + 1) != 0) text += (text.empty() ? "" : " ") + claim(i, n);
  }
  return text;
}

void evaluate_some(const fs::path& dir) {
  storage::Store store(dir / ".residue");
  std::vector<ingest::RecordRow> records;
  std::vector<ingest::ClaimsRow> claims;
  for (std::size_t i = 0; i < kEvaluated; ++i) {
    records.push_back(from::record(key(i), text_of(i, 0)));
    std::vector<std::string> all;
    for (std::size_t n = 0; n < claims_of_record; ++n) all.push_back(claim(i, n));
    claims.push_back(from::claims(key(i), all));
    for (std::size_t n = 0; n < claims_of_record; ++n) claims.back().claims[n].category = n % 3 == 0 ? R"(["Health"])" : "[]";
  }
  from::VectorSource<ingest::RecordRow> dataset(records);
  ingest::ingest_dataset(store, "clinic", dataset, from::file("/data/d"));
  from::VectorSource<ingest::ClaimsRow> said(claims);
  ingest::ingest_claims(store, "clinic", "claims", said, from::file("/data/c"));
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::vector<ingest::VariantRow> variants;
    for (std::size_t i = 0; i < kEvaluated; ++i) variants.push_back(from::variant(key(i), text_of(i, run + 1)));
    from::VectorSource<ingest::VariantRow> source(variants);
    ingest::ingest_run(store, "clinic", runs[run], {}, source, from::file("/data/" + runs[run]));
  }
  query::EvalOptions options;
  options.protocols = query::parse_protocols("bm25/random:3@42/claims");
  query::evaluate(store, {{"clinic", std::nullopt}}, options);
}

// The copies from `begin` to before `end`: temp.copy has the record that each is of, temp.words what the runs made of it.
// `first`: the id of the first copy of all.
void copy_some(storage::Store& store, std::int64_t first, std::size_t begin, std::size_t end) {
  const auto batch = store.write();
  storage::Db& db = batch->db();
  db.run(
      "CREATE TEMP TABLE copy (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, text_id INTEGER NOT NULL);"
      "CREATE TEMP TABLE words (run_id INTEGER, record_id INTEGER, text_id INTEGER, PRIMARY KEY (run_id, record_id));"
      "CREATE TEMP TABLE said (record_id INTEGER, n INTEGER, text_id INTEGER, PRIMARY KEY (record_id, n)) WITHOUT ROWID;"
      "CREATE TEMP TABLE asked (record_id INTEGER PRIMARY KEY, text_id INTEGER);");
  storage::Statement copy = db.prepare("INSERT INTO copy VALUES (?1, ?2, ?3)");
  storage::Statement words = db.prepare("INSERT INTO words SELECT id, ?1, ?2 FROM run WHERE name = ?3");
  storage::Statement said = db.prepare("INSERT INTO said VALUES (?1, ?2, ?3)");
  storage::Statement known = db.prepare("INSERT INTO asked VALUES (?1, ?2)");
  for (std::size_t i = begin; i < end; ++i) {
    const auto id = first + static_cast<std::int64_t>(i - kEvaluated);
    const TextId original = batch->put_text(text_of(i, 0), storage::PrivacyClass::kOriginal);
    copy.run(id, first - static_cast<std::int64_t>(kEvaluated - i % kEvaluated), original);
    for (std::size_t run = 0; run < runs.size(); ++run) {
      words.run(id, batch->put_text(text_of(i, run + 1) + " .", storage::PrivacyClass::kSanitized, original),
                runs[run]);
    }
    for (std::size_t n = 0; n < claims_of_record; ++n) {
      said.run(id, static_cast<std::int64_t>(n + 1),
               batch->put_text(claim(i, n), storage::PrivacyClass::kOriginal));
    }
    known.run(id, batch->put_text(claim(i, 0) + " " + claim(i, 1), storage::PrivacyClass::kOriginal));
  }
  db.run(
      "INSERT INTO record (id, dataset_id, key, text_id, person, label) SELECT c.id, r.dataset_id, 'n-' || c.id, "
      "c.text_id, 'p' || (c.id / 3), 'x' FROM copy c JOIN record r ON r.id = c.source;"
      "INSERT INTO claim SELECT k.claim_set_id, c.id, k.n, t.text_id, k.category FROM copy c JOIN "
      "claim k ON k.record_id = c.source JOIN said t ON t.record_id = c.id AND t.n = k.n;"
      "INSERT INTO auxiliary_query SELECT q.auxiliary_id, c.id, t.text_id, q.short, q.claims FROM copy c JOIN "
      "auxiliary_query q ON q.record_id = c.source JOIN asked t ON t.record_id = c.id;"
      "INSERT INTO variant (run_id, record_id, text_id) SELECT run_id, record_id, text_id FROM words;"
      "INSERT INTO link SELECT l.run_id, l.protocol_id, c.id, iif(l.linked_id = l.record_id, c.id, l.linked_id), "
      "l.tied, "
      "l.rank FROM copy c JOIN link l ON l.record_id = c.source;"
      // A copy of a record that was linked to another one is linked to that one.
      "INSERT OR IGNORE INTO judgment SELECT m.judge_id, iif(l.linked_id = c.source, coalesce(w.text_id, c.text_id), "
      "m.passage_id), n.text_id, 0, m.rating FROM copy c CROSS JOIN link l ON l.record_id = c.source "
      "CROSS JOIN run u ON u.id = l.run_id AND u.kind IN ('aligned', 'none') CROSS JOIN protocol p ON p.id = "
      "l.protocol_id CROSS JOIN auxiliary a ON a.id = p.auxiliary_id CROSS JOIN record r ON r.id = l.linked_id "
      "LEFT JOIN variant v ON v.run_id = u.id AND v.record_id = l.linked_id "
      "LEFT JOIN words w ON w.run_id = u.id AND w.record_id = c.id "
      "CROSS JOIN claim k ON k.claim_set_id = a.claim_set_id AND k.record_id = c.source "
      "CROSS JOIN claim n ON n.claim_set_id = k.claim_set_id AND n.record_id = c.id AND n.n = k.n "
      "CROSS JOIN judge j CROSS JOIN judgment m ON m.judge_id = j.id AND m.passage_id = coalesce(v.text_id, r.text_id) "
      "AND m.claim_id = k.text_id AND m.request_id = 0;"
      "INSERT INTO scored SELECT s.evaluation_id, c.id, s.input, s.unit, s.scores FROM copy c JOIN scored s ON "
      "s.record_id = c.source;"
      "DROP TABLE copy; DROP TABLE words; DROP TABLE said; DROP TABLE asked;");
  batch->commit();
}

void multiply(const fs::path& dir, std::size_t records) {
  storage::Store store(dir / ".residue");
  const std::int64_t first = 1 + [&] {
    storage::Statement most = store.db().prepare("SELECT max(id) FROM record");
    most.step();
    return most.integer(0);
  }();
  for (std::size_t begin = kEvaluated; begin < records; begin += kCopiesAtOnce) {
    copy_some(store, first, begin, std::min(begin + kCopiesAtOnce, records));
    fmt::print(stderr, "{} of {} records\n", std::min(begin + kCopiesAtOnce, records), records);
  }
}

std::vector<std::vector<query::SqlValue>> ask(const fs::path& dir, std::string_view sql, query::ReadLevel level) {
  query::SqlOptions options;
  options.store = dir / ".residue";
  options.level = level;
  options.timeout_ms = 120'000;
  options.most_rows = 10'000'000;
  std::vector<std::vector<query::SqlValue>> rows;
  query::run_statement(options, sql, {[](const auto&) {}, [&](auto row) { rows.push_back(std::move(row)); }});
  return rows;
}

std::int64_t number(const fs::path& dir, std::string_view sql) {
  return std::get<std::int64_t>(ask(dir, sql, query::ReadLevel::kReleased).at(0).at(0));
}

const std::vector<std::string> kCounts = {"SELECT count(*) FROM leaks WHERE run = 'scrub'",
                                          "SELECT count(*) FROM leaks WHERE run = 'none'",
                                          "SELECT count(*) FROM links WHERE run = 'half' AND outcome = 'right'",
                                          "SELECT count(*) FROM scores WHERE run = 'rest' AND metric = 'rouge1_f'",
                                          "SELECT count(*) FROM variants WHERE run = 'scrub'",
                                          "SELECT count(*) FROM claims"};

void bench(const fs::path& dir, std::size_t records, bool asked) {
  storage::Store::create(dir);
  evaluate_some(dir);
  std::vector<std::int64_t> before;
  for (const auto& sql : kCounts) before.push_back(number(dir, sql));
  multiply(dir, records);
  const auto times = static_cast<std::int64_t>(records / kEvaluated);
  for (std::size_t i = 0; i < kCounts.size(); ++i) {
    const std::int64_t now = number(dir, kCounts[i]);
    if (before[i] == 0 || now != before[i] * times) {
      throw std::runtime_error(fmt::format("wrong answer: {}: {} of {} times {}", kCounts[i], now, before[i], times));
    }
  }
  fmt::print("answers are right: {} records, {} claims\n", records, number(dir, kCounts.back()));
  if (!asked) return;
  for (const query::Question& one : query::questions()) {
    double best = 1e9;
    std::size_t rows = 0;
    try {
      for (int i = 0; i < kTries; ++i) {
        best = std::min(best, seconds([&] { rows = ask(dir, one.statement, one.level).size(); }));
      }
      fmt::print("{:6.3f} s {:3} rows  {}\n", best, rows, one.words);
    } catch (const Error& error) {
      fmt::print("   not measured   {} ({})\n", one.words, error.what());
    }
  }
  double view = 1e9;
  std::size_t rows = 0;
  for (int i = 0; i < kTries; ++i) {
    view = std::min(view, seconds([&] {
                      rows = static_cast<std::size_t>(
                          number(dir,
                                 "SELECT count(value) + count(weight) FROM (SELECT value, weight FROM scores LIMIT "
                                 "1000000)"));
                    }));
  }
  fmt::print("{:6.3f} s SELECT over a million rows of scores ({} values)\n", view, rows);
  double leaks = 1e9;
  std::uint64_t total = 0;
  for (int i = 0; i < kTries; ++i) {
    leaks = std::min(leaks, seconds([&] {
                       storage::OpenOptions how;
                       how.read_only = true;
                       storage::Store store(dir / ".residue", how);
                       query::LeakOptions options;
                       options.dataset = "clinic";
                       options.run = "scrub";
                       options.limit = 20;
                       total = query::load_leaks(store, options).total;
                     }));
  }
  fmt::print("{:6.3f} s load_leaks of {}\n", leaks, total);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::size_t records = 100'000;
  bool asked = true;
  std::string keep;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--records") records = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::string_view(argv[i]) == "--claims") claims_of_record = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::string_view(argv[i]) == "--keep") keep = argv[i + 1];
    if (std::string_view(argv[i]) == "--ask") asked = std::string_view(argv[i + 1]) != "0";
    for (auto all = std::strtoull(argv[i + 1], nullptr, 10); std::string_view(argv[i]) == "--runs" && runs.size() < all;) {
      runs.push_back(fmt::format("run{}", runs.size() + 1));
    }
  }
  std::string name = keep.empty() ? (fs::temp_directory_path() / "residue-questions-XXXXXX").string() : keep;
  const fs::path dir = keep.empty() ? fs::path(::mkdtemp(name.data())) : fs::path(keep);
  try {
    bench(dir, records / kEvaluated * kEvaluated, asked);
  } catch (const std::exception& error) {
    fmt::print("questions_bench: {}\n", error.what());
    return 1;
  }
  if (keep.empty()) fs::remove_all(dir);
  return 0;
}
