// Places of every linker against full rankings, kept and computed again after any change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ingest/atomize/atomize_run.h"
#include "query/absent/absence.h"
#include "query/link/attack.h"
#include "query/link/dense_attack.h"
#include "query/link/link_basis.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/link/relinking.h"
#include "query/link/run_claims.h"
#include "query/place/place_rows.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr int kRecords = 26;

class Places : public QueryStore {
 protected:
  // Few words: many ties, many candidates for a query; persons with several records, originals that say the same.
  std::string words(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("w{} ", random_() % 12);
    return text;
  }
  RecordRow some_record(const std::string& key) {
    RecordRow row = record(key, random_() % 4 == 0 ? "the same for some of them" : words(8));
    row.person = fmt::format("p{}", random_() % 16);
    return row;
  }
  VariantRow some_variant(const std::string& key) {
    VariantRow row = variant(key, random_() % 6 == 0 ? "nothing known" : words(1 + random_() % 4));
    if (random_() % 10 == 0) row.error = "refused", row.text.reset();
    return row;
  }
  void start() {
    std::vector<RecordRow> originals;
    std::vector<VariantRow> released, again;
    std::vector<ClaimsRow> known;
    for (int i = 0; i < kRecords; ++i) {
      const std::string key = fmt::format("r{:02}", i);
      originals.push_back(some_record(key));
      released.push_back(some_variant(key));
      again.push_back(some_variant(key));
      known.push_back(claims(key, {words(2), words(1), words(2)}));
    }
    add_records(originals);
    add_claims(known);
    add_run("r", released);
    add_run("s", again);
  }
  void change(int records, int variants) {
    std::vector<RecordRow> originals;
    std::vector<VariantRow> released;
    std::vector<ClaimsRow> known;
    const auto any = random_() % kRecords;
    for (int i = 0; i < records; ++i) {
      const std::string key = fmt::format("r{:02}", (any + static_cast<unsigned>(i) * 7) % (kRecords + 2));
      originals.push_back(some_record(key));
      if (random_() % 2 == 0) known.push_back(claims(key, {words(2), words(1), words(2)}));
    }
    const int first = static_cast<int>(random_() % kRecords);
    for (int i = 0; i < variants; ++i) released.push_back(some_variant(fmt::format("r{:02}", (first + i) % kRecords)));
    if (!originals.empty()) add_records(originals);
    if (!known.empty()) add_claims(known);
    if (!released.empty()) add_run("r", released);
  }

  // What is needed to attack run r.
  struct Stage {
    storage::Lock held;
    DatasetView dataset;
    RunView run, other;
    std::vector<std::size_t> equal;
    std::unique_ptr<Absence> absence;
    std::unique_ptr<People> people;
    [[nodiscard]] Beside beside() const { return {absence.get(), people.get()}; }
  };
  std::unique_ptr<Stage> stage() {
    auto on = std::make_unique<Stage>(Stage{store().hold_texts(), dataset_view(), {}, {}, {}, {}, {}});
    on->run = run_view(on->dataset, "r");
    on->other = run_view(on->dataset, "s");
    on->equal = equal_originals(store(), on->dataset);
    on->absence = std::make_unique<Absence>(store(), on->dataset, on->equal);
    on->people = std::make_unique<People>(on->dataset, on->equal);
    return on;
  }

