#include "query/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/link/linking.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

using Outcome = LinkExplanation::Outcome;
using Stored = LinkExplanation::Stored;

class Explain : public QueryStore {
 protected:
  LinkExplanation explain(const std::string& run, const std::string& record,
                          const std::string& protocol = "bm25/first:1") {
    const storage::Lock held = store().hold_texts();
    return explain_link(store(), "d", run, record, protocol_to_explain(store().db(), "d", protocol), IndexUse::kBuild);
  }
  void give(const std::string& set, std::vector<ClaimsRow> rows) {
    VectorSource<ClaimsRow> source(std::move(rows));
    ingest::ingest_claims(store(), "d", set, source, ingest::testing::file());
  }
  void add_small() {
    add_records({record("a", "Ann nurse"), record("b", "Bob cook"), record("c", "Cid"), record("e", "Eve"),
                 record("f", "Fay cook")});
    add_claims({claims("a", {"Ann nurse bees", "x"}), claims("b", {"Bob cook", "x"}), claims("c", {"unheard", "x"}),
                claims("f", {"Fay cook", "x", "y"})});
    add_run("r", {variant("a", "a person, nurse"), variant("b", "Bob cook"), variant("c", "Cid"),
                  variant("e", "Ann nurse bees")});
  }
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(Explain, PutsTheTermsOfTheWinnerBesideThoseOfTheTruth) {
  add_small();
  const LinkExplanation why = explain("r", "a");
  EXPECT_EQ(why.outcome, Outcome::kWrong);
  EXPECT_EQ(why.state, "ok");
  EXPECT_EQ(why.known, Numbers{1});
  EXPECT_EQ(why.claims, 2U);
  EXPECT_EQ(why.query, "Ann nurse bees");
  EXPECT_EQ(why.candidates, 4U);
  EXPECT_EQ(why.winner->key, "e");
  EXPECT_EQ(why.truth->key, "a");
  EXPECT_EQ(why.truth->rank, 2U);
  EXPECT_EQ(why.truth->tied, 0U);
  ASSERT_EQ(why.terms.size(), 3U);
  EXPECT_EQ(why.terms[0].term, "ann");
  EXPECT_EQ(why.terms[1].term, "bee");
  EXPECT_EQ(why.terms[1].documents, 1U);
  EXPECT_EQ(why.terms[1].truth, 0);
  EXPECT_EQ(why.terms[2].term, "nurs");
  EXPECT_EQ(why.terms[2].documents, 2U);
  EXPECT_GT(why.terms[2].truth, 0);
}

TEST_F(Explain, SaysWhatHappenedInEveryCase) {
  add_small();
  add_run("s", {variant("s1", "Bob cook"), variant("s2", "Ann nurse")}, true);
  VariantRow failed = variant("b", "");
  failed.error = "refused";
  add_run("r", {failed});
  const struct {
    const char* run;
    const char* record;
    Outcome outcome;
    const char* state;
    const char* winner;  // "": none
    bool truth;
  } cases[] = {
      {"none", "b", Outcome::kRight, "ok", "b", true},
      {"r", "c", Outcome::kNotLinked, "ok", "", true},
      {"r", "e", Outcome::kNotAttacked, "ok", "", false},
      {"r", "b", Outcome::kNotLinked, "failed", "", false},
      {"r", "f", Outcome::kNotLinked, "absent", "", false},
      {"remove-all", "a", Outcome::kNotLinked, "removed", "", true},
      {"s", "b", Outcome::kUnowned, "synthetic", "s1", false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(fmt::format("{} {}", one.run, one.record));
    const LinkExplanation why = explain(one.run, one.record);
    EXPECT_EQ(why.outcome, one.outcome);
    EXPECT_EQ(why.state, one.state);
    EXPECT_EQ(why.winner ? why.winner->key : "", one.winner);
    EXPECT_EQ(why.truth.has_value(), one.truth);
    EXPECT_EQ(why.error, one.state == std::string("failed") ? "refused" : "");
  }
  EXPECT_EQ(explain("none", "f", "bm25/first:3").known, (Numbers{1, 2, 3}));
}

TEST_F(Explain, KnowsWhatWasGivenAndOtherWords) {
  add_small();
  give("extra", {claims("a", {"Bob cook", "Ann nurse bees"}), claims("b", {"a cook"})});
  const LinkExplanation given = explain("r", "a", "bm25/given:extra/claims");
  EXPECT_EQ(given.known, Numbers{1});
  EXPECT_EQ(given.query, "Bob cook Ann nurse bees");
  EXPECT_EQ(explain("r", "c", "bm25/given:extra/claims").outcome, Outcome::kNotAttacked);
  const LinkExplanation words = explain("r", "b", "bm25/first:1~extra/claims");
  EXPECT_EQ(words.known, Numbers{1});
  EXPECT_EQ(words.query, "a cook");
  EXPECT_EQ(words.winner->key, "b");
  EXPECT_EQ(explain("r", "c", "bm25/first:1~extra/claims").outcome, Outcome::kNotAttacked);
}

TEST_F(Explain, NamesTheControlsAndRefusesWhatItDoesNotKnow) {
  add_small();
  EXPECT_EQ(explain("r", "a", "oracle/first:1").outcome, Outcome::kControl);
  EXPECT_EQ(explain("r", "a", "random/first:1").state, "ok");
  EXPECT_THROW(explain("missing", "a", "oracle/first:1"), Error);
  EXPECT_THROW(explain("r", "nobody"), Error);
  ProtocolSpec strange = parse_protocol("bm25/first:1");
  Linker unknown = *strange.linker;
  unknown.measure = Measure::kNothing;
  strange.linker = &unknown;
  EXPECT_EQ(ingest::testing::error_of([&] { explain_link(store(), "d", "r", "a", strange, IndexUse::kBuild); }).first,
            2);
}

TEST_F(Explain, FindsTheRecordThatIsMeant) {
  add_small();
  storage::Db& db = store().db();
  EXPECT_EQ(record_to_explain(db, "d", "a"), "a");
  EXPECT_EQ(record_to_explain(db, "d", "d/a"), "a");
  EXPECT_EQ(ingest::testing::error_of([&] { record_to_explain(db, "d", "zz"); }).first, 3);
  EXPECT_EQ(ingest::testing::error_of([&] { record_to_explain(db, "d", "a#1"); }).first, 2);
  add_records({record("d/a", "Dan")});
  EXPECT_EQ(record_to_explain(db, "d", "d/a"), "d/a");
}

TEST_F(Explain, SaysWhetherTheStoredEvaluationIsOfThePresentRun) {
  add_small();
  EXPECT_EQ(protocol_to_explain(store().db(), "d", "").name(), "bm25/random:3@42/claims");
  EXPECT_EQ(explain("r", "a").stored, Stored::kNever);
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(protocol_to_explain(store().db(), "d", "").name(), "bm25/first:1/claims");
  EXPECT_EQ(explain("r", "a").stored, Stored::kCurrent);
  EXPECT_EQ(explain("r", "a", "bm25/last:1").stored, Stored::kNever);
  add_run("r", {variant("a", "Ann is a nurse who keeps many bees")});
  const LinkExplanation why = explain("r", "a");
  EXPECT_EQ(why.stored, Stored::kStale);
  EXPECT_EQ(why.outcome, Outcome::kWrong);  // the shorter text of e
  EXPECT_EQ(explain("none", "a").stored, Stored::kCurrent);
  // What the attacker was given belongs to the evaluation.
  give("extra", {claims("a", {"Ann"})});
  evaluate_all({"bm25/given:extra/claims"});
  EXPECT_EQ(explain("none", "a", "bm25/given:extra/claims").stored, Stored::kCurrent);
  give("extra", {claims("a", {"Ann nurse"})});
  EXPECT_EQ(explain("none", "a", "bm25/given:extra/claims").stored, Stored::kStale);
  evaluate_all({"bm25/first:1/claims"}, "lexical",
               2);  // of all records it stays stale; the sample is what was evaluated last
  EXPECT_EQ(explain("r", "a", "bm25/first:1/claims").stored, Stored::kCurrent);
}

// Of every record: the query and the link that eval stores; scores are the sums of their shares; the rank is what
// counting says, beyond the first hundred too.
TEST_F(Explain, AgreesWithTheEvaluationAndWithCounting) {
  add_many(0, 130);
  std::vector<VariantRow> variants;
  for (std::size_t i = 0; i < 130; ++i) {
    // Many variants share the query's common words, most without the record's own.
    variants.push_back(
        variant(fmt::format("r{}", i), i % 7 == 0 ? text_of(i) : fmt::format("common0 common{} pad", i % 5)));
  }
  add_run("r", variants);
  const DatasetView dataset = dataset_view();
  const RunView run = run_view(dataset, "r");
  const ProtocolSpec spec = protocol_to_explain(store().db(), "d", "bm25/random:2@7");
  const AuxiliaryView auxiliary = sync_auxiliary(store(), dataset, spec.policy);
  const auto links = compute_links(store(), dataset, {&run}, auxiliary, spec, {});
  const storage::Lock held = store().hold_texts();
  const OpenRun open = open_run(store(), "d", "r", spec, IndexUse::kAsStored);
  std::size_t deep = 0;
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    SCOPED_TRACE(dataset.records[i].key);
    const LinkExplanation why = explain_link(store(), open, dataset.records[i].key, spec);
    ASSERT_EQ(why.known, auxiliary.known[i].claims);
    ASSERT_EQ(why.query, store().facts().read()->text(auxiliary.known[i].query));
    ASSERT_EQ(why.winner->key, dataset.records[dataset.position.at(RecordId{links[i].linked.value})].key);
    ASSERT_EQ(why.winner->tied, links[i].tied);
    if (links[i].rank) {
      ASSERT_EQ(why.truth->rank, *links[i].rank);
    }
    std::map<std::string, DecidingTerm> ascending;
    for (const DecidingTerm& term : why.terms) ascending[term.term] = term;
    double winner = 0;
    double truth = 0;
    for (const auto& [term, row] : ascending) {
      winner += row.winner;
      truth += row.truth;
    }
    ASSERT_EQ(winner, why.winner->score);
    ASSERT_EQ(truth, why.truth->score);
    const std::vector<index::Query> queries{{why.query, "", {}}};
    const auto all = open.linker->top(queries, 1000).front();
    ASSERT_EQ(all.front().score, why.winner->score);
    const auto own = std::find_if(all.begin(), all.end(), [&](const index::Hit& hit) {
      return hit.candidate.value == dataset.records[i].id.value;
    });
    if (own == all.end()) {
      ASSERT_EQ(why.truth->rank, std::nullopt);
      continue;
    }
    ASSERT_EQ(why.truth->rank, static_cast<std::size_t>(own - all.begin()) + 1);
    ASSERT_EQ(why.truth->score, own->score);
    const bool counted = *why.truth->rank <= kMaxHits;
    ASSERT_EQ(why.truth->tied, counted ? std::optional(own->tied) : std::nullopt);
    deep += counted ? 0 : 1;
  }
  EXPECT_GT(deep, 0U);
}

}  // namespace
}  // namespace residue::query::testing
