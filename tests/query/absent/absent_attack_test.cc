// The absent attack against its definition, and after any history.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "query/absent/absence.h"
#include "query/explain/explain.h"
#include "query/inputs/texts.h"
#include "query/link/link_basis.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/link/relinking.h"
#include "query/link/run_claims.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr int kRecords = 24;

class AbsentAttack : public QueryStore {
 protected:
  // Short texts of few words: many ties, many candidates for a query.
  std::string words(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("w{} ", random_() % 12);
    return text;
  }
  void change(int records, int variants) {
    std::vector<RecordRow> originals;
    std::vector<VariantRow> released;
    std::vector<ClaimsRow> known;
    for (int i = 0; i < records; ++i) {
      const std::string key = fmt::format("r{:02}", random_() % kRecords);
      RecordRow row = record(key, random_() % 4 == 0 ? "the same for some of them" : words(8));
      row.person = fmt::format("p{}", random_() % 16);
      originals.push_back(row);
      known.push_back(claims(key, {words(2), words(1), words(2)}));
    }
    if (!originals.empty()) add_records(originals), add_claims(known);
    const int first = static_cast<int>(random_() % kRecords);
    for (int i = 0; i < variants; ++i) {
      VariantRow row = variant(fmt::format("r{:02}", (first + i) % kRecords), words(1 + random_() % 5));
      if (random_() % 8 == 0) row.error = "refused", row.text.reset();
      released.push_back(row);
    }
    add_run("r", released);
  }
  void start() {
    std::vector<RecordRow> originals;
    std::vector<VariantRow> released;
    std::vector<ClaimsRow> known;
    for (int i = 0; i < kRecords; ++i) {
      const std::string key = fmt::format("r{:02}", i);
      originals.push_back(record(key, words(8)));
      originals.back().person = fmt::format("p{}", i % 16);
      released.push_back(variant(key, words(4)));
      known.push_back(claims(key, {words(2), words(1), words(2)}));
    }
    add_records(originals);
    add_claims(known);
    add_run("r", released);
  }
  // Of the absent attack, and of that one's own.
  struct Links {
    std::vector<LinkView> rest, third;
  };
  static LinkView best_of(const std::vector<index::Hit>& hits) {
    LinkView link;
    link.attacked = true;
    if (hits.empty()) return link;
    link.linked = hits[0].candidate;
    link.tied = static_cast<std::uint32_t>(std::ranges::count(hits, hits[0].score, &index::Hit::score)) - 1;
    return link;
  }
  // From rankings of all candidates.
  Links by_definition(const DatasetView& dataset, const RunView& run, const AuxiliaryView& known,
                      const ProtocolSpec& spec, const Absence& absence) {
    const RunCandidates candidates = candidates_of(dataset, run);
    std::unique_ptr<index::Linker> linker;
    if (spec.linker->measures_words()) {
      linker = open_rouge(store(), candidates, spec);
    } else {
      linker = open_bm25(store(), run, candidates, spec);
    }
    const std::size_t count = dataset.records.size();
    Links links{std::vector<LinkView>(count), std::vector<LinkView>(count)};
    for (std::size_t i = 0; i < count; ++i) {
      if (known.known[i].query.value == 0) continue;
      const std::vector<std::string> text = load_texts(store(), std::vector<TextId>{known.known[i].query});
      const std::vector<index::Query> query = {{text[0], dataset.records[i].key, {}}};
      auto hits = linker->top(query, 1000)[0];
      const auto leave_out = [&](std::size_t record) {
        const auto left_out = absence.left_out(record);
        std::erase_if(hits, [&](const index::Hit& hit) {
          return std::find(left_out.begin(), left_out.end(), hit.candidate) != left_out.end();
        });
      };
      leave_out(i);
      links.rest[i] = best_of(hits);
      if (!hits.empty()) leave_out(dataset.position.at(RecordId{hits[0].candidate.value}));
      links.third[i] = best_of(hits);
    }
    return links;
  }
  std::mt19937 random_{3};
};