  // By definition: `all` are all candidates with a hit of the record's query, and `rest` those of the absent attack.
  static LinkPlace by_definition(const Stage& on, const Releases& releases, std::size_t record,
                                 const std::vector<index::Hit>& all, const std::vector<index::Hit>& rest) {
    LinkPlace place;
    place.attacked = true;
    const std::size_t candidates = candidates_of(on.dataset, releases).ids.size();
    const CandidateId own = own_candidate(on.dataset, releases, record);
    const auto position = [&](CandidateId id) { return on.dataset.position.at(RecordId{id.value}); };
    const auto same = [&](std::size_t a, std::size_t b) {
      return on.dataset.records[a].unit == on.dataset.records[b].unit || on.equal[a] == on.equal[b];
    };
    if (own.value != 0) {
      std::optional<double> score;
      for (const index::Hit& hit : all) {
        if (hit.candidate == own) score = hit.score;
      }
      place.ahead = 0;
      for (const index::Hit& hit : all) {
        if (!score || hit.score > *score) ++*place.ahead;
        if (score && hit.score == *score) ++place.level;
      }
      if (!score) place.level = static_cast<std::uint32_t>(candidates - all.size());
      --place.level;
    }
    std::vector<CandidateId> tied;
    for (const index::Hit& hit : all) {
      if (hit.score == all[0].score) tied.push_back(hit.candidate);
    }
    const Crowd crowd = on.people->crowd(tied, record);  // sight_test.cc proves it
    place.persons = crowd.persons;
    place.own_person = crowd.own;
    const auto sure = [&](const std::vector<index::Hit>& hits) -> std::optional<Sure> {
      if (hits.empty() || hits[0].score <= 0) return std::nullopt;
      double rival = -1;
      bool alone = true;
      for (const index::Hit& hit : hits) {
        if (same(position(hit.candidate), position(hits[0].candidate))) continue;
        alone = false;
        rival = std::max(rival, hit.score);
      }
      if (alone) return Sure{kOne, true};
      return Sure{fixed((hits[0].score - std::max(0.0, rival)) / hits[0].score), false};
    };
    place.sure = sure(all);
    place.rest_sure = sure(rest);
    return place;
  }
  // The first of what is left, and how many others have its score.
  static LinkView first_of(const std::vector<index::Hit>& hits) {
    std::optional<index::Hit> first;
    if (!hits.empty()) {
      first = hits[0];
      first->tied = static_cast<std::uint32_t>(std::ranges::count(hits, hits[0].score, &index::Hit::score)) - 1;
    }
    return to_rest(first);
  }
  // The same once more, without whom the record of the first leaves out.
  static LinkView third_of(const Stage& on, const std::vector<index::Hit>& rest) {
    if (rest.empty()) return first_of(rest);
    return first_of(without(on, on.dataset.position.at(RecordId{rest[0].candidate.value}), rest));
  }
  static std::vector<index::Hit> without(const Stage& on, std::size_t record, std::vector<index::Hit> hits) {
    const auto left_out = on.absence->left_out(record);
    std::erase_if(hits, [&](const index::Hit& hit) {
      return std::find(left_out.begin(), left_out.end(), hit.candidate) != left_out.end();
    });
    return hits;
  }
  std::vector<LinkPlace> by_rankings(const Stage& on, const Releases& releases, const AuxiliaryView& known,
                                     const ProtocolSpec& spec, const index::Linker& linker) {
    std::vector<LinkPlace> places(on.dataset.records.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (known.known[i].query.value == 0) continue;
      const std::string text = store().facts().read()->text(known.known[i].query);
      const std::vector<index::Query> query = {
          {text, on.dataset.records[i].key, own_candidate(on.dataset, releases, i)}};
      const auto hits = linker.top(query, 1000)[0];
      const bool absent = !spec.linker->control();
      places[i] = by_definition(on, releases, i, hits, absent ? without(on, i, hits) : std::vector<index::Hit>());
    }
    return places;
  }
  std::mt19937 random_{7};
};

TEST_F(Places, AreThoseOfFullRankings) {
  start();
  for (const char* name : {"bm25/first:2", "bm25[analyzer=plain]/all", "rouge-l/first:2", "rouge-l-recall/first:2",
                           "bm25[runs=r+s]/first:2"}) {
    SCOPED_TRACE(name);
    const auto on = stage();
    const storage::Lock lock = store().lock_run(on->run.id), other = store().lock_run(on->other.id);
    const ProtocolSpec spec = parse_protocol(name);
    const AuxiliaryView known = sync_auxiliary(store(), on->dataset, spec.policy);
    Releases releases = {&on->run};
    if (!spec.runs().empty()) releases.push_back(&on->other);
    const RunCandidates candidates = candidates_of(on->dataset, releases);
    std::unique_ptr<index::Linker> linker;
    if (spec.linker->measures_words()) {
      linker = open_rouge(store(), candidates, spec);
    } else if (releases.size() > 1) {
      std::vector<std::unique_ptr<index::Linker>> each;
      for (const RunView* run : by_name(releases)) {
        each.push_back(open_bm25(store(), *run, candidates_of(on->dataset, *run), spec));
      }
      linker = combine(std::move(each), candidates);
    } else {
      linker = open_bm25(store(), on->run, candidates, spec);
    }
    const AllLinks all = compute_links(store(), on->dataset, releases, known, spec, on->beside(), {});
    EXPECT_EQ(all.places, by_rankings(*on, releases, known, spec, *linker));
    EXPECT_EQ(all.links, compute_links(store(), on->dataset, releases, known, spec, {}));
    // Not so uniform that nothing is seen.
    const auto& places = all.places;
    EXPECT_TRUE(std::ranges::any_of(places, [](const LinkPlace& one) { return one.persons > 1 && one.own_person; }));
    EXPECT_TRUE(std::ranges::any_of(places, [](const LinkPlace& one) { return one.ahead && one.level > 0; }));
    EXPECT_TRUE(std::ranges::any_of(places, [](const LinkPlace& one) { return one.attacked && !one.ahead; }) ||
                releases.size() > 1);
  }
}

