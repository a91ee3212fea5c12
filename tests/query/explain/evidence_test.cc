// Explained links of every linker: what eval stored, and evidence that adds up to it.
#include "query/explain/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/dense/cosine.h"
#include "index/voting.h"
#include "ingest/atomize/atomize_run.h"
#include "query/explain/explain.h"
#include "query/inputs/texts.h"
#include "storage/vectors.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

using Outcome = LinkExplanation::Outcome;

class Evidences : public QueryStore {
 protected:
  LinkExplanation explain(const std::string& run, const std::string& record, const std::string& protocol) {
    const storage::Lock held = store().hold_texts();
    return explain_link(store(), "d", run, record, protocol_to_explain(store().db(), "d", protocol), IndexUse::kBuild);
  }
  void put(const std::string& text, const std::vector<float>& values) {
    const auto batch = store().write();
    storage::VectorWriter writer(batch->db(), "toy");
    writer.begin();
    writer.put(*batch, batch->put_text(text, storage::PrivacyClass::kOriginal), values);
    writer.end();
    batch->commit();
  }
  // Of all texts that are there: few different ones, so that cosines tie.
  void put_all() {
    for (const std::string& id : rows("SELECT text_id FROM claim UNION SELECT text_id FROM run_claim UNION SELECT "
                                      "text_id FROM record UNION SELECT text_id FROM variant WHERE text_id > 0")) {
      const std::string text = store().facts().read()->text(TextId{std::stoll(id)});
      Dice dice(static_cast<std::uint32_t>(hash_bytes(text) % 40));
      std::vector<float> values;
      for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(dice.below(7)) - 2.5F);
      put(text, values);
    }
  }
};

// The score by definition, from the evidence and the texts.
double score_of(const LinkExplanation& why, const LinkExplanation::Side& side) {
  double score = 0;
  switch (evidence_kind(why.protocol)) {
    case EvidenceKind::kTerms:
      for (const ReleaseShare& share : side.evidence.releases) {
        std::map<std::string, double> ascending;
        for (const index::TermScore& term : share.terms) ascending[term.term] = term.score;
        double sum = 0;
        for (const auto& [term, part] : ascending) sum += part;
        EXPECT_EQ(sum, share.score);
        score += sum;
      }
      return score;
    case EvidenceKind::kWords:
      EXPECT_EQ(text::prf(side.evidence.common->counts), side.evidence.common->measures);
      return why.protocol.linker->measure == Measure::kRougeF ? side.evidence.common->measures.f
                                                              : side.evidence.common->measures.r;
    case EvidenceKind::kVotes:
      for (const Ballot& ballot : why.ballots) {
        for (const Ballot::Vote& vote : ballot.votes) score += vote.record == side.key ? 1 : 0;
      }
      return score;
    default:
      return side.score;
  }
}

// Keys that are not in the order of their ids.
constexpr std::array kKeys = {"m", "k", "z", "a", "ab", "q", "c", "b", "r", "e", "x", "d"};