TEST_F(AbsentAttack, FindsTheBestOfThoseThatAreNotLeftOut) {
  start();
  for (const char* name : {"bm25/first:2", "bm25[analyzer=plain]/all", "rouge-l/first:2", "rouge-l-recall/first:2"}) {
    SCOPED_TRACE(name);
    const storage::Lock held = store().hold_texts();
    const DatasetView dataset = dataset_view();
    const RunView run = run_view(dataset, "r");
    const storage::Lock lock = store().lock_run(run.id);
    const auto equal = equal_originals(store(), dataset);
    const Absence absence(store(), dataset, equal);
    const ProtocolSpec spec = parse_protocol(name);
    const AuxiliaryView known = sync_auxiliary(store(), dataset, spec.policy);
    const AllLinks both = compute_links(store(), dataset, {&run}, known, spec, {&absence, nullptr}, {});
    EXPECT_EQ(both.links, compute_links(store(), dataset, {&run}, known, spec, {}));
    const Links links = by_definition(dataset, run, known, spec, absence);
    EXPECT_EQ(both.rest, links.rest);
    EXPECT_EQ(both.third, links.third);
    EXPECT_NE(both.rest, both.links);
    EXPECT_NE(both.third, both.rest);
  }
}

TEST_F(AbsentAttack, IsThatOfASearchAfterAnyChain) {
  start();
  const ProtocolSpec spec = parse_protocol("bm25/first:2/claims");
  evaluate_all({spec.name()}, "lexical", 0, "r");
  const ProtocolId id{number("SELECT id FROM protocol WHERE name = 'bm25/first:2/claims'")};
  std::uint64_t attacked = 0, searched = 0;
  for (int round = 0; round < 60; ++round) {
    if (round % 4 != 3) change(round % 3 == 0 ? 1 : 0, 1 + static_cast<int>(random_() % 2));
    const storage::Lock held = store().hold_texts();
    const DatasetView dataset = dataset_view();
    const RunView run = run_view(dataset, "r");
    const storage::Lock lock = store().lock_run(run.id);
    const auto equal = equal_originals(store(), dataset);
    const Absence absence(store(), dataset, equal);
    const AuxiliaryView known = sync_auxiliary(store(), dataset, spec.policy);
    const Relinked again = relink(store(), dataset, {&run}, known, spec, id, {&absence, nullptr}, {});
    ASSERT_EQ(again.links, compute_links(store(), dataset, {&run}, known, spec, {})) << round;
    const Links links = by_definition(dataset, run, known, spec, absence);
    ASSERT_EQ(again.rest, links.rest) << round;
    ASSERT_EQ(again.third, links.third) << round;
    attacked += again.attacked;
    searched += again.searched + again.ranked;
  }
  EXPECT_LT(searched, attacked * 9 / 10);  // some are decided
}

// Each claim asks; the claims of those left out do not vote.
TEST_F(AbsentAttack, IsElectedByTheClaimsOfTheOthers) {
  add_records({record("a", "Ann nurse bees"), record("b", "Bob nurse clocks"), record("c", "Cid cook bees"),
               record("d", "Dan nurse")});
  add_claims({claims("a", {"nurse", "bees", "Ann"}), claims("b", {"nurse", "clocks"}), claims("c", {"cook", "bees"}),
              claims("d", {"nurse"})});
  const storage::Lock held = store().hold_texts();
  const DatasetView dataset = dataset_view();
  const RunView run = run_view(dataset, "none");
  const storage::Lock lock = store().lock_run(run.id);
  const auto equal = equal_originals(store(), dataset);
  const Absence absence(store(), dataset, equal);
  const ProtocolSpec spec = parse_protocol("bm25-vote/all/claims");
  const AuxiliaryView known = sync_auxiliary(store(), dataset, spec.policy);
  const AllLinks both = compute_links(store(), dataset, {&run}, known, spec, {&absence, nullptr}, {});
  const auto key = [&](const LinkView& link) {
    return link.linked.value == 0 ? "-" : dataset.records[dataset.position.at(RecordId{link.linked.value})].key;
  };
  EXPECT_EQ(key(both.links[0]), "a");
  // "nurse" votes for b (the smallest key of b and d), "bees" for c, "Ann" for nobody: b and c are tied.
  EXPECT_EQ(key(both.rest[0]), "b");
  EXPECT_EQ(both.rest[0].tied, 1U);
  // Without b, too, "nurse" votes for d: c and d are tied.
  EXPECT_EQ(key(both.third[0]), "c");
  EXPECT_EQ(both.third[0].tied, 1U);
  EXPECT_EQ(key(both.rest[2]), "a");  // "cook" finds nobody else
  EXPECT_EQ(both.rest[2].tied, 0U);
  EXPECT_EQ(key(both.third[2]), "-");  // and nobody but a keeps bees
}