// Their rankings are asked for claim by claim, and voted on by definition.
TEST_F(Places, AreThoseOfAllVotes) {
  start();
  ingest::atomize_run(store(), "d", "r", "sentences", 1, {});
  const auto on = stage();
  const storage::Lock lock = store().lock_run(on->run.id);
  const ProtocolSpec spec = parse_protocol("bm25-vote/first:3");
  const AuxiliaryView known = sync_auxiliary(store(), on->dataset, spec.policy);
  const AllLinks all = compute_links(store(), on->dataset, {&on->run}, known, spec, on->beside(), {});
  const std::string set = spec.run_claims();
  const RunCandidates claims = claim_candidates(store(), on->dataset, on->run, set);
  const auto linker =
      open_bm25(store(), on->run, claims, spec, claims_indexed(store().db(), on->dataset, on->run, set));
  const auto table = table_of(candidates_of(on->dataset, on->run));
  int thirds = 0;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    if (known.known[i].query.value == 0) continue;
    std::vector<std::vector<index::Hit>> hits, rest;
    for (const TextId said : known.known[i].said) {
      const std::string text = store().facts().read()->text(said);
      hits.push_back(linker->top(std::vector<index::Query>{{text, "", {}}}, 1000)[0]);
      rest.push_back(hits.back());
      const auto left_out = on->absence->left_out(i);
      std::erase_if(rest.back(), [&](const index::Hit& hit) {
        return std::find(left_out.begin(), left_out.end(), owner_of_claim(hit.candidate)) != left_out.end();
      });
    }
    const auto elected = elect(rest, *table, index::VoteRule::kTop);
    EXPECT_EQ(all.places[i], by_definition(*on, {&on->run}, i, elect(hits, *table, index::VoteRule::kTop), elected))
        << i;
    EXPECT_EQ(all.rest[i], first_of(elected)) << i;
    if (elected.empty()) continue;
    for (auto& claim : rest) {
      const auto left_out = on->absence->left_out(on->dataset.position.at(RecordId{elected[0].candidate.value}));
      std::erase_if(claim, [&](const index::Hit& hit) {
        return std::find(left_out.begin(), left_out.end(), owner_of_claim(hit.candidate)) != left_out.end();
      });
    }
    EXPECT_EQ(all.third[i], first_of(elect(rest, *table, index::VoteRule::kTop))) << i;
    thirds += all.third[i].linked.value != 0 ? 1 : 0;
  }
  EXPECT_GT(thirds, 0);
}

