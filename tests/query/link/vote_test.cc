// Attackers whose claims vote: links, which claims they may look among, and what makes their numbers old.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/atomize/atomizer.h"
#include "query/link/attack_inputs.h"
#include "query/link/linking.h"
#include "query/link/run_claims.h"
#include "tests/index/bm25/bm25_oracle.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

using Texts = std::map<std::string, std::vector<std::string>>;  // by key

constexpr std::string_view kNobody;

// One link, by key; `linked` is kNobody where nothing was found.
struct Linked {
  std::string linked;
  std::uint32_t tied = 0;
  std::optional<std::uint32_t> rank;
  friend bool operator==(const Linked&, const Linked&) = default;
};
void PrintTo(const Linked& link, std::ostream* out) {
  *out << link.linked << ", " << link.tied << " tied, rank " << link.rank.value_or(0);
}

class Vote : public QueryStore {
 protected:
  void atomize(const std::string& run, const std::string& set = "sentences") {
    ingest::atomize_run(store(), "d", run, set, 2);
  }
  std::map<std::string, Linked> link(const std::string& run, const std::string& protocol) {
    const DatasetView dataset = dataset_view();
    const ProtocolSpec spec = parse_protocol(protocol);
    const RunView view = run_view(dataset, run);
    const auto links =
        compute_links(store(), dataset, {&view}, sync_auxiliary(store(), dataset, spec.policy), spec, {});
    const RunCandidates variants = candidates_of(dataset, view);
    std::map<std::string, Linked> result;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!links[i].attacked) continue;
      Linked& one = result[dataset.records[i].key];
      one = {std::string(kNobody), links[i].tied, links[i].rank};
      for (std::size_t j = 0; j < variants.ids.size(); ++j) {
        if (variants.ids[j] == links[i].linked) one.linked = variants.keys[j];
      }
    }
    return result;
  }
  std::pair<int, std::string> refusal(const char* protocol, const std::optional<std::string>& run = std::nullopt) {
    return ingest::testing::error_of([&] { evaluate_all({protocol}, "lexical", 0, run); });
  }
  std::int64_t current() {
    return number(
        "SELECT count(*) FROM evaluation e JOIN protocol p ON p.id = e.protocol_id JOIN run r ON r.id = e.run_id "
        "JOIN attack_content x ON x.run_id = e.run_id AND x.protocol_id = e.protocol_id "
        "WHERE p.linker LIKE 'bm25-vote%' AND e.claims_content = CASE e.tier WHEN 'judge' THEN x.judged ELSE x.content "
        "END AND e.run_content = r.content");
  }
};

// The definition: each claim said asks all published claims, its best one votes for the key that it belongs to.
std::map<std::string, Linked> count_votes(const Texts& said, const Texts& published, const text::Analyzer& analyzer,
                                          bool aligned) {
  std::vector<index::Bm25Oracle::Document> documents;
  std::vector<std::string> owners, ranks;
  for (const auto& [key, texts] : published) owners.insert(owners.end(), texts.size(), key);
  for (std::size_t i = 0; i < owners.size(); ++i) ranks.push_back(fmt::format("{:06}", i));
  for (const auto& [key, texts] : published) {
    for (const std::string& text : texts) {
      const std::size_t at = documents.size();
      documents.push_back({CandidateId{static_cast<std::int64_t>(at)}, ranks[at], text});
    }
  }
  const index::Bm25Oracle oracle(documents, analyzer);
  std::map<std::string, Linked> links;
  for (const auto& [record, texts] : said) {
    if (texts.empty()) continue;
    std::map<std::string, std::uint32_t> votes;
    for (const std::string& text : texts) {
      const std::vector<index::Query> query{{text, "", {}}};
      const auto hits = oracle.top(query, 1).front();
      if (!hits.empty()) ++votes[owners[static_cast<std::size_t>(hits.front().candidate.value)]];
    }
    std::vector<std::pair<std::int64_t, std::string>> order;
    for (const auto& [key, count] : votes) order.emplace_back(-static_cast<std::int64_t>(count), key);
    std::sort(order.begin(), order.end());
    Linked& link = links[record];
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0) link.linked = order[0].second;
      if (i > 0 && order[i].first == order[0].first) ++link.tied;
      if (aligned && i < kTopK && order[i].second == record) link.rank = static_cast<std::uint32_t>(i + 1);
    }
  }
  return links;
}

std::vector<std::string> front(const std::vector<std::string>& texts, std::size_t k) {
  return {texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(std::min(k, texts.size()))};
}

// Keys that begin one another, in an order that is not that of their ids.
constexpr std::array kKeys = {"b", "ab", "a", "a b", "ä", "c", "aa", "a-1", "z"};

