// The attackers dense and dense-vote, over vectors put in by hand.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "query/link/dense_attack.h"
#include "query/sql/views.h"
#include "storage/vectors.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Dense : public QueryStore {
 protected:
  Dense() {
    add_records({record("a", "apple"), record("b", "bread"), record("c", "cider")});
    add_claims({claims("a", {"a one", "a two", "a rest"}), claims("b", {"b one", "b two", "b rest"}),
                claims("c", {"c one", "c two", "c rest"})});
    add_run("r", {variant("a", "fruit"), variant("b", "loaf"), variant("c", "drink")});
  }
  void put(const std::string& text, std::vector<float> values) {
    const auto batch = store().write();
    storage::VectorWriter writer(batch->db(), "toy");
    writer.begin();
    writer.put(*batch, batch->put_text(text, storage::PrivacyClass::kOriginal), values);
    writer.end();
    batch->commit();
  }
  // Each record in a direction of its own; what is known of a points half to b.
  void put_all() {
    put("fruit", {1, 0, 0});
    put("loaf", {0, 2, 0});
    put("drink", {0, 0, 3});
    put("apple", {1, 0, 0});
    put("bread", {0, 1, 0});
    put("cider", {0, 0, 1});
    put("a one", {4, 0, 0});
    put("a two", {0, 1, 0});
    put("b one", {0, 1, 0});
    put("b two", {0, 1, 0.1F});
    put("c one", {0, 0, 1});
    put("c two", {0.5F, 0, 1});
  }
  std::vector<LinkView> link(const char* protocol, const std::string& run = "r") {
    const DatasetView dataset = dataset_view();
    const ProtocolSpec spec = parse_protocol(protocol);
    const RunView view = run_view(dataset, run);
    return compute_links(store(), dataset, {&view}, sync_auxiliary(store(), dataset, spec.policy), spec, {});
  }
  // The remedy; empty: not refused.
  std::string refusal(const char* protocol, const std::string& run) {
    try {
      evaluate_all({protocol}, "lexical", 0, run);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput) << error.what();
      return error.hint();
    }
    return "";
  }
  std::string planned_refusal(const char* protocol, const std::string& run) {
    EvalOptions options;
    options.protocols = {parse_protocol(protocol)};
    try {
      plan(store(), {{"d", run}}, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput) << error.what();
      return error.hint();
    }
    return "";
  }
  std::string linked(const std::vector<LinkView>& links) {
    std::string keys;
    for (const LinkView& link : links) {
      keys += link.linked.value == 0
                  ? "-"
                  : rows(fmt::format("SELECT key FROM record WHERE id = {}", link.linked.value).c_str())[0];
    }
    return keys;
  }
};

TEST_F(Dense, LinksByTheCommonDirectionOfTheClaims) {
  put_all();
  const auto links = link("dense[model=toy]/first:2");
  // Lengths do not count: (4,0,0) and (0,1,0) pull alike, the tie goes to the smaller key.
  EXPECT_EQ(linked(links), "abc");
  EXPECT_EQ(links[0].tied, 1U);
  EXPECT_EQ(links[2].tied, 0U);
}

TEST_F(Dense, TakesTheVectorOfTheWholeQueryWhereThereIsOne) {
  put_all();
  put("a one a two", {0, 0.2F, 1});
  EXPECT_EQ(linked(link("dense[model=toy]/first:2")), "cbc");
}

TEST_F(Dense, RefusesToLookWhereVectorsAreMissing) {
  put_all();
  for (const char* protocol : {"dense[model=toy]/last:1", "dense[model=other]/first:2"}) {
    SCOPED_TRACE(protocol);
    EXPECT_THROW(evaluate_all({protocol}), Error);
  }
  add_run("r", {variant("b", "no vector for this")});
  try {
    evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBadInput);
    EXPECT_NE(std::string(error.what()).find("1 of 3 texts of d/r"), std::string::npos) << error.what();
  }
}