TEST_F(Places, AreThoseOfAllCosines) {
  start();
  const auto vector_of = [&] {
    return std::vector<float>{float(random_() % 3) - 1, float(random_() % 3) - 1, float(random_() % 3) + 0.5F};
  };
  std::vector<std::string> texts =
      rows("SELECT DISTINCT text_id FROM variant WHERE text_id > 0 UNION SELECT text_id FROM claim");
  for (const std::string& id : texts) embed(store().facts().read()->text(TextId{std::stoll(id)}), vector_of());
  const auto on = stage();
  const storage::Lock lock = store().lock_run(on->run.id);
  const ProtocolSpec spec = parse_protocol("dense[model=toy]/first:2");
  const AuxiliaryView known = sync_auxiliary(store(), on->dataset, spec.policy);
  const AllLinks all = compute_links(store(), on->dataset, {&on->run}, known, spec, on->beside(), {});
  const DenseAttack attack(store(), on->dataset, on->run, known, spec);
  bool negative = false;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    if (known.known[i].query.value == 0) continue;
    const auto hits = attack.all(i)[0];
    negative = negative || hits.back().score < 0;
    const auto rest = without(*on, i, hits);
    EXPECT_EQ(all.places[i], by_definition(*on, {&on->run}, i, hits, rest)) << i;
    EXPECT_EQ(all.rest[i], first_of(rest)) << i;
    EXPECT_EQ(all.third[i], third_of(*on, rest)) << i;
  }
  EXPECT_TRUE(negative);
}

TEST_F(Places, OfControlsAreThoseOfTheirRankings) {
  start();
  evaluate_all({"bm25/first:2"}, "lexical", 0, "r");
  const auto own = rows(
      "SELECT count(*) FROM record r JOIN variant v ON v.record_id = r.id JOIN run u ON u.id = "
      "v.run_id WHERE u.name = 'r' AND v.text_id IS NOT NULL");
  EXPECT_EQ(rows("SELECT count(*) FROM link_place l JOIN protocol p ON p.id = l.protocol_id WHERE p.name LIKE "
                 "'oracle%' AND l.ahead = 0 AND l.level = 0 AND l.persons = 1 AND l.own_person AND l.alone"),
            own);
  EXPECT_EQ(
      rows("SELECT count(*) FROM link_place l JOIN protocol p ON p.id = l.protocol_id WHERE p.name LIKE "
           "'random%' AND ifnull(l.level, 0) = 0 AND l.persons = 1 AND l.rest_sure IS NULL AND l.sure >= 2147483648"),
      std::vector<std::string>{std::to_string(kRecords)});
  EXPECT_GT(number("SELECT max(l.ahead) FROM link_place l JOIN protocol p ON p.id = l.protocol_id WHERE p.name LIKE "
                   "'random%'"),
            10);
}

// Also where persons and originals change and no text of the run does.
TEST_F(Places, AreThoseOfASearchAfterAnyChain) {
  start();
  const ProtocolSpec spec = parse_protocol("bm25/first:2/claims");
  evaluate_all({spec.name()}, "lexical", 0, "r");
  const ProtocolId id{number("SELECT id FROM protocol WHERE name = 'bm25/first:2/claims'")};
  std::uint64_t attacked = 0, searched = 0;
  for (int round = 0; round < 60; ++round) {
    if (round % 5 != 4) change(round % 3 == 0 ? 2 : 0, round % 3 == 1 ? 1 + static_cast<int>(random_() % 2) : 0);
    const auto on = stage();
    const storage::Lock lock = store().lock_run(on->run.id);
    const AuxiliaryView known = sync_auxiliary(store(), on->dataset, spec.policy);
    const Relinked again = relink(store(), on->dataset, {&on->run}, known, spec, id, on->beside(), {});
    const AllLinks all = compute_links(store(), on->dataset, {&on->run}, known, spec, on->beside(), {});
    ASSERT_EQ(again.places, all.places) << round;
    ASSERT_EQ(again.links, all.links) << round;
    ASSERT_EQ(again.rest, all.rest) << round;
    ASSERT_EQ(again.third, all.third) << round;
    attacked += again.attacked;
    searched += again.searched + again.ranked;
  }
  EXPECT_LT(searched, attacked * 8 / 10);  // some are decided
}