TEST_F(Evidences, AreThoseOfTheLinksThatEvalStores) {
  Dice dice(5);
  std::vector<RecordRow> records;
  std::vector<ClaimsRow> facts, said;
  std::vector<VariantRow> first, second, nobody;
  for (const char* key : kKeys) {
    records.push_back(record(key, dice.words(4, 9) + "."));
    if (std::string(key) == "q") continue;
    std::vector<std::string> own, other;
    for (int i = 0; i < 4; ++i) own.push_back(dice.words(1, 4));
    for (int i = 0; i < 3; ++i) other.push_back(dice.words(1, 3));
    facts.push_back(claims(key, own));
    if (!dice.one_in(4)) said.push_back(claims(key, other));
    const auto text = [&] { return "She is " + dice.words(1, 3) + ". He has " + dice.words(2, 4) + "."; };
    if (!dice.one_in(5)) first.push_back(variant(key, text()));
    if (!dice.one_in(5)) second.push_back(variant(key, text()));
    if (first.size() == 4) first.back().error = "refused";
    nobody.push_back(variant(std::string("s") + key, text()));
  }
  add_records(records);
  add_claims(facts);
  add_claims(said, "said");
  add_run("r", first);
  add_run("t", second);
  add_run("s", nobody, true);
  for (const char* run : {"r", "t", "s"}) ingest::atomize_run(store(), "d", run, "sentences", 1);
  put_all();
  const std::vector<std::string> protocols = {"bm25/first:2/claims",
                                              "bm25[analyzer=plain,lengths=lucene]/random:3@9/claims",
                                              "bm25[runs=r+t]/first:2/claims",
                                              "bm25/given:said/claims",
                                              "rouge-l/first:2/claims",
                                              "rouge-l-recall/first:3~said/claims",
                                              "bm25-vote/first:3/claims",
                                              "bm25-vote[analyzer=plain]/given:said/claims",
                                              "dense[model=toy]/first:2/claims",
                                              "dense[model=toy]/first:1/claims",
                                              "dense-vote[model=toy]/first:3/claims"};
  evaluate_all(protocols);
  const DatasetView dataset = dataset_view();
  std::map<std::string, int> linked;
  for (const RunHead& head : list_runs(store().db(), dataset.id)) {
    const RunView run = run_view(dataset, head.name);
    const RunCandidates candidates = candidates_of(dataset, run);
    for (const std::string& name : protocols) {
      const ProtocolSpec spec = parse_protocol(name);
      const std::vector<std::string> held = spec.runs();
      if (!held.empty() && std::find(held.begin(), held.end(), head.name) == held.end()) continue;
      const ProtocolId id{number(fmt::format("SELECT id FROM protocol WHERE name = '{}'", spec.name()).c_str())};
      const auto links = load_links(store(), dataset, run.id, id);
      for (std::size_t i = 0; i < links.size(); ++i) {
        SCOPED_TRACE(fmt::format("{} {} {}", head.name, name, dataset.records[i].key));
        const LinkExplanation why = explain(head.name, dataset.records[i].key, name);
        ASSERT_EQ(why.outcome != Outcome::kNotAttacked, links[i].attacked);
        ASSERT_EQ(why.winner.has_value(), links[i].linked.value != 0);
        EXPECT_EQ(why.truth && why.truth->rank && *why.truth->rank <= kTopK ? why.truth->rank : std::nullopt,
                  links[i].rank ? std::optional<std::size_t>(*links[i].rank) : std::nullopt);
        if (why.truth) {
          EXPECT_EQ(score_of(why, *why.truth), why.truth->score);
        }
        if (!why.winner) continue;
        ++linked[name];
        EXPECT_EQ(why.stored, LinkExplanation::Stored::kCurrent);
        const bool several = !held.empty();
        const CandidateId winner = links[i].linked;
        EXPECT_EQ(why.winner->key, several ? dataset.records[dataset.position.at(RecordId{winner.value})].key
                                           : candidates.keys[position_of(candidates, winner)]);
        EXPECT_EQ(why.winner->tied, links[i].tied);
        EXPECT_EQ(why.winner->rank, 1U);
        EXPECT_EQ(score_of(why, *why.winner), why.winner->score);
        EXPECT_EQ(why.outcome == Outcome::kRight, run.aligned() && winner == own_candidate(dataset, {&run}, i));
      }
    }
  }
  for (const std::string& name : protocols) EXPECT_GT(linked[name], 5) << name;
}

// ---- by hand

TEST_F(Evidences, OfRougeAreTheCommonWordsInOrder) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  add_claims({claims("a", {"The man drinks cheap wine", "rest"})});
  add_run("r", {variant("a", "A man often drinks red wine at home, cheaply"), variant("b", "man drinking wines"),
                variant("c", "nothing")});
  const LinkExplanation why = explain("r", "a", "rouge-l/first:1");
  EXPECT_EQ(why.words, (std::vector<std::string>{"the", "man", "drinks", "cheap", "wine"}));
  ASSERT_EQ(why.winner->key, "b");
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(why.winner->evidence.common->places, (Places{1, 2, 4}));
  EXPECT_EQ(why.winner->evidence.common->counts, (text::Overlap{3, 5, 3}));
  EXPECT_EQ(why.truth->rank, 2U);
  EXPECT_EQ(why.truth->evidence.common->counts, (text::Overlap{3, 5, 9}));
  EXPECT_DOUBLE_EQ(why.truth->score, 2.0 * (3.0 / 9) * (3.0 / 5) / (3.0 / 9 + 3.0 / 5));
  // Recall sees no difference, so the smaller key wins.
  const LinkExplanation recall = explain("r", "a", "rouge-l-recall/first:1");
  EXPECT_EQ(recall.winner->key, "a");
  EXPECT_EQ(recall.winner->score, 0.6);
  EXPECT_EQ(recall.winner->tied, 1U);
}