// The second is of a person with more texts than are looked at first: a search deeper finds the third.
TEST_F(AbsentAttack, LeavesOutForItsOwnOneThePersonWhomItFound) {
  std::vector<RecordRow> originals = {record("a", "Ann nurse"), record("z", "Zoe nurse")};
  std::vector<ClaimsRow> known = {claims("a", {"nurse"}), claims("z", {"nurse"})};
  for (int i = 0; i < 40; ++i) {
    originals.push_back(record(fmt::format("p{:02}", i), fmt::format("Pat{} nurse", i)));
    originals.back().person = "pat";
    known.push_back(claims(originals.back().key, {"nurse"}));
  }
  add_records(originals);
  add_claims(known);
  for (const char* name : {"bm25/all/claims", "bm25-vote/all/claims", "rouge-l/all/claims"}) {
    SCOPED_TRACE(name);
    const storage::Lock held = store().hold_texts();
    const DatasetView dataset = dataset_view();
    const RunView run = run_view(dataset, "none");
    const storage::Lock lock = store().lock_run(run.id);
    const auto equal = equal_originals(store(), dataset);
    const Absence absence(store(), dataset, equal);
    const ProtocolSpec spec = parse_protocol(name);
    const AuxiliaryView aux = sync_auxiliary(store(), dataset, spec.policy);
    const AllLinks all = compute_links(store(), dataset, {&run}, aux, spec, {&absence, nullptr}, {});
    const auto key = [&](const LinkView& link) {
      return link.linked.value == 0 ? "-" : dataset.records[dataset.position.at(RecordId{link.linked.value})].key;
    };
    for (std::size_t i = 0; i < dataset.records.size(); ++i) {
      const std::string& own = dataset.records[i].key;
      SCOPED_TRACE(own);
      EXPECT_EQ(key(all.rest[i]), own == "a" ? "p00" : "a");
      EXPECT_EQ(key(all.third[i]), own == "z" ? "p00" : "z");
      if (own != "a" || spec.linker->votes) continue;  // a claim votes for one
      EXPECT_EQ(all.rest[i].tied, 40U);
      EXPECT_EQ(all.third[i].tied, 0U);
    }
  }
}

// Three texts with the same words known: tied, in order of keys. By hand, with what each hit gives away in full:
//   target   judged            attack   second      third       gain    chance
//   a        sails, sings      a: both  b: sails    c: sings    1 of 1  1 of 1
//   b        sails, rides      a: sails a: sails    c: nothing  0 of 1  1 of 2
//   c        cooks, sings      a: sings a: sings    b: nothing  0 of 1  1 of 2
TEST_F(AbsentAttack, GainsByChanceWhatTheSecondHasBeforeTheThird) {
  add_records({record("a", "He keeps bees. He sails. He sings."), record("b", "He keeps bees. He sails. He rides."),
               record("c", "He keeps bees. He cooks. He sings.")});
  add_claims({claims("a", {"He keeps bees.", "He sails.", "He sings."}),
              claims("b", {"He keeps bees.", "He sails.", "He rides."}),
              claims("c", {"He keeps bees.", "He cooks.", "He sings."})});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "none");
  for (const char* name : {"leak_rate", "full_leak_rate"}) {
    SCOPED_TRACE(name);
    const auto value = [&](const char* of) {
      return rows(fmt::format("SELECT round(m.value, 9), m.units, m.n, m.low < m.value, m.high > m.value FROM metric m "
                              "JOIN metric_definition f ON f.id = m.metric JOIN evaluation e ON e.id = m.evaluation_id "
                              "JOIN protocol p ON p.id = e.protocol_id WHERE f.name = '{}{}' AND p.linker = 'bm25'",
                              name, of)
                      .c_str());
    };
    EXPECT_EQ(value("_gain"), std::vector<std::string>{"0.333333333|3|3|1|1"});
    EXPECT_EQ(value("_gain_chance"), std::vector<std::string>{"0.6|5|3|1|1"});
  }
  expect_proven();
}