TEST_F(Places, AreStoredAndProvenByAFreshStore) {
  start();
  evaluate_all({"bm25/first:2", "rouge-l/first:1"}, "lexical");
  expect_proven();
  change(2, 3);
  change(2, 0);
  evaluate_all({"bm25/first:2", "rouge-l/first:1"}, "lexical");
  expect_proven();
  const auto on = stage();
  const ProtocolSpec spec = parse_protocol("bm25/first:2/claims");
  const storage::Lock lock = store().lock_run(on->run.id);
  const AuxiliaryView known = sync_auxiliary(store(), on->dataset, spec.policy);
  const ProtocolId id{number("SELECT id FROM protocol WHERE name = 'bm25/first:2/claims'")};
  const AllLinks all = compute_links(store(), on->dataset, {&on->run}, known, spec, on->beside(), {});
  EXPECT_EQ(load_places(store(), on->dataset, on->run.id, id), all.places);
  const auto stored = [&](const ProtocolSpec& under) {
    const std::string sql = fmt::format("SELECT id FROM protocol WHERE name = '{}'", under.name());
    return load_links(store(), on->dataset, on->run.id, ProtocolId{number(sql.c_str())});
  };
  EXPECT_EQ(stored(spec), all.links);
  EXPECT_EQ(stored(absent_of(spec)), all.rest);
  EXPECT_EQ(stored(twice_absent_of(spec)), all.third);
  EXPECT_NE(all.third, all.rest);
}

// Three records, by hand.
TEST_F(Places, MakeTheMetricsOfRisk) {
  auto a = record("a", "Ann keeps bees"), b = record("b", "Ann is a nurse"), c = record("c", "Cid keeps bees");
  a.person = b.person = "ann";
  c.person = "cid";
  auto d = record("d", "Dan sails");
  d.person = "dan";
  add_records({a, b, c, d});
  add_claims({claims("a", {"bees", "x"}), claims("b", {"nurse", "x"}), claims("c", {"bees", "x"}),
              claims("d", {"boat", "x"})});
  add_run("r", {variant("a", "One keeps bees"), variant("b", "One is a nurse"), variant("c", "One keeps bees"),
                variant("d", "One sails")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  // a and c are tied: one half each. b is found alone. d finds nobody.
  EXPECT_DOUBLE_EQ(*report_run("r").metrics.at(MetricId::kMeanRisk).all.value, 0.5);
  EXPECT_EQ(report_run("r").metrics.at(MetricId::kMaxRisk).all.value, 1.0);
  const auto rank = report_run("r").metrics.at(MetricId::kAnonymityRank);
  EXPECT_EQ(rank.all.value, 1.5);  // 1.5, 1, 1.5, 2.5
  EXPECT_EQ(rank.cuts.at("chance").value, 2.5);
  const auto open = report_run("r").metrics.at(MetricId::kOpenRecall95);
  EXPECT_EQ(open.all.value, std::nullopt);
  EXPECT_EQ(open.reason.find("too few persons"), 0U) << open.reason;
  VariantRow refused = variant("b", "");
  refused.error = "refused";
  add_run("r", {refused, variant("d", "One has a boat")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_DOUBLE_EQ(*report_run("r").metrics.at(MetricId::kMeanRisk).all.value, 0.75);  // failed: found
  EXPECT_EQ(report_run("r").metrics.at(MetricId::kMeanRisk).all.failed, 1);
}

TEST_F(Places, OfRemoveAllSayNothing) {
  add_many(0, 30);
  evaluate_all({"bm25/first:2"}, "lexical");
  const ReportRun nothing = report_run("remove-all");
  EXPECT_EQ(nothing.metrics.at(MetricId::kRankBits).all.value, 0.0);
  EXPECT_EQ(nothing.metrics.at(MetricId::kMeanRisk).all.value, 0.0);
  EXPECT_EQ(nothing.metrics.at(MetricId::kMaxRisk).all.value, 0.0);
  EXPECT_EQ(nothing.metrics.at(MetricId::kAnonymityRank).all.value, 15.5);
  EXPECT_EQ(nothing.metrics.at(MetricId::kOpenRecall90).all.value, 0.0);
  const ReportRun all = report_run("none");
  EXPECT_EQ(all.metrics.at(MetricId::kMeanRisk).all.value, 1.0);
  EXPECT_EQ(all.metrics.at(MetricId::kAnonymityRank).all.value, 1.0);
  EXPECT_GT(*all.metrics.at(MetricId::kRankBits).all.low, 0.5);
  EXPECT_EQ(all.metrics.at(MetricId::kOpenRecall90).all.value, 1.0);
  EXPECT_EQ(all.metrics.at(MetricId::kOpenRecall90).cuts.at("precision").value, 1.0);
}

}  // namespace
}  // namespace residue::query::testing