TEST_F(Evidences, OfVotesAreTheClaimsThatAreFound) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  add_claims({claims("a", {"keeps bees", "unheard", "is a nurse", "lives in Graz", "rest"})});
  add_run("r", {variant("a", "She is here. Somebody lives in Graz."), variant("b", "He keeps bees. A nurse helps."),
                variant("c", "No.")});
  ingest::atomize_run(store(), "d", "r", "sentences", 1);
  const LinkExplanation why = explain("r", "a", "bm25-vote/first:4");
  EXPECT_EQ(why.outcome, Outcome::kWrong);
  EXPECT_EQ(why.said, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  ASSERT_EQ(why.ballots.size(), 4U);
  EXPECT_EQ(why.ballots[0].said, "keeps bees");
  ASSERT_EQ(why.ballots[0].votes.size(), 1U);
  EXPECT_EQ(why.ballots[0].votes[0].record, "b");
  EXPECT_EQ(why.ballots[0].votes[0].claim, 1U);
  EXPECT_EQ(why.ballots[0].votes[0].score, *why.ballots[0].best);
  EXPECT_FALSE(why.ballots[0].least);
  EXPECT_TRUE(why.ballots[1].votes.empty());
  EXPECT_FALSE(why.ballots[1].best);
  EXPECT_EQ(why.ballots[2].votes[0].claim, 2U);
  EXPECT_EQ(why.ballots[3].votes[0].record, "a");
  EXPECT_EQ(why.winner->key, "b");
  EXPECT_EQ(why.winner->score, 2);
  EXPECT_EQ(why.winner->evidence.supports[0], (Support{1, why.ballots[0].best}));
  EXPECT_EQ(why.winner->evidence.supports[3], (Support{0, std::nullopt}));
  EXPECT_EQ(why.truth->rank, 2U);
  EXPECT_EQ(why.truth->evidence.supports[3].votes, 1U);
  ASSERT_EQ(why.elected.size(), 2U);
  EXPECT_EQ(why.elected[1].key, "a");
  EXPECT_EQ(why.elected[1].votes, 1U);
  // A record that no claim finds has no place.
  add_claims({claims("c", {"keeps bees", "rest"})});
  EXPECT_EQ(explain("r", "c", "bm25-vote/first:1").truth->rank, std::nullopt);
}

TEST_F(Evidences, OfDenseVotesSayFromWhereAClaimCounts) {
  add_records({record("a", "x"), record("b", "y")});
  add_claims({claims("a", {"known", "rest"}), claims("b", {"other", "rest"})});
  add_run("r", {variant("a", "One is. Two is."), variant("b", "Three is. Four is.")});
  ingest::atomize_run(store(), "d", "r", "sentences", 1);
  put("known", {1, 0});
  put("other", {0, 1});
  put("One is.", {1, 0.3F});  // cosine 0.958
  put("Two is.", {1, 0.4F});  // 0.928
  put("Three is.", {1, 0});
  put("Four is.", {1, 0.2F});
  const LinkExplanation why = explain("r", "a", "dense-vote[model=toy]/first:1");
  ASSERT_EQ(why.ballots.size(), 1U);
  EXPECT_EQ(why.ballots[0].best, 1.0);
  EXPECT_EQ(why.ballots[0].least, index::kVotingNearness);
  ASSERT_EQ(why.ballots[0].votes.size(), 3U);
  EXPECT_EQ(why.ballots[0].votes[2].record, "a");
  EXPECT_EQ(why.winner->key, "b");
  EXPECT_EQ(why.winner->evidence.supports[0], (Support{2, 1.0}));
  EXPECT_EQ(why.truth->evidence.supports[0].votes, 1U);
}

