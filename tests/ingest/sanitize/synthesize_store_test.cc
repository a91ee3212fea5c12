#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/remove.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

using Params = std::map<std::string, std::string>;

class Synthesize : public StoreTest {
 protected:
  static std::vector<RecordRow> notes(int count) {
    std::vector<RecordRow> out;
    for (int i = 0; i < count; ++i) {
      const char* who = i % 2 == 0 ? "woman" : "man";
      const char* why = i % 3 == 0 ? "fever" : "pain";
      out.push_back(record(std::to_string(i), fmt::format("A {}-year-old {} has {}.", 20 + i % 5, who, why)));
      out.back().label = i % 2 == 0 ? "f" : "m";
    }
    return out;
  }
  void ingest(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult make(const char* method, const char* run, Params params = {}, std::optional<std::uint64_t> seed = {},
                    unsigned jobs = 2, const IngestOptions& options = {}) {
    SanitizePlan plan;
    plan.method = method;
    plan.params = std::move(params);
    plan.seed = seed;
    return sanitize_dataset(store(), "d", run, plan, jobs, options);
  }
  std::vector<std::string> texts(const std::string& run) {
    const std::string sql = fmt::format(
        "SELECT text_id AS 'T:t', error FROM variant WHERE run_id = (SELECT id FROM run WHERE name = '{}')"
        " ORDER BY CAST(key AS INTEGER)",
        run);
    return rows(sql.c_str());
  }
  nlohmann::json spec(const std::string& run) {
    return nlohmann::json::parse(rows(fmt::format("SELECT params FROM run WHERE name = '{}'", run).c_str()).at(0));
  }
};

TEST_F(Synthesize, MakesASyntheticRunOfAsManyTextsAsRecords) {
  auto given = notes(30);
  given.push_back(record("empty", " "));
  ingest(given);
  EXPECT_EQ(make("ngram", "n").counts, (Counts{30, 0, 0, 0}));
  EXPECT_EQ(rows("SELECT kind, sanitizer, json_extract(params, '$.method'), json_extract(params, '$.params.order'),"
                 " made_from = (SELECT content FROM dataset) FROM run WHERE name = 'n'"),
            (std::vector<std::string>{"synthetic|ngram|ngram|3|1"}));
  EXPECT_EQ(rows("SELECT count(*), count(record_id), min(key), count(error) FROM variant"),
            (std::vector<std::string>{"30|0|1|0"}));
  EXPECT_EQ(rows("SELECT count(*) FROM ingest_progress"), (std::vector<std::string>{"0"}));
  // The order of codes is that of texts: women first.
  const auto made = texts("n");
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i].find(" woman ") != std::string::npos, i < 15) << made[i];
  }
}

TEST_F(Synthesize, IsTheSameOnAnyThreadsAndOfAnyOrderOfRecords) {
  ingest(notes(40));
  make("ngram", "n", {}, {}, 1);
  const auto first = texts("n");
  const auto before = catalog();
  EXPECT_EQ(make("ngram", "n", {}, {}, 3).counts, (Counts{0, 40, 0, 0}));
  EXPECT_EQ(catalog(), before);
  make("ngram", "seeded", {}, 1);
  EXPECT_NE(texts("seeded"), first);
  make("dp-ngram", "inf", {{"epsilon", "inf"}});
  EXPECT_EQ(texts("inf"), first) << "the generator without privacy";
  make("dp-ngram", "p", {{"epsilon", "100"}, {"contribution", "12"}}, 5);
  const auto given = texts("p");
  EXPECT_GT(given.size(), 20U);
  auto reversed = notes(40);
  std::reverse(reversed.begin(), reversed.end());
  VectorSource<RecordRow> source(std::move(reversed));
  ingest_dataset(store(), "e", source, file("other"));
  SanitizePlan plan;
  plan.method = "dp-ngram";
  plan.params = {{"epsilon", "100"}, {"contribution", "12"}};
  plan.seed = 5;
  sanitize_dataset(store(), "e", "q", plan, 2);
  EXPECT_EQ(texts("q"), given);
}