// Only the text that the third is: whoever has no other change is scored again, too.
TEST_F(AbsentAttack, IsScoredAgainWhereOnlyTheThirdSaysOtherThings) {
  add_records({record("a", "He keeps bees. He sails."), record("b", "He keeps bees. He rides."),
               record("c", "He keeps bees. He cooks.")});
  add_claims({claims("a", {"He keeps bees.", "He sails."}), claims("b", {"He keeps bees.", "He rides."}),
              claims("c", {"He keeps bees.", "He cooks."})});
  const auto chance = [&] {
    return rows(
        "SELECT m.value, m.units FROM metric m JOIN metric_definition f ON f.id = m.metric JOIN evaluation e ON e.id = "
        "m.evaluation_id JOIN protocol p ON p.id = e.protocol_id WHERE f.name = 'full_leak_rate_gain_chance' AND "
        "p.linker = 'bm25'");
  };
  add_run("r", {variant("a", "He keeps bees. He sits."), variant("b", "He keeps bees. He rides."),
                variant("c", "He keeps bees. He cooks.")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_EQ(chance(), std::vector<std::string>{"0.0|3"});
  add_run("r", {variant("c", "He keeps bees. He sails.")});  // the third of a, now with a's claim
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_EQ(chance(), std::vector<std::string>{"0.0|2"});
  expect_proven();
}

TEST_F(AbsentAttack, IsJudgedWithTheAttackAndProvenByAFreshStore) {
  start();
  evaluate_all({"bm25/first:2", "rouge-l/first:1"}, "lexical");
  expect_proven();
  change(2, 3);
  evaluate_all({"bm25/first:2", "rouge-l/first:1"}, "lexical");
  expect_proven();
  EXPECT_GT(number("SELECT count(*) FROM metric m JOIN metric_definition f ON f.id = m.metric WHERE f.name = "
                   "'leak_rate_net'"),
            0);
  for (const char* name : {"bm25[absent=yes]/first:2", "bm25[absent=twice]/first:2"}) {
    EXPECT_THROW(evaluate_all({name}), Error);
    EXPECT_THROW(protocol_to_explain(store().db(), "d", name), Error);
  }
}

// What the release does not have is not left out of it.
TEST_F(AbsentAttack, CountsTheTextsThatItLeavesOut) {
  auto a = record("a", "Ann is a nurse and keeps bees"), b = record("b", "Ann went home to Graz");
  a.person = b.person = "ann";
  add_records({a, b, record("c", "Cid is a cook and keeps bees")});
  add_claims(
      {claims("a", {"Ann nurse", "bees"}), claims("b", {"Ann Graz", "home"}), claims("c", {"Cid cook", "bees"})});
  VariantRow refused = variant("b", "");
  refused.error = "refused";
  add_run("r", {variant("a", "A nurse keeps bees"), refused, variant("c", "A cook keeps bees")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  // Nobody knows how many there could be: no interval. The record whose text failed has failed here, too.
  EXPECT_EQ(rows("SELECT m.value, m.n, m.failed, m.low IS NULL AND m.high IS NULL FROM metric m JOIN metric_definition "
                 "f ON f.id "
                 "= m.metric WHERE f.name = "
                 "'absent_left_out'"),
            std::vector<std::string>{"1.0|2|1|1"});
}

}  // namespace
}  // namespace residue::query::testing