TEST_F(Vote, EqualsCountingOnRandomStores) {
  Dice dice(11);
  Texts known, other, whole, published;
  std::vector<RecordRow> records;
  std::vector<ClaimsRow> facts, words;
  for (const char* key : kKeys) {
    records.push_back(record(key, dice.words(2, 6)));
    const std::uint64_t count = dice.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      whole[key].push_back(dice.words(1, 3));
      other[key].push_back(dice.words(1, 2));
    }
    facts.push_back(claims(key, whole[key]));
    words.push_back(claims(key, other[key]));
    other[key] = front(other[key], 2);
    known[key] = front(whole[key], 3);
  }
  add_records(records);
  add_claims(facts);
  add_claims(words, "said");
  for (int round = 0; round < 12; ++round) {
    for (const bool aligned : {true, false}) {
      std::vector<VariantRow> rows;
      for (const char* key : kKeys) {
        if (dice.one_in(3)) continue;
        std::string text;
        const std::uint64_t sentences = 1 + dice.below(4);
        for (std::uint64_t i = 0; i < sentences; ++i) text += "She is " + dice.words(1, 3) + ". ";
        rows.push_back(variant(key, text));
        if (dice.one_in(5)) rows.back().error = "refused";
        published[(aligned ? "r/" : "s/") + std::string(key)] =
            rows.back().error ? std::vector<std::string>() : ingest::atomize(text);
      }
      const std::string run = aligned ? "r" : "s";
      add_run(run, rows, !aligned);
      atomize(run);
      Texts of_run;
      for (const auto& [key, texts] : published) {
        if (key.substr(0, 2) == run + "/") of_run[key.substr(2)] = texts;
      }
      const auto& fsp = text::Analyzer::fsp();
      SCOPED_TRACE(fmt::format("round {} {}", round, run));
      EXPECT_EQ(link(run, "bm25-vote/first:3"), count_votes(known, of_run, fsp, aligned));
      EXPECT_EQ(link(run, "bm25-vote[analyzer=plain]/all"),
                count_votes(whole, of_run, text::Analyzer::plain(), aligned));
      EXPECT_EQ(link(run, "bm25-vote/first:2~said/claims"), count_votes(other, of_run, fsp, aligned));
    }
  }
}

class VoteSmall : public Vote {
 protected:
  VoteSmall() {
    add_records({record("a", "Ann keeps bees."), record("b", "Bob cooks."), record("c", "")});
    add_claims({claims("a", {"Ann", "bees", "rest"}), claims("b", {"Bob", "cooks", "rest"})});
    add_run("r", {variant("a", "Ann is here. Nobody keeps bees."), variant("b", "Bob cooks. Ann does too.")});
  }
};

TEST_F(VoteSmall, EqualVotesAndEqualScoresGoToTheSmallestKey) {
  add_records({record("ab", "x"), record("a-", "x")});
  add_run("t", {variant("ab", "Bees. Ann."), variant("a-", "Ann. Bees."), variant("a", "Bob. Cooks."),
                variant("b", "Cooks.")});
  atomize("t");
  const auto links = link("t", "bm25-vote/first:2");
  EXPECT_EQ(links.at("a"), (Linked{"a-", 0, std::nullopt}));  // Both votes; its own variant has none.
  EXPECT_EQ(links.at("b"), (Linked{"a", 0, std::nullopt}));   // "Cooks." ties with that of b.
  add_run("t", {variant("a-", "Ann."), variant("a", "Bob."), variant("ab", "Bees.")});
  atomize("t");
  EXPECT_EQ(link("t", "bm25-vote/first:2").at("a"), (Linked{"a-", 1, std::nullopt}));
  EXPECT_EQ(link("t", "bm25-vote/first:2").at("b"), (Linked{"a", 1, 2}));
}

TEST_F(VoteSmall, ControlsLookAmongTheJudgedClaimsOrNothing) {
  EXPECT_EQ(link("none", "bm25-vote/first:2"), (std::map<std::string, Linked>{{"a", {"a", 0, 1}}, {"b", {"b", 0, 1}}}));
  EXPECT_EQ(link("none", "bm25-vote[set=other]/last:1").at("b"), (Linked{"a", 0, std::nullopt}));
  EXPECT_EQ(link("remove-all", "bm25-vote/first:2").at("a"), Linked{});
}

TEST_F(VoteSmall, KeepsItsSegmentsApartFromThoseOfVariants) {
  add_run("one", {variant("a", "Ann."), variant("b", "Bob.")});  // Texts and claims are the same.
  atomize("one");
  evaluate_all({"bm25/first:1", "bm25-vote/first:1", "bm25-vote[analyzer=plain]/first:1"}, "lexical", 0, "one");
  EXPECT_EQ(rows("SELECT analyzer, documents FROM index_segment ORDER BY analyzer"),
            (std::vector<std::string>{"fsp/5|2", "fsp/5#sentences|2", "plain/6#sentences|2"}));
}

