#include "query/link/linking.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Linking : public QueryStore {
 protected:
  Linking() {
    add_records({record("a", "Ann nurse"), record("b", "Bob cook"), record("c", "Cid"), record("d", "Dan")});
    add_claims({claims("a", {"Ann nurse", "x"}), claims("b", {"Bob cook", "x"}), claims("c", {"unheard", "x"})});
  }
  std::vector<LinkView> link(const std::string& run, const char* protocol = "bm25/first:1") {
    const DatasetView dataset = dataset_view();
    const ProtocolSpec spec = parse_protocol(protocol);
    const RunView view = run_view(dataset, run);
    return compute_links(store(), dataset, {&view}, sync_auxiliary(store(), dataset, spec.policy), spec, {});
  }
  // Keys of what was linked; "-" not linked, "" not attacked.
  std::vector<std::string> linked(const std::vector<LinkView>& links) {
    const DatasetView dataset = dataset_view();
    std::vector<std::string> keys;
    for (const LinkView& link : links) {
      if (!link.attacked) {
        keys.emplace_back("");
      } else if (link.linked.value == 0) {
        keys.emplace_back("-");
      } else {
        keys.push_back(dataset.records[dataset.position.at(RecordId{link.linked.value})].key);
      }
    }
    return keys;
  }
};

using Keys = std::vector<std::string>;

TEST_F(Linking, FindsOwnAndOtherRecordsAndSaysWhereNothingWasFoundOrTried) {
  add_run("r", {variant("a", "a person"), variant("b", "Bob cook"), variant("d", "Ann nurse")});
  const auto links = link("r");
  EXPECT_EQ(linked(links), (Keys{"d", "b", "-", ""}));
  EXPECT_EQ(links[0].rank, std::nullopt);
  EXPECT_EQ(links[1].rank, 1U);
}

TEST_F(Linking, BelievesNoIndexAndNoLinkOfAnOlderPlainAnalyzer) {
  const char* const plain = "bm25[analyzer=plain]/last:1/claims";
  add_claims({claims("a", {"rest", "whose barn?"}), claims("b", {"rest", "Bob\u2019s"})});
  add_run("r", {variant("a", "a barn"), variant("b", "Bob's house")});
  evaluate_all({plain}, "lexical", 0, "r");
  EXPECT_EQ(linked(link("r", plain)), (Keys{"a", "b", "-", ""}));
  // As "plain/1" left it: under the same names, with other terms.
  for (const char* table : {"index_segment", "indexed", "link_basis"}) {
    store().db().run(fmt::format("UPDATE {} SET analyzer = 'plain/1' WHERE analyzer = 'plain/6'", table).c_str());
  }
  store().db().run("UPDATE evaluation SET definitions = '2'");
  store().db().run("UPDATE link SET linked_id = NULL");
  EXPECT_GE(evaluate_all({plain}, "lexical", 0, "r").links_changed, 2U);
  EXPECT_EQ(rows("SELECT DISTINCT analyzer FROM index_segment"), std::vector<std::string>{"plain/6"});
  EXPECT_EQ(number("SELECT count(*) FROM indexed WHERE analyzer = 'plain/1'"), 0);
}

TEST_F(Linking, GivesTiesToTheSmallestKeyAndCountsThem) {
  add_run("r", {variant("d", "Ann nurse"), variant("b", "Ann nurse"), variant("a", "Ann nurse")});
  const auto links = link("r");
  EXPECT_EQ(linked(links)[0], "a");
  EXPECT_EQ(links[0].tied, 2U);
  EXPECT_EQ(linked(links)[1], "-");
}

TEST_F(Linking, RebuildsTheIndexAfterEditsAppendsAndFailures) {
  add_run("r", {variant("a", "Ann nurse"), variant("b", "Bob cook")});
  EXPECT_EQ(linked(link("r")), (Keys{"a", "b", "-", ""}));
  add_run("r", {variant("a", "Bob cook cook"), variant("b", "somebody")});
  EXPECT_EQ(linked(link("r")), (Keys{"-", "a", "-", ""}));
  add_run("r", {variant("c", "Ann nurse")});
  EXPECT_EQ(linked(link("r")), (Keys{"c", "a", "-", ""}));
  VariantRow failed = variant("a", "");
  failed.error = "refused";
  add_run("r", {failed});
  EXPECT_EQ(linked(link("r")), (Keys{"c", "-", "-", ""}));
  EXPECT_EQ(number("SELECT count(*) FROM indexed"), 2);
  EXPECT_EQ(number("SELECT sum(documents) FROM index_segment"), 2);
}

