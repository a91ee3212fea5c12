// Linking again: the links of a search, after every kind of change, and how few queries are searched for them.
#include "query/link/relinking.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "query/link/link_basis.h"
#include "query/link/linked_persons.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr const char* kProtocol = "bm25/first:1/claims";

VariantRow failed(const std::string& key) {
  VariantRow row = variant(key, "");
  row.error = "refused";
  return row;
}

class LinkAgain : public QueryStore {
 protected:
  // Texts by key, and what is known of `a`, whose own text is found.
  void start(const std::map<std::string, std::string>& texts, const std::string& known) {
    std::vector<RecordRow> records;
    std::vector<VariantRow> variants;
    for (const auto& [key, text] : texts) {
      records.push_back(record(key, "some"));
      variants.push_back(variant(key, text));
    }
    add_records(records);
    add_claims({claims("a", {known, "rest"})});
    add_run("r", variants);
    evaluate_all({kProtocol}, "lexical", 0, "r");
    EXPECT_EQ(linked(again().links.front()), "a");
  }
  void edit(const std::map<std::string, std::string>& texts) {
    std::vector<RecordRow> records;
    std::vector<VariantRow> variants;
    for (const auto& [key, text] : texts) {
      records.push_back(record(key, "some"));
      variants.push_back(variant(key, text));
    }
    add_records(records);
    add_run("r", variants);
  }
  // Whatever the ways, the links are those of a search of everything.
  Relinked again(const std::string& name = kProtocol, const std::vector<std::string>& others = {}) {
    const storage::Lock held = store().hold_texts();
    const DatasetView dataset = dataset_view();
    const ProtocolSpec spec = parse_protocol(name);
    const RunView run = run_view(dataset, "r");
    std::vector<RunView> more;
    for (const std::string& other : others) more.push_back(run_view(dataset, other));
    Releases releases = {&run};
    for (const RunView& other : more) releases.push_back(&other);
    const AuxiliaryView known = sync_auxiliary(store(), dataset, spec.policy);
    const ProtocolId id{number(fmt::format("SELECT id FROM protocol WHERE name = '{}'", spec.name()).c_str())};
    const storage::Lock lock = store().lock_run(run.id);
    const auto equal = equal_originals(store(), dataset);
    const People people(dataset, equal);
    Relinked result = relink(store(), dataset, releases, known, spec, id, {nullptr, &people}, {});
    const AllLinks all = compute_links(store(), dataset, releases, known, spec, {nullptr, &people}, {});
    EXPECT_EQ(result.links, all.links);
    EXPECT_EQ(result.places, all.places);
    return result;
  }
  std::string linked(const LinkView& link) {
    if (link.linked.value == 0) return "-";
    return rows(fmt::format("SELECT key FROM record WHERE id = {}", link.linked.value).c_str())[0];
  }
  static std::map<std::string, std::string> filler(int count) {
    std::map<std::string, std::string> texts;
    for (int i = 0; i < count; ++i) texts[fmt::format("f{:03}", i)] = fmt::format("pad pod{}", i);
    return texts;
  }
};

TEST_F(LinkAgain, SearchesNothingWhereNothingChanged) {
  auto texts = filler(20);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  const Relinked same = again();
  EXPECT_EQ(same.attacked, 1U);
  EXPECT_EQ(same.searched + same.ranked, 0U);
  EXPECT_EQ(same.links.front().rank, 1U);
}

TEST_F(LinkAgain, SearchesEverythingWithoutABasisOfItsOwn) {
  auto texts = filler(20);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  store().db().run("DELETE FROM link_basis");
  EXPECT_EQ(again().searched, 1U);
  EXPECT_EQ(again().searched, 0U);
  store().db().run("UPDATE link_basis SET analyzer = 'plain/1'");
  EXPECT_EQ(again().searched, 1U);
  store().db().run("UPDATE link_basis SET links = x'03'");
  EXPECT_EQ(again().searched, 1U);
  // Other options are another protocol.
  const char* lucene = "bm25[lengths=lucene]/first:1/claims";
  EXPECT_THROW(again(lucene), Error);
  evaluate_all({lucene, "bm25[runs=none+r]/first:1/claims"}, "lexical", 0, "r");
  EXPECT_EQ(again(lucene).searched, 0U);
  EXPECT_EQ(again("bm25[runs=none+r]/first:1/claims", {"none"}).searched, 1U);  // of several releases none is kept
}

TEST_F(LinkAgain, SearchesOnlyTheQueriesThatChanged) {
  auto texts = filler(20);
  texts["a"] = "Ann keeps bees";
  texts["b"] = "Bob keeps clocks";
  start(texts, "Ann bees");
  add_claims({claims("b", {"Bob", "rest"})});
  EXPECT_EQ(again().searched, 1U);
  add_claims({claims("a", {"pod3", "rest"})});
  const Relinked other = again();
  EXPECT_EQ(other.searched, 1U);
  EXPECT_EQ(linked(other.links[0]), "f003");
  EXPECT_EQ(other.links[0].rank, std::nullopt);
}

TEST_F(LinkAgain, DecidesWhatAnEditCannotChange) {
  auto texts = filler(40);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  edit({{"f000", "other words"}, {"f999", "pad and more"}});
  add_run("r", {failed("f001")});
  const Relinked decided = again();
  EXPECT_EQ(decided.searched + decided.ranked, 0U);
  EXPECT_EQ(linked(decided.links.front()), "a");
}