TEST_F(VoteSmall, RefusesClaimsThatAreMissingOldOrUnfinished) {
  EXPECT_EQ(refusal("bm25-vote/first:1"), (std::pair{3, std::string("run d/r has no claims \"sentences\"")}));
  EXPECT_NO_THROW(evaluate_all({"bm25-vote/first:1"}, "lexical", 0, "none"));
  EXPECT_NO_THROW(evaluate_all({"bm25/first:1"}));
  atomize("r");
  EXPECT_NO_THROW(evaluate_all({"bm25-vote/first:1"}));
  EXPECT_EQ(refusal("bm25-vote[set=mine]/first:1").first, 3);
  add_run("r", {variant("a", "Ann left.")});
  EXPECT_EQ(refusal("bm25-vote/first:1"),
            (std::pair{6, std::string("run d/r changed after its claims \"sentences\" were made")}));
  EXPECT_THROW(link("r", "bm25-vote/first:1"), Error);
  atomize("r");
  EXPECT_NO_THROW(evaluate_all({"bm25-vote/first:1"}));
  store().db().run("INSERT INTO ingest_progress VALUES ('claims d/r/sentences', '(atomize)', 0, 0, 1, '{}')");
  EXPECT_EQ(refusal("bm25-vote/first:1").first, 6);
}

TEST_F(VoteSmall, ScoresAgainWhatNewClaimsChange) {
  atomize("r");
  evaluate_all({"bm25-vote/first:2"});
  EXPECT_EQ(current(), 6);  // Tiers link and judge of three runs.
  expect_proven();
  atomize("r");
  EXPECT_EQ(evaluate_all({"bm25-vote/first:2"}).current, 9U);

  add_run("r", {variant("b", "Bob cooks. Ann does as well.")});
  atomize("r");
  const EvalCounts counts = evaluate_all({"bm25-vote/first:2"});
  EXPECT_EQ(counts.current, 6U);
  // Each of three attackers picks the new text of b for one record, and an absent attack for another one.
  EXPECT_EQ(counts.rescored, 4U);
  expect_proven();
}

TEST_F(VoteSmall, KnowsClaimsOfAnEditThatWasTakenBack) {
  atomize("r");
  evaluate_all({"bm25-vote/first:2"});
  // Other texts, the same claims.
  add_run("r", {variant("b", "Bob cooks.  Ann does too.")});
  atomize("r");
  add_run("r", {variant("b", "Bob cooks. Ann does too.")});
  EXPECT_EQ(current(), 4);
  EXPECT_EQ(refusal("bm25-vote/first:2").first, 6);
  expect_proven();
  atomize("r");
  EXPECT_EQ(current(), 6);
  EXPECT_EQ(evaluate_all({"bm25-vote/first:2"}).current, 9U);
}

TEST_F(VoteSmall, PlansAndTellsWhatItDependsOn) {
  atomize("r");
  EvalOptions options;
  options.protocols = {parse_protocol("bm25-vote/first:2")};
  EXPECT_EQ(plan(store(), {{"d", "r"}}, options).counts.links, 3U * 2U);
  evaluate_all({"bm25-vote/first:2"});
  EXPECT_EQ(plan(store(), {{"d", "r"}}, options).counts.current, 3U);
  EXPECT_EQ(rows("SELECT DISTINCT i.kind, i.name FROM protocol_input i"),
            (std::vector<std::string>{"run_claims|sentences"}));
  // The view and the program agree.
  const DatasetId dataset = storage::find_dataset(store().db(), "d");
  storage::Statement extra = store().db().prepare(
      "SELECT x.run_id, x.extra FROM attack_extra x JOIN protocol p ON p.id = x.protocol_id WHERE p.linker = "
      "'bm25-vote'");
  int runs = 0;
  while (extra.step()) {
    EXPECT_EQ(extra_content(store().db(), dataset, extra.id<RunId>(0), options.protocols[0]), extra.text(1));
    ++runs;
  }
  EXPECT_EQ(runs, 3);
}

TEST(VoteKeys, RoundTripAndOrder) {
  for (const std::int64_t owner : {std::int64_t{1}, std::int64_t{77}, (std::int64_t{1} << 31) - 1}) {
    for (const std::uint32_t n : {1U, 0xFFFFFFFFU}) {
      EXPECT_EQ(owner_of_claim(claim_candidate(CandidateId{owner}, n)), CandidateId{owner});
    }
  }
  EXPECT_THROW(claim_candidate(CandidateId{std::int64_t{1} << 31}, 1), Error);
}

}  // namespace
}  // namespace residue::query::testing