TEST_F(Synthesize, NoiseIsTheStoresOwnUnlessASeedIsGiven) {
  ingest(notes(60));
  const Params params{{"epsilon", "10"}, {"code", "none"}, {"contribution", "12"}};
  const auto first = make("dp-ngram", "p", params);
  EXPECT_EQ(make("dp-ngram", "again", params).counts.fresh, first.counts.fresh);
  EXPECT_EQ(texts("again"), texts("p")) << "asked twice is not paid twice";
  const auto kept = spec("p");
  EXPECT_FALSE(kept.contains("seed"));
  EXPECT_EQ(kept["privacy"]["noise"], "store key");
  EXPECT_EQ(kept["privacy"]["unit"], "record");
  EXPECT_EQ(kept["privacy"]["epsilon"], 10.0);
  EXPECT_EQ(kept["privacy"]["sigma"].size(), 4U);
  EXPECT_EQ(first.notes.size(), 1U);
  EXPECT_EQ(make("dp-ngram", "seeded", params, 7).notes.size(), 2U) << "a seed is no secret";
  EXPECT_EQ(spec("seeded")["seed"], 7);
  EXPECT_EQ(spec("seeded")["privacy"]["noise"], "seed");
  EXPECT_NE(texts("seeded"), texts("p"));
}

TEST_F(Synthesize, ProtectsPersonsWhereRecordsAreTheirs) {
  auto given = notes(30);
  for (std::size_t i = 0; i < given.size(); ++i) given[i].person = "p" + std::to_string(i / 3);
  ingest(given);
  const auto made = make("dp-ngram", "p", {{"epsilon", "1000000"}, {"code", "none"}});
  EXPECT_EQ(made.counts.fresh, 10U) << "one record of each person";
  EXPECT_EQ(spec("p")["privacy"]["unit"], "person");
  EXPECT_EQ(make("dp-ngram", "all", {{"epsilon", "1000000"}, {"code", "none"}, {"records", "3"}}).counts.fresh, 30U);
}

TEST_F(Synthesize, FollowsItsRecordsAndForgetsTextsThatAreTooMany) {
  ingest(notes(10));
  make("ngram", "n", {{"texts", "25"}});
  EXPECT_EQ(texts("n").size(), 25U);
  const IngestResult fewer = make("ngram", "n", {{"texts", "7"}});
  EXPECT_EQ(fewer.counts.same + fewer.counts.changed, 7U);
  const auto seven = texts("n");
  EXPECT_EQ(seven.size(), 7U);
  const auto content = rows("SELECT hex(content) FROM run WHERE name = 'n'");
  make("ngram", "m", {{"texts", "7"}});
  EXPECT_EQ(texts("m"), seven);
  EXPECT_EQ(rows("SELECT hex(content) FROM run WHERE name = 'm'"), content) << "as if they had never been";
  ingest(notes(30));
  EXPECT_EQ(rows("SELECT made_from = (SELECT content FROM dataset) FROM run WHERE name = 'n'"),
            (std::vector<std::string>{"0"}));
  make("ngram", "n");
  EXPECT_EQ(texts("n").size(), 30U);
}

