// Each change causes exactly the work that depends on it.
#include "query/evaluate/evaluate.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/child.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr std::size_t kMany = 100;
constexpr std::uint64_t kClaims = 5, kJudged = 3;   // claims of a record, and of them outside A(x)
constexpr std::uint64_t kRuns = 3, kAttackers = 3;  // none, r, remove-all; bm25, oracle, random

class Evaluate : public QueryStore {
 protected:
  Evaluate() {
    if (std::getenv("RESIDUE_EVALUATE_DIR") != nullptr) return;  // The child that is to be killed has another store.
    add_many(0, kMany);
    std::vector<VariantRow> variants;
    for (std::size_t i = 0; i < kMany; ++i) variants.push_back(variant(fmt::format("r{}", i), text_of(i) + "masked"));
    add_run("r", variants);
    first_ = evaluate_all();
  }
  // (run, protocol, record, linked, rank) of all links; of those of absent attacks alone, or of the others.
  std::set<std::string> links(bool absent) {
    std::set<std::string> all;
    for (const auto& row : rows(fmt::format("SELECT run_id, protocol_id, record_id, linked_id, rank FROM link JOIN "
                                            "protocol p ON p.id = protocol_id WHERE (p.linker LIKE '%[absent=%') = "
                                            "{}",
                                            absent ? 1 : 0)
                                    .c_str())) {
      all.insert(row);
    }
    return all;
  }
  std::uint64_t judgments() { return static_cast<std::uint64_t>(number("SELECT count(*) FROM judgment")); }

  EvalCounts first_;
};

TEST_F(Evaluate, CountsWhatItDoesAtFirst) {
  EXPECT_EQ(first_.evaluations, kRuns * kAttackers);
  EXPECT_EQ(first_.current, 0U);
  EXPECT_EQ(first_.links, kRuns * kAttackers * kMany);
  EXPECT_EQ(first_.rescored, kRuns * kAttackers * kMany);
  EXPECT_EQ(first_.rated, judgments());
  // Every record's own text and auxiliary claims at least, in two runs; nothing rates an empty text. Three attackers
  // and the absent attacks may find other ones.
  EXPECT_GE(first_.rated, 3 * kJudged * kMany);
  EXPECT_LE(first_.rated, 9 * kJudged * kMany);
  expect_proven();
}

TEST_F(Evaluate, DoesNothingWhenNothingChanged) {
  const auto wal = dir_ / ".residue" / "catalog.db-wal";
  const auto bytes = std::filesystem::file_size(wal);
  const auto written = std::filesystem::last_write_time(wal);
  const auto facts = std::filesystem::last_write_time(dir_ / ".residue" / "facts" / "data.mdb");
  const auto changes = number("SELECT total_changes()");
  for (const bool again : {false, true}) {
    if (again) {  // The same rows once more.
      add_many(0, kMany);
      EXPECT_EQ(evaluate_all().current, kRuns * kAttackers);
      break;
    }
    const EvalCounts counts = evaluate_all();
    EXPECT_EQ(counts.current, counts.evaluations);
    EXPECT_EQ(counts.links + counts.known + counts.rated + counts.rescored, 0U);
    EXPECT_EQ(number("SELECT total_changes()"), changes);
    EXPECT_EQ(std::filesystem::file_size(wal), bytes);
    EXPECT_EQ(std::filesystem::last_write_time(wal), written);
    EXPECT_EQ(std::filesystem::last_write_time(dir_ / ".residue" / "facts" / "data.mdb"), facts);
  }
}