TEST_F(LinkAgain, FollowsTheWinnerThatWasEdited) {
  auto texts = filler(40);
  texts["a"] = "Ann keeps bees";
  texts["b"] = "Ann keeps cows and goats";
  texts["c"] = "bees of some other person";
  start(texts, "Ann bees");
  edit({{"a", "somebody"}});
  EXPECT_NE(linked(again().links.front()), "a");
  edit({{"a", "Ann keeps bees"}});
  EXPECT_EQ(linked(again().links.front()), "a");
  // The same text again is no change.
  edit({{"a", "Ann keeps bees"}});
  EXPECT_EQ(again().searched, 0U);
}

TEST_F(LinkAgain, FindsABetterTextThatCame) {
  auto texts = filler(40);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  edit({{"z", "Ann bees"}});
  const Relinked came = again();
  EXPECT_EQ(linked(came.links.front()), "z");
  EXPECT_EQ(came.links.front().rank, 2U);
  add_run("r", {failed("z")});
  EXPECT_EQ(linked(again().links.front()), "a");
  edit({{"z", "Ann bees"}, {"y", "bees Ann Ann"}});
  EXPECT_EQ(linked(again().links.front()), "y");
  add_run("r", {failed("y"), failed("z"), failed("a")});
  EXPECT_EQ(linked(again().links.front()), "-");
}

TEST_F(LinkAgain, CountsTiesThatComeAndGo) {
  auto texts = filler(40);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  edit({{"A", "Ann keeps bees"}, {"c", "Ann keeps bees"}});
  Relinked tied = again();
  EXPECT_EQ(linked(tied.links.front()), "A");  // the smallest key
  EXPECT_EQ(tied.links.front().tied, 2U);
  EXPECT_EQ(tied.links.front().rank, 2U);
  std::map<std::string, std::string> many;
  for (int i = 0; i < 12; ++i) many[fmt::format("B{:02}", i)] = "Ann keeps bees";
  edit(many);
  tied = again();
  EXPECT_EQ(tied.links.front().tied, 14U);
  EXPECT_EQ(tied.links.front().rank, std::nullopt);  // beyond the tenth
  add_run("r", {failed("A"), failed("B00")});
  tied = again();
  EXPECT_EQ(linked(tied.links.front()), "B01");
  EXPECT_EQ(tied.links.front().tied, 12U);
}

// Of six equal texts five go: what is left of them, which was not kept, weighs more than the winner.
TEST_F(LinkAgain, SeesAnUnchangedTextThatRareWordsLift) {
  auto texts = filler(50);
  texts["a"] = "x pad";
  for (int i = 0; i < 3; ++i) texts[fmt::format("b{}", i)] = "x pad pad pad pad pad pad pad";
  for (int i = 0; i < 6; ++i) texts[fmt::format("y{}", i)] = "y pad";
  start(texts, "x y");
  add_run("r", {failed("y0"), failed("y1"), failed("y2"), failed("y3"), failed("y4")});
  const Relinked lifted = again();
  EXPECT_EQ(linked(lifted.links.front()), "y5");
  EXPECT_EQ(lifted.searched, 1U);
}

// A very long text makes the others short for their average: long ones gain most.
TEST_F(LinkAgain, SeesAnUnchangedTextThatTheAverageLiftsTo) {
  std::string pods;
  for (int i = 0; i < 20; ++i) pods += " pod";
  auto texts = filler(50);
  texts["a"] = "x x x pad pad";
  for (int i = 0; i < 2; ++i) texts[fmt::format("c{}", i)] = "x x x pad pad pad";
  for (int i = 0; i < 6; ++i) texts[fmt::format("z{}", i)] = "x w" + pods;
  for (int i = 0; i < 20; ++i) texts[fmt::format("w{:02}", i)] = "w" + pods + pods;
  start(texts, "x w");
  std::string very;
  for (int i = 0; i < 3'000; ++i) very += "long ";
  edit({{"zz", very}});
  const Relinked lifted = again();
  EXPECT_EQ(linked(lifted.links.front()), "z0");
  EXPECT_EQ(lifted.links.front().tied, 5U);
  EXPECT_EQ(lifted.searched, 1U);
}

TEST_F(LinkAgain, SearchesEverythingAfterManyChangesOrForFewQueries) {
  auto texts = filler(210);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  edit({{"f000", "one change"}});
  EXPECT_EQ(again().searched, 1U);  // One query among 211 texts: the kernel would cost more.
  add_claims({claims("f001", {"pod1", "rest"})});
  EXPECT_EQ(again().searched, 1U);
  edit({{"f000", "another change"}});
  EXPECT_EQ(again().searched, 0U);
  std::map<std::string, std::string> many;
  for (int i = 0; i < 64; ++i) many[fmt::format("f{:03}", i + 100)] = fmt::format("new{} words", i);
  edit(many);
  EXPECT_EQ(again().searched, 0U);
  for (int i = 0; i < 65; ++i) many[fmt::format("f{:03}", i + 100)] = fmt::format("newer{} words", i);
  edit(many);
  EXPECT_EQ(again().searched, 2U);
}

TEST_F(LinkAgain, SearchesEverythingOnceGarbageTookATextOfBefore) {
  auto texts = filler(40);
  texts["a"] = "Ann keeps bees";
  start(texts, "Ann bees");
  edit({{"f000", "other words"}});
  store().collect_garbage();
  EXPECT_EQ(again().searched, 1U);
  EXPECT_EQ(again().searched, 0U);
}

}  // namespace
}  // namespace residue::query::testing