TEST_F(Synthesize, GoesOnWhereItWasInterrupted) {
  ingest(notes(20));
  const Params params{{"texts", "9000"}};
  make("ngram", "whole", params);
  int asked = 0;
  IngestOptions options;
  options.interrupted = [&asked] { return ++asked > 2; };  // reading, the first page; not the second
  EXPECT_EQ(error_of([&] { make("ngram", "n", params, {}, 2, options); }).first, 130);
  EXPECT_EQ(texts("n").size(), 4096U);
  EXPECT_EQ(rows("SELECT count(*) FROM ingest_progress"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(make("ngram", "n", params).counts, (Counts{4904, 4096, 0, 0}));
  EXPECT_EQ(texts("n"), texts("whole"));
  EXPECT_EQ(rows("SELECT count(DISTINCT hex(content)) FROM run WHERE kind = 'synthetic'"),
            (std::vector<std::string>{"1"}));
}

TEST_F(Synthesize, RefusesWhatItCannotDo) {
  ingest(notes(10));
  EXPECT_EQ(error_of([&] {
              make("dp-ngram", "p", {{"epsilon", "0.01"}});
            }),
            (std::pair<int, std::string>{6, "dp-ngram: no word passes its threshold: there is nothing to release"}));
  EXPECT_TRUE(rows("SELECT 1 FROM run WHERE name = 'p'").empty());
  make("scrub", "s");
  EXPECT_EQ(error_of([&] { make("ngram", "s"); }).first, 2) << "its texts are of records";
  make("ngram", "n");
  EXPECT_EQ(error_of([&] { make("scrub", "n"); }).first, 2);
  VectorSource<VariantRow> source({variant("1", "A")});
  RunSpec own;
  own.synthetic = true;
  EXPECT_EQ(error_of([&] { ingest_run(store(), "d", "n", own, source, file()); }).first, 2)
      << "what a run says of its making stays true";
  EXPECT_EQ(error_of([&] { make("ngram", "none"); }).first, 2);
  for (const char* epsilon : {"0", "-1", "nan", "", "2000000", "Inf"}) {
    EXPECT_EQ(error_of([&] {
                make("dp-ngram", "p", {{"epsilon", epsilon}});
              }),
              (std::pair<int, std::string>{2, "dp-ngram: epsilon is not a number from 0.01 to 1000000, nor inf"}))
        << epsilon;
  }
  for (const char* delta : {"0", "1", "1e-200", "2", "x"}) {
    EXPECT_EQ(error_of([&] { make("dp-ngram", "p", {{"delta", delta}}); }).first, 2) << delta;
  }
  for (const Params& params :
       {Params{{"order", "0"}}, Params{{"order", "7"}}, Params{{"code", "person"}}, Params{{"texts", "0"}},
        Params{{"length", "0"}}, Params{{"temperature", "0"}}, Params{{"top-k", "-1"}}}) {
    EXPECT_EQ(error_of([&] { make("ngram", "x", params); }).first, 2) << params.begin()->first;
  }
  EXPECT_EQ(error_of([&] { make("dp-ngram", "x", {{"contribution", "0"}}); }).first, 2);
  EXPECT_EQ(error_of([&] { make("dp-ngram", "x", {{"records", "0"}}); }).first, 2);
}

TEST_F(Synthesize, KeepsWhatAReleaseHasSpentWhateverBecomesOfTheRun) {
  auto given = notes(60);
  for (std::size_t i = 0; i < given.size(); ++i) given[i].person = std::to_string(i / 2);
  ingest(given);
  const Params params{{"epsilon", "10"}, {"code", "none"}, {"contribution", "12"}};
  std::vector<std::string> said;
  const auto told = [&](const char* run, const Params& how, std::optional<std::uint64_t> seed = {}) {
    SanitizePlan plan;
    plan.method = "dp-ngram";
    plan.params = how;
    plan.seed = seed;
    plan.announce = [&](const std::string& line) {
      EXPECT_TRUE(rows(fmt::format("SELECT 1 FROM run WHERE name = '{}'", run).c_str()).empty()) << "said before";
      said.push_back(line);
    };
    sanitize_dataset(store(), "d", run, plan, 2);
  };
  const auto ledger = [&] {
    return rows(
        "SELECT run, unit, units, noise, json_extract(spending, '$.epsilon'), struck_at IS NULL FROM "
        "privacy_release ORDER BY id");
  };
  told("p", params);
  told("longer", {{"epsilon", "10"}, {"code", "none"}, {"contribution", "12"}, {"length", "3"}});
  told("seeded", params, 7);
  EXPECT_EQ(ledger(), (std::vector<std::string>{"p|person|30|store key|10.0|1", "longer|person|30|store key|10.0|1",
                                                "seeded|person|30|seed|10.0|1"}));
  ASSERT_EQ(said.size(), 3U);
  EXPECT_NE(said[0].find("so far: nothing; with this release: epsilon 8.6"), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("is among it and costs nothing more"), std::string::npos) << said[1];
  EXPECT_NE(said[2].find("20 (basic); at delta 2e-05"), std::string::npos) << said[2];
  remove_run(store(), "d", "p");
  remove_run(store(), "d", "longer");
  ASSERT_EQ(ledger().size(), 3U) << "what was released is spent";
  EXPECT_EQ(strike_releases(store(), "d", "p"), 1);
  EXPECT_EQ(ledger()[0], "p|person|30|store key|10.0|0");
  rename_dataset(store(), "d", "e");
  remove_dataset(store(), "e");
  EXPECT_EQ(rows("SELECT dataset, count(*) FROM privacy_release GROUP BY dataset"),
            (std::vector<std::string>{"d|3", "e|3"}))
      << "under both names";
}

// Neither is made that releases nothing, nor one that is not private by its method.
TEST_F(Synthesize, CountsReleasesAlone) {
  ingest(notes(10));
  EXPECT_EQ(error_of([&] { make("dp-ngram", "p", {{"epsilon", "0.01"}}); }).first, 6);
  make("ngram", "n");
  EXPECT_TRUE(rows("SELECT 1 FROM privacy_release").empty());
  make("dp-ngram", "inf", {{"epsilon", "inf"}});
  EXPECT_EQ(rows("SELECT run, noise, json_extract(spending, '$.epsilon') FROM privacy_release"),
            (std::vector<std::string>{"inf|none|inf"}));
}

TEST_F(Synthesize, RefusesADeltaUnderWhichOneMayBePublishedWhole) {
  ingest(notes(50));
  const auto refused = error_of([&] { make("dp-ngram", "p", {{"epsilon", "100"}, {"delta", "0.02"}}); });
  EXPECT_EQ(refused.first, 2);
  EXPECT_NE(refused.second.find("for 50 records"), std::string::npos) << refused.second;
  EXPECT_TRUE(rows("SELECT 1 FROM run WHERE name = 'p'").empty());
  EXPECT_EQ(make("dp-ngram", "below", {{"epsilon", "100"}, {"delta", "0.0199"}}).notes.size(), 2U) << "a warning";
  EXPECT_EQ(make("dp-ngram", "small", {{"epsilon", "100"}, {"delta", "0.0019"}}).notes.size(), 1U);
  const auto insisted = make("dp-ngram", "p", {{"epsilon", "100"}, {"delta", "0.02"}, {"large-delta", "yes"}});
  EXPECT_EQ(insisted.notes.size(), 2U) << "allowed, and said";
  make("dp-ngram", "inf", {{"epsilon", "inf"}, {"delta", "0.5"}});
  // Two records a person: a half of them.
  auto given = notes(50);
  for (std::size_t i = 0; i < given.size(); ++i) given[i].person = std::to_string(i / 2);
  ingest(given);
  EXPECT_EQ(error_of([&] { make("dp-ngram", "q", {{"epsilon", "100"}, {"delta", "0.04"}}); }).first, 2);
  EXPECT_EQ(make("dp-ngram", "q", {{"epsilon", "100"}, {"delta", "0.039"}}).notes.size(), 2U);
  EXPECT_EQ(error_of([&] { make("dp-ngram", "q", {{"large-delta", "so"}}); }).first, 2);
}

TEST_F(Synthesize, MakesTextsByAnswersOfTasks) {
  auto given = notes(9);
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i].task =
        fmt::format(R"({{"question":"?","options":{{"A":"fever","B":"pain"}},"answer":"{}"}})", i % 3 == 0 ? "A" : "B");
  }
  ingest(given);
  make("ngram", "n", {{"code", "answer"}});
  const auto made = texts("n");
  ASSERT_EQ(made.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(made[i].find("fever") != std::string::npos, i < 3) << made[i];
}

}  // namespace
}  // namespace residue::ingest::testing