TEST_F(Evaluate, JudgesOnlyWhatAnEditOfOnePercentTouches) {
  const auto before = judgments();
  add_run("r", {variant("r7", text_of(7) + "masked otherwise")});
  const EvalCounts counts = evaluate_all();
  const char* kPointers =
      "SELECT count(*) FROM link l JOIN record r ON r.id = l.linked_id JOIN run u ON u.id = l.run_id WHERE u.name = "
      "'r' "
      "AND r.key = 'r7'";
  const char* kPassages =
      "SELECT count(DISTINCT l.record_id) FROM link l JOIN record r ON r.id = l.linked_id JOIN run u ON u.id = "
      "l.run_id "
      "WHERE u.name = 'r' AND r.key = 'r7'";
  EXPECT_EQ(counts.current, (kRuns - 1) * kAttackers);
  EXPECT_EQ(counts.links, kAttackers * kMany);
  EXPECT_EQ(counts.links_changed, 0U);
  EXPECT_EQ(counts.rescored, static_cast<std::uint64_t>(number(kPointers)));
  EXPECT_EQ(counts.rated, kJudged * static_cast<std::uint64_t>(number(kPassages)));
  EXPECT_EQ(judgments() - before, counts.rated);
  EXPECT_LT(counts.rescored, 15U);
  expect_proven();
}

TEST_F(Evaluate, ComputesForAppendedRecordsWhatDependsOnThem) {
  const auto old_links = links(false), old_absent = links(true);
  const auto old_judgments = judgments();
  add_many(kMany, kMany + 2);
  add_run("r", {variant(fmt::format("r{}", kMany), text_of(kMany))});
  const EvalCounts counts = evaluate_all();
  std::uint64_t changed = 0, absent = 0;
  for (const auto& row : links(false)) changed += old_links.count(row) == 0;
  for (const auto& row : links(true)) absent += old_absent.count(row) == 0;
  EXPECT_EQ(counts.current, 0U);
  EXPECT_EQ(counts.links, kRuns * kAttackers * (kMany + 2));
  EXPECT_LE(counts.rescored, changed + absent);  // one empty text is as good as another
  EXPECT_GE(counts.rescored, kRuns * kAttackers * 2);
  EXPECT_LT(changed, kRuns * kAttackers * 2 + 40);  // the random linker finds new records for some old ones
  EXPECT_EQ(counts.rated, judgments() - old_judgments);
  EXPECT_LE(counts.rated, kJudged * (changed + absent + 2));
  expect_proven();
}

TEST_F(Evaluate, JudgesAnAddedClaimOnly) {
  ClaimsRow row = claims("r7", {"one more"});
  row.replaces = false;
  row.claims[0].n = kClaims + 1;
  add_claims({row});
  const EvalCounts counts = evaluate_all();
  EXPECT_EQ(counts.links_changed, 0U);
  EXPECT_EQ(counts.rescored, kRuns * kAttackers);
  // Against the auxiliary claims, and in two runs against what was linked: its own text, one at random, or those of
  // the absent attacks.
  EXPECT_GE(counts.rated, 1 + 2U);
  EXPECT_LE(counts.rated, 1 + 2 * 4U);
  expect_proven();
}

TEST_F(Evaluate, LinksOnlyThoseAgainWhoseAuxiliaryClaimsChanged) {
  add_claims({claims("r7", {"w8x0 common0", "w8x1 common1", "w7x2 common2", "w7x3 common3", "w7x4 common4"})});
  const EvalCounts counts = evaluate_all();
  // bm25 finds r8 now, in both runs that have texts.
  EXPECT_EQ(counts.links_changed, 2U);
  EXPECT_EQ(counts.rescored, kRuns * kAttackers);
  EXPECT_LE(counts.rated, 3 * kJudged);
  expect_proven();
}

TEST_F(Evaluate, SharesJudgmentsBetweenAttackersAndRuns) {
  const EvalCounts attacker = evaluate_all({"bm25[analyzer=plain]/first:2"});
  EXPECT_EQ(attacker.evaluations - attacker.current, kRuns);
  EXPECT_EQ(attacker.rated, 0U);
  EXPECT_EQ(attacker.rescored, kRuns * kMany);
  std::vector<VariantRow> originals;
  for (std::size_t i = 0; i < kMany; ++i) originals.push_back(variant(fmt::format("r{}", i), text_of(i)));
  add_run("copy", originals);
  const EvalCounts run = evaluate_all();
  EXPECT_EQ(run.evaluations - run.current, kAttackers);
  EXPECT_EQ(run.links, kAttackers * kMany);
  EXPECT_EQ(run.rated, 0U);
  const EvalCounts policy = evaluate_all({"bm25/last:2"}, "lexical", 0, "none");
  EXPECT_EQ(policy.evaluations - policy.current, kAttackers);
  EXPECT_GT(policy.rated, 0U);
  EXPECT_GT(policy.known, 0U);  // the claim that neither attacker knows
  expect_proven();
}