TEST_F(Evidences, OfDenseAreTheCosines) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  add_claims({claims("a", {"known", "more", "rest"})});
  add_run("r", {variant("a", "one"), variant("b", "two"), variant("c", "three")});
  put("known", {3, 0});
  put("more", {0, 5});
  put("one", {0.5F, -1});
  put("two", {1, 1});
  put("three", {1, 0});
  const LinkExplanation why = explain("r", "a", "dense[model=toy]/first:2");
  EXPECT_EQ(why.winner->key, "b");
  EXPECT_NEAR(why.winner->score, 1, 1e-12);
  EXPECT_EQ(why.truth->rank, 3U);  // Behind one that it shares nothing with: a negative cosine.
  EXPECT_NEAR(why.truth->score, (0.5 - 1) / (std::sqrt(2.0) * std::sqrt(1.25)), 1e-7);
  put("known more", {0, -1});  // The query has a vector of its own.
  EXPECT_EQ(explain("r", "a", "dense[model=toy]/first:2").outcome, Outcome::kRight);
  add_run("r", {variant("c", "no vector")});
  EXPECT_EQ(ingest::testing::error_of([&] { explain("r", "a", "dense[model=toy]/first:2"); }).first, 6);
  EXPECT_EQ(ingest::testing::error_of([&] { explain("none", "a", "dense[model=toy]/all"); }).first, 6);
}

TEST_F(Evidences, OfSeveralReleasesAreTheSharesOfEach) {
  add_records({record("a", "x"), record("b", "y"), record("c", "z")});
  add_claims({claims("a", {"nurse from Graz", "rest"})});
  VariantRow failed = variant("a", "");
  failed.error = "refused";
  add_run("r", {variant("a", "nurse nurse"), variant("b", "nurse"), variant("c", "cook")});
  add_run("t", {failed, variant("b", "of Graz"), variant("c", "of Wien")});
  const LinkExplanation why = explain("t", "a", "bm25[runs=r+t]/first:1");
  EXPECT_EQ(why.state, "failed");
  EXPECT_EQ(why.candidates, 3U);
  EXPECT_EQ(why.winner->key, "b");
  ASSERT_EQ(why.winner->evidence.releases.size(), 2U);
  EXPECT_EQ(why.winner->evidence.releases[0].run, "r");
  EXPECT_EQ(why.winner->evidence.releases[1].terms[0].term, "graz");
  EXPECT_EQ(why.truth->rank, 2U);  // by its text in the other release
  EXPECT_EQ(why.truth->evidence.releases[1].score, 0);
  ASSERT_EQ(why.terms.size(), 2U);
  EXPECT_EQ(why.terms[0].run, "t");
  EXPECT_EQ(why.terms[1].run, "r");
  EXPECT_GT(why.terms[1].truth, why.terms[1].winner);
  EXPECT_EQ(ingest::testing::error_of([&] { explain("none", "a", "bm25[runs=r+t]/first:1"); }).first, 2);
}

TEST_F(Evidences, RankATextOfOnesOwn) {
  add_records({record("a", "x"), record("b", "y")});
  add_run("r", {variant("a", "Ann keeps bees"), variant("b", "bees are kept by Bob")});
  const storage::Lock held = store().hold_texts();
  const auto keys = [&](const char* protocol, const Said& said, std::size_t k) {
    const ProtocolSpec spec = parse_protocol(protocol);
    const AttackedRun attacked(store(), "d", "r", spec);
    std::vector<std::string> found;
    for (const RankedText& hit :
         ranked(*open_attack(store(), attacked, spec, said, IndexUse::kBuild), attacked.candidates(), k)) {
      EXPECT_EQ(hit.rank, found.size() + 1);
      found.push_back(hit.key);
    }
    return found;
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys("rouge-l", {{}, "who keeps bees"}, 5), (Keys{"a", "b"}));
  EXPECT_EQ(keys("rouge-l", {{}, "who keeps bees"}, 1), Keys{"a"});
  EXPECT_EQ(keys("bm25", {{}, "Bob"}, 5), Keys{"b"});
  ingest::atomize_run(store(), "d", "r", "sentences", 1);
  EXPECT_EQ(keys("bm25-vote", {{"Bob", "Ann", "Ann keeps"}, ""}, 5), (Keys{"a", "b"}));  // no claims of the dataset
  EXPECT_EQ(ingest::testing::error_of([&] { keys("random", {{}, "x"}, 5); }).first, 2);
  EXPECT_THROW(keys("bm25-vote[set=none]", {{"x"}, ""}, 5), Error);
}

}  // namespace
}  // namespace residue::query::testing