TEST_F(Dense, NamesTheSetThatLacksVectorsAndAQueryThatListsThem) {
  put_all();
  add_claims({claims("a", {"A first", "A second"}), claims("b", {"B first", "b two"}), claims("c", {"c one", "c two"})},
             "said");
  put("A first", {1, 0, 0});
  attach_views(store().db().handle());
  const struct {
    const char* protocol;
    const char* of;
    std::vector<std::string> listed;
  } cases[] = {{"dense[model=toy]/first:2~said/claims", "claim --set said", {"a|2", "b|1"}},
               {"dense[model=toy]/given:said/claims", "claim --set said", {"a|2", "b|1"}},
               {"dense[model=toy]/last:1/claims", "claim --set claims", {"a|3", "b|3", "c|3"}},
               {"dense[model=toy]/first:2/claims", "variant --run s", {"b"}},
               {"dense-vote[model=toy]/first:2/claims", "claim --run s --set sentences", {"b|1"}},
               {"dense-vote[model=toy,set=mine]/first:2/claims", "claim --run s --set mine", {"b|1"}}};
  add_run("s", {variant("a", "fruit"), variant("b", "unknown"), variant("c", "")});
  for (const char* set : {"sentences", "mine"}) ingest::atomize_run(store(), "d", "s", set, 1, {});
  for (const auto& one : cases) {
    SCOPED_TRACE(one.protocol);
    const std::string run = std::string(one.of).find("--run") == std::string::npos ? "r" : "s";
    const std::string hint = refusal(one.protocol, run);
    const std::string begin =
        fmt::format("residue ingest vectors d FILE --model toy --of {}; which ones: residue sql \"", one.of);
    ASSERT_EQ(hint.substr(0, begin.size()), begin);
    EXPECT_EQ(rows(hint.substr(begin.size(), hint.size() - begin.size() - 1).c_str()), one.listed);
    EXPECT_EQ(planned_refusal(one.protocol, run), hint) << "plan refuses what eval will refuse";
  }
}

TEST_F(Dense, PlansWhatAVectorOfTheWholeQueryMakesPossible) {
  put_all();
  put("a rest", {1, 0, 0});
  put("b rest", {0, 1, 0});
  EXPECT_NE(planned_refusal("dense[model=toy]/last:1/claims", "r"), "");
  put("c two c rest", {0, 0, 1});  // a query, whose last claim has none
  EXPECT_EQ(planned_refusal("dense[model=toy]/last:2/claims", "r"), "");
  EXPECT_EQ(refusal("dense[model=toy]/last:2/claims", "r"), "");
}

TEST_F(Dense, SaysWhereVectorsOfClaimsCancel) {
  put_all();
  put("a two", {-3, 0, 0});
  const EvalCounts counts = evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r");
  EXPECT_EQ(linked(link("dense[model=toy]/first:2")), "-bc");
  ASSERT_EQ(counts.notes.size(), 1U);
  EXPECT_EQ(counts.notes[0],
            "of 1 of 3 targets the vectors of the known claims cancel each other: not linked under "
            "dense[model=toy]/first:2/claims, which counts as private; a vector of the joined claims would decide");
  put("a one a two", {1, 0, 0});
  EXPECT_TRUE(evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r").notes.empty());
  add_run("e", {variant("a", ""), variant("b", "")});
  EXPECT_TRUE(evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "e").notes.empty())
      << "there is no text to find";
}

TEST_F(Dense, IsStaleWhenAVectorChanges) {
  put_all();
  evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r");
  EXPECT_EQ(evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r").current, 3U);
  put("a one a two", {0, 0.2F, 1});
  const EvalCounts counts = evaluate_all({"dense[model=toy]/first:2"}, "lexical", 0, "r");
  EXPECT_EQ(counts.current, 2U);  // the controls
  EXPECT_EQ(counts.links_changed, 1U);
}

TEST_F(Dense, IsComputedAgainByRecompute) {
  put_all();
  evaluate_all({"dense[model=toy]/first:2"});
  expect_proven();
}

TEST_F(Dense, LetsEveryNearClaimVote) {
  put_all();
  add_run("r",
          {variant("a", "Fruit is red."), variant("b", "A loaf is brown. A loaf is warm."), variant("c", "Drink up.")});
  ingest::atomize_run(store(), "d", "r", "sentences", 1, {});
  EXPECT_THROW(evaluate_all({"dense-vote[model=toy]/first:2"}, "lexical", 0, "r"), Error);
  put("Fruit is red.", {1, 0, 0});
  put("A loaf is brown.", {0, 1, 0.01F});
  put("A loaf is warm.", {0, 1, 0});
  put("Drink up.", {0, 0, 1});
  const auto links = link("dense-vote[model=toy]/first:2");
  // Of a: one vote for a, and two for b, whose claims are both nearly the best for "a two".
  EXPECT_EQ(linked(links), "bbc");
  EXPECT_EQ(links[0].rank, 2U);
  EXPECT_EQ(links[1].rank, 1U);
  evaluate_all({"dense-vote[model=toy]/first:2"}, "lexical", 0, "r");
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