TEST_F(Evaluate, DoesNotLinkAgainForAnotherJudge) {
  const auto lexical = judgments();
  const EvalCounts counts = evaluate_all({"bm25/first:2"}, "rouge");
  EXPECT_EQ(counts.links, 0U);
  EXPECT_EQ(counts.links_changed, 0U);
  EXPECT_EQ(counts.rated, lexical);
  EXPECT_EQ(counts.rescored, kRuns * kAttackers * kMany);
  EXPECT_EQ(evaluate_all().current, kRuns * kAttackers);
  expect_proven();
}

TEST_F(Evaluate, WeighsARecordAnewWhenItsPersonChanges) {
  RecordRow row = record("r7", text_of(7));
  row.person = "somebody";
  RecordRow other = record("r8", text_of(8));
  other.person = "somebody";
  add_records({row, other});
  const EvalCounts counts = evaluate_all();
  EXPECT_EQ(counts.rated, 0U);
  EXPECT_EQ(counts.links_changed, 0U);
  EXPECT_EQ(counts.rescored, kRuns * kAttackers * 2);
  expect_proven();
}

TEST_F(Evaluate, ScoresAgainWhenAFailedVariantArrivesAndTheLinkStays) {
  std::vector<VariantRow> variants;
  for (std::size_t i = 0; i < kMany; ++i) variants.push_back(variant(fmt::format("r{}", i), text_of(i)));
  variants[3].text.reset();
  variants[3].error = "refused";
  add_run("partial", variants);
  evaluate_all();
  add_run("partial", {variant("r3", "zzyzx")});  // Shares no word with what is known of r3.
  evaluate_all();
  EXPECT_EQ(number("SELECT count(*) FROM score s JOIN evaluation e ON e.id = s.evaluation_id JOIN run r ON r.id = "
                   "e.run_id WHERE r.name = 'partial' AND s.state = 1"),
            0);
  expect_proven();
}

TEST_F(Evaluate, CountsRecordsOfWhichNothingIsGivenAsMissing) {
  std::vector<ClaimsRow> given;
  for (std::size_t i = 0; i < kMany; ++i) {
    if (i != 3) given.push_back(claims(fmt::format("r{}", i), {fmt::format("w{}x1 common1", i)}));
  }
  add_claims(given, "given");
  evaluate_all({"bm25/given:given/claims"});
  const char* kMissing =
      "SELECT count(*) FROM score s JOIN evaluation e ON e.id = s.evaluation_id JOIN protocol p ON p.id = "
      "e.protocol_id "
      "JOIN run r ON r.id = e.run_id JOIN metric_definition m ON m.id = s.metric "
      "WHERE m.name = 'semantic_distance' AND s.state = 2 AND r.name = 'r' AND p.linker = 'bm25' AND p.name LIKE "
      "'%given%'";
  EXPECT_EQ(number(kMissing), 1);
  expect_proven();
  add_claims({claims("r3", {"w3x1 common1"})}, "given");
  EXPECT_EQ(evaluate_all({"bm25/given:given/claims"}).current, 0U);
  EXPECT_EQ(number(kMissing), 0);
  expect_proven();
  EXPECT_EQ(evaluate_all({"bm25/given:given/claims"}).current, kRuns * kAttackers);
}