TEST_F(Linking, MergesManySegmentsWithoutChangingLinks) {
  for (int i = 0; i < 30; ++i) {
    add_records({record(fmt::format("x{}", i), fmt::format("word{}", i))});
    add_claims({claims(fmt::format("x{}", i), {fmt::format("word{}", i), "y"})});
    link("none");
    EXPECT_LE(number("SELECT count(*) FROM index_segment"), 9);
  }
  const auto links = link("none");
  std::size_t own = 0;
  for (const std::string& key : linked(links)) own += key.rfind('x', 0) == 0;
  EXPECT_EQ(own, 30U);
  EXPECT_EQ(number("SELECT sum(documents) FROM index_segment"), 34);
}

TEST_F(Linking, BuildsADamagedIndexAgain) {
  add_run("r", {variant("a", "Ann nurse"), variant("b", "Bob cook")});
  const auto before = link("r");
  for (const auto& file : std::filesystem::directory_iterator(store().index_dir())) {
    std::filesystem::resize_file(file.path(), 100);
  }
  EXPECT_EQ(link("r"), before);
  for (const auto& file : std::filesystem::directory_iterator(store().index_dir())) {
    std::filesystem::remove(file.path());
  }
  EXPECT_EQ(link("r"), before);
}

TEST_F(Linking, LinksSyntheticVariantsThatBelongToNobody) {
  VariantRow failed = variant("s3", "");
  failed.error = "refused";
  add_run("s", {variant("s1", "Bob cook"), variant("s2", "Ann nurse"), failed}, true);
  const DatasetView dataset = dataset_view();
  const RunView run = run_view(dataset, "s");
  const auto links = link("s");
  ASSERT_EQ(run.synthetic.size(), 2U);
  EXPECT_EQ(store().facts().read()->text(linked_variant(dataset, run, links[0].linked)->text), "Ann nurse");
  EXPECT_EQ(links[0].rank, std::nullopt);
  EXPECT_FALSE(linked_variant(dataset, run, CandidateId{9999}).has_value());
}

TEST_F(Linking, StoresOnlyWhatDiffersAndLoadsItAgain) {
  evaluate_all({"bm25/first:1"});
  const DatasetView dataset = dataset_view();
  const RunView run = run_view(dataset, "none");
  const auto links = link("none");
  const ProtocolId protocol{number("SELECT id FROM protocol WHERE linker = 'bm25'")};
  EXPECT_EQ(load_links(store(), dataset, run.id, protocol), links);
  EXPECT_EQ(store_links(store(), dataset, run.id, protocol, links, protocol), 0U);
  auto changed = links;
  changed[0].attacked = false;
  changed[0] = LinkView{};
  changed[1].tied = 5;
  EXPECT_EQ(store_links(store(), dataset, run.id, protocol, changed, protocol), 2U);
  EXPECT_EQ(load_links(store(), dataset, run.id, protocol), changed);
}

TEST_F(Linking, FindsTheLongestCommonSubsequence) {
  add_records({record("p", "one"), record("q", "two")});
  add_claims({claims("p", {"man drinks wine", "x"}), claims("q", {"zzz", "x"})});
  add_run("long", {variant("p", "the old man often drinks cheap red wine at home"), variant("q", "man drinks beer")});
  // Worked by hand.
  EXPECT_EQ(linked(link("long", "rouge-l/first:1"))[4], "q");
  EXPECT_EQ(linked(link("long", "rouge-l-recall/first:1"))[4], "p");
  EXPECT_EQ(linked(link("long", "rouge-l/first:1"))[5], "-");
}

TEST_F(Linking, TakesLucenesLengthsWhenAsked) {
  // 40 and 41 terms are the same in one byte: the tie goes to the smaller key, not to the shorter text.
  std::string filler;
  for (int i = 0; i < 39; ++i) filler += " w" + std::to_string(i);
  add_records({record("p", "one"), record("q", "two")});
  add_claims({claims("p", {"anchor", "x"}), claims("q", {"anchor", "x"})});
  add_run("lengths", {variant("p", "anchor more" + filler), variant("q", "anchor" + filler)});
  EXPECT_EQ(linked(link("lengths", "bm25/first:1"))[4], "q");
  EXPECT_EQ(linked(link("lengths", "bm25[lengths=lucene]/first:1"))[4], "p");
}

}  // namespace
}  // namespace residue::query::testing