TEST_F(Evaluate, ReadsAllReleasesThatAnAttackerHolds) {
  // Each release keeps another half of every text; release b lacks record 3.
  std::vector<VariantRow> a, b;
  for (std::size_t i = 0; i < kMany; ++i) {
    a.push_back(variant(fmt::format("r{}", i), fmt::format("w{}x0 common0 w{}x2 common2", i, i)));
    b.push_back(variant(fmt::format("r{}", i), fmt::format("w{}x1 common1 w{}x3 common3 w{}x4 common4", i, i, i)));
  }
  b[3].text.reset();
  b[3].error = "refused";
  add_run("a", a);
  add_run("b", b);
  const auto mean = [&](const char* run, const char* protocol) {
    storage::Statement row = store().db().prepare(
        "SELECT m.value FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id "
        "JOIN protocol p ON p.id = e.protocol_id JOIN metric_definition f ON f.id = m.metric "
        "WHERE f.name = 'semantic_distance' AND m.slice = '' AND r.name = ?1 AND p.name = ?2");
    row.bind(run, protocol);
    return row.step() ? row.real(0) : -1.0;
  };
  evaluate_all({"bm25/first:2/claims", "bm25[runs=a+b]/first:2/claims"});
  EXPECT_EQ(mean("none", "bm25[runs=a+b]/first:2/claims"), -1.0);  // The attacker does not hold it.
  EXPECT_LT(mean("a", "bm25[runs=a+b]/first:2/claims"), mean("a", "bm25/first:2/claims"));
  EXPECT_EQ(mean("a", "bm25[runs=a+b]/first:2/claims") < 0.01, true);
  expect_proven();
  // The other release changes: what was read from both is stale.
  add_run("b", {variant("r7", "nothing at all")});
  EXPECT_LT(mean("a", "bm25[runs=a+b]/first:2/claims"), 0.01);
  const EvalCounts counts = evaluate_all({"bm25[runs=a+b]/first:2/claims"}, "lexical", 0, "a");
  EXPECT_GT(counts.rescored, 0U);
  EXPECT_LT(counts.rescored, 20U);
  expect_proven();
}

// Whichever came first, the empty text or the original that it is of.
TEST_F(Evaluate, CountsAnEmptyTextAsFailedWhereTheOriginalIsNow) {
  const char* kFailed =
      "SELECT m.failed FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id "
      "JOIN protocol p ON p.id = e.protocol_id JOIN metric_definition f ON f.id = m.metric "
      "WHERE f.name = 'semantic_distance' AND m.slice = '' AND r.name = 'cut' AND p.linker = 'bm25'";
  std::vector<VariantRow> rows = {variant("blank", "")};
  for (std::size_t i = 0; i < kMany; ++i) rows.push_back(variant(fmt::format("r{}", i), text_of(i)));
  add_records({record("blank", " \n")});
  add_claims({claims("blank", {"w1x0", "w2x1", "w3x0"})});
  add_run("cut", rows);
  evaluate_all();
  EXPECT_EQ(number(kFailed), 0);
  add_records({record("blank", "w1x0 common0")});
  evaluate_all();
  EXPECT_EQ(number(kFailed), 1);
  expect_proven();
  add_run("cut", {variant("blank", "")});  // now it is stored as a failure
  add_records({record("blank", "")});
  evaluate_all();
  EXPECT_EQ(number(kFailed), 0);
  expect_proven();
}

TEST_F(Evaluate, CountsEveryRecordAsFailedWhereASyntheticTextFailed) {
  VariantRow failed = variant("s2", "");
  failed.text.reset();
  failed.error = "timeout";
  add_run("made", {variant("s1", "w1x0 common0 w1x1 common1"), failed}, true);
  const EvalCounts counts = evaluate_all();
  EXPECT_NE(fmt::format("{}", fmt::join(counts.notes, ";")).find("1 of 2 texts of the synthetic run made failed"),
            std::string::npos);
  const char* kFailed =
      "SELECT m.failed FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id "
      "JOIN protocol p ON p.id = e.protocol_id JOIN metric_definition f ON f.id = m.metric "
      "WHERE f.name = 'semantic_distance' AND m.slice = '' AND r.name = 'made' AND p.linker = 'bm25'";
  EXPECT_EQ(number(kFailed), static_cast<std::int64_t>(kMany));
  expect_proven();
  add_run("made", {variant("s2", "w2x0 common0")}, true);
  EXPECT_TRUE(evaluate_all().notes.empty());
  EXPECT_EQ(number(kFailed), 0);
  expect_proven();
}

TEST_F(Evaluate, TakesRecordsOutOfASampleThatOthersEnter) {
  evaluate_all({"bm25/first:2"}, "lexical", kMany);
  add_many(kMany, kMany + 20);
  evaluate_all({"bm25/first:2"}, "lexical", kMany);
  EXPECT_EQ(number("SELECT max(c) FROM (SELECT count(*) AS c FROM scored s JOIN evaluation e ON e.id = evaluation_id "
                   "JOIN protocol p ON p.id = protocol_id WHERE sample > 0 GROUP BY e.id)"),
            static_cast<std::int64_t>(kMany));
  expect_proven();
}

TEST_F(Evaluate, PlansWhatItThenDoes) {
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:2")};
  EXPECT_EQ(plan(store(), {{"d", std::nullopt}}, options).counts.current, kRuns * kAttackers);
  options.judge = "rouge";
  const EvalPlan before = plan(store(), {{"d", std::nullopt}}, options);
  EXPECT_TRUE(before.exact);
  EXPECT_EQ(before.counts.links, 0U);
  EXPECT_GT(before.counts.rated, 0U);
  EXPECT_EQ(evaluate(store(), {{"d", std::nullopt}}, options).rated, before.counts.rated);
  EXPECT_EQ(plan(store(), {{"d", std::nullopt}}, options).counts.current, kRuns * kAttackers);
}

TEST_F(Evaluate, PlansAtMostWhatItThenDoesWhereLinksAreStale) {
  add_run("r", {variant("r0", "other words"), variant("r1", text_of(2))});
  add_records({record("new", "without claims")});
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:2"), parse_protocol("bm25/first:5")};
  const EvalPlan before = plan(store(), {{"d", std::nullopt}}, options);
  EXPECT_FALSE(before.exact);
  const EvalCounts done = evaluate(store(), {{"d", std::nullopt}}, options);
  EXPECT_EQ(done.links, before.counts.links);
  EXPECT_GE(before.counts.rated, done.rated);
  // What follows from what was kept is not searched; of the new attacker and the controls nothing is kept.
  EXPECT_GE(done.links_searched, before.counts.links_searched);
  EXPECT_EQ(before.counts.links_searched, before.searched_most - kRuns * kMany);
  // Knowing all claims leaves none to judge. Beside one attacker there are the absent attacks.
  EXPECT_EQ(before.counts.rated, kRuns * kMany * kJudged * (kAttackers * 2 + 2));
}

TEST_F(Evaluate, RefusesAnInputThatWasNotReadToItsEnd) {
  ingest::IngestOptions options;
  options.batch_rows = 1;
  int batches = 0;
  options.interrupted = [&] { return ++batches > 3; };
  VectorSource<VariantRow> source({variant("r1", "x"), variant("r2", "y"), variant("r3", "z"), variant("r4", "x"),
                                   variant("r5", "y"), variant("r6", "z")});
  EXPECT_THROW(ingest::ingest_run(store(), "d", "r", {}, source, ingest::testing::file(), options), Error);
  EXPECT_THROW(evaluate_all(), Error);
  EXPECT_EQ(evaluate_all({"bm25/first:2"}, "lexical", 0, "none").current, kAttackers);
}

// The links of an evaluation that died are those of a text that is gone again: no other judge may take them for good.
TEST_F(Evaluate, ForgetsTheLinksOfAnEvaluationThatDied) {
  if (const char* dir = std::getenv("RESIDUE_EVALUATE_DIR")) {
    storage::Store killed(std::filesystem::path(dir) / ".residue");
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:2")};
    evaluate(killed, {{"d", "r"}}, options);
    return;
  }
  add_run("r", {variant("r7", text_of(8) + "otherwise"), variant("r8", text_of(7) + "otherwise")});
  store_.reset();
  EXPECT_TRUE(killed(run_child("Evaluate.ForgetsTheLinksOfAnEvaluationThatDied",
                               {"RESIDUE_EVALUATE_DIR=" + dir_.string(), "RESIDUE_FAULT=judge.before_commit"})));
  open();
  add_run("r", {variant("r7", text_of(7) + "masked"), variant("r8", text_of(8) + "masked")});
  evaluate_all({"bm25/first:2"}, "rouge");
  evaluate_all();
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
