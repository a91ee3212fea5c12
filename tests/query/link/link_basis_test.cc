#include "query/link/link_basis.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/query/history/history_dice.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr const char* kAnalyzer = "fsp/5";

RunCandidates some_candidates(std::int64_t count) {
  RunCandidates candidates;
  for (std::int64_t i = 1; i <= count; ++i) {
    candidates.ids.push_back(CandidateId{i});
    candidates.keys.push_back(fmt::format("k{}", i));
    candidates.texts.push_back(TextId{1'000 + i});
  }
  return candidates;
}

IndexChanges changes_of(std::int64_t first, std::int64_t count) {
  IndexChanges changes;
  for (std::int64_t i = first; i < first + count; ++i) changes.emplace_back(CandidateId{i}, TextId{1'000 + i});
  return changes;
}

std::vector<LinkBasis::Link> some_links() {
  return {{RecordId{1}, TextId{7}, {true, CandidateId{1}, 0, 1}, {{CandidateId{1}, CandidateId{3}}, 0.5}},
          {RecordId{2}, TextId{8}, {true, CandidateId{}, 0, std::nullopt}, {{}, 0}},
          {RecordId{900},
           TextId{1 << 20},
           {true, CandidateId{3}, 300, 10},
           {{CandidateId{3}}, 1e-3},
           index::Place{299, 300},
           {{CandidateId{3}, 7.5, 300}, {CandidateId{4}, -0.0, 0}},
           true}};
}

class LinkBases : public QueryStore {
 protected:
  LinkBases() {
    add_records({record("a", "Ann nurse"), record("b", "Bob cook")});
    add_claims({claims("a", {"Ann", "x"})});
    add_run("r", {variant("a", "Ann")});
    evaluate_all({"bm25/first:1", "bm25/last:1"});
    store().db().run("DELETE FROM link_basis");
    run_ = {number("SELECT id FROM run WHERE name = 'r'")};
    protocol_ = {number("SELECT id FROM protocol WHERE name LIKE 'bm25/first%'")};
    other_ = {number("SELECT id FROM protocol WHERE name LIKE 'bm25/last%'")};
  }
  void keep(const RunCandidates& candidates, const char* analyzer = kAnalyzer) {
    store_basis(store(), run_, protocol_, analyzer, candidates, {some_links(), {}});
  }
  void note(const IndexChanges& changes, std::size_t documents, const char* analyzer = kAnalyzer) {
    const auto batch = store().write();
    note_index_changes(batch->db(), run_, analyzer, documents, changes);
    batch->commit();
  }
  std::optional<LinkBasis> load(const RunCandidates& candidates, const char* analyzer = kAnalyzer) {
    return load_basis(store().db(), run_, protocol_, analyzer, candidates);
  }
  RunId run_;
  ProtocolId protocol_, other_;
};

TEST(LinkBasisForm, IsReadBackAsItWas) {
  EXPECT_EQ(decode_links(encode_links(some_links())), some_links());
  EXPECT_EQ(decode_links(encode_links({})), std::vector<LinkBasis::Link>());
  auto open = some_links();
  open[0].standing.rest = std::numeric_limits<double>::infinity();
  EXPECT_EQ(decode_links(encode_links(open)), open);
}

TEST(LinkBasisForm, IsDoubtedWhereItIsNoForm) {
  const std::string bytes = encode_links({some_links()[0]});
  for (std::size_t size = 2; size < bytes.size(); ++size) {
    EXPECT_EQ(decode_links(std::string_view(bytes).substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(decode_links(""), std::nullopt);
  EXPECT_EQ(decode_links("\x01"), std::nullopt);
  EXPECT_EQ(decode_links("\x02"), std::nullopt);
  EXPECT_EQ(decode_links("\x03" + std::string(11, '\xff')), std::nullopt);
  for (const double rest : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    auto links = some_links();
    links[2].standing.rest = rest;
    EXPECT_EQ(decode_links(encode_links(links)), std::nullopt);
  }
}

TEST_F(LinkBases, AreOfOneProtocolAnalyzerAndSetOfDocuments) {
  const RunCandidates candidates = some_candidates(5);
  EXPECT_EQ(load(candidates), std::nullopt);
  EXPECT_FALSE(has_basis(store().db(), run_, protocol_));
  keep(candidates);
  EXPECT_TRUE(has_basis(store().db(), run_, protocol_));
  EXPECT_FALSE(has_basis(store().db(), run_, other_));
  ASSERT_TRUE(load(candidates));
  EXPECT_EQ(load(candidates)->links, some_links());
  EXPECT_TRUE(load(candidates)->changes.empty());
  EXPECT_EQ(load(candidates, "plain/1"), std::nullopt);
  EXPECT_EQ(load_basis(store().db(), run_, other_, kAnalyzer, candidates), std::nullopt);
  EXPECT_EQ(load_basis(store().db(), RunId{run_.value + 100}, protocol_, kAnalyzer, candidates), std::nullopt);
  // Documents that changed and nobody noted.
  EXPECT_EQ(load(some_candidates(4)), std::nullopt);
  RunCandidates edited = candidates;
  edited.texts[2] = TextId{9};
  EXPECT_EQ(load(edited), std::nullopt);
  std::swap(edited.texts[2], edited.texts[3]);
  EXPECT_EQ(load(edited), std::nullopt);
}

TEST_F(LinkBases, AreReplaced) {
  keep(some_candidates(5));
  note(changes_of(2, 1), 5);
  keep(some_candidates(6));
  EXPECT_EQ(number("SELECT count(*) FROM link_basis"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM link_basis_change"), 0);
  EXPECT_TRUE(load(some_candidates(6)));
  keep(some_candidates(6), "plain/1");
  EXPECT_FALSE(load(some_candidates(6)));
}

TEST_F(LinkBases, RememberTheFirstTextOfWhatChanged) {
  keep(some_candidates(5));
  RunCandidates now = some_candidates(6);  // 6 came,
  now.texts[1] = TextId{50};               // 2 was edited twice,
  now.ids.erase(now.ids.begin() + 3);      // 4 went,
  now.keys.erase(now.keys.begin() + 3);
  now.texts.erase(now.texts.begin() + 3);
  note({{CandidateId{2}, TextId{1'002}}, {CandidateId{5}, TextId{1'005}}}, 5);
  note({{CandidateId{2}, TextId{40}},
        {CandidateId{4}, TextId{1'004}},
        {CandidateId{5}, TextId{60}},  // 5 was edited and is as it was.
        {CandidateId{6}, std::nullopt}},
       5);
  const auto basis = load(now);
  ASSERT_TRUE(basis);
  EXPECT_EQ(
      basis->changes,
      (IndexChanges{{CandidateId{2}, TextId{1'002}}, {CandidateId{4}, TextId{1'004}}, {CandidateId{6}, std::nullopt}}));
  EXPECT_EQ(basis->links, some_links());
  now.texts.back() = TextId{61};  // What came may be anything,
  EXPECT_TRUE(load(now));
  now.texts.front() = TextId{62};  // what stayed must be as it was.
  EXPECT_FALSE(load(now));
}

TEST_F(LinkBases, AreForgottenWhenMuchChanged) {
  const struct {
    std::size_t documents;
    std::int64_t kept;  // so many changes
  } cases[] = {{100, 64}, {2'000, 64}, {2'200, 66}, {10'000, 300}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.documents);
    const bool half[] = {false, true};
    for (const bool twice : half) {
      const std::int64_t first = twice ? one.kept / 2 : 0;
      keep(some_candidates(2));
      if (twice) note(changes_of(1, first), one.documents);
      note(changes_of(first + 1, one.kept - first), one.documents);
      EXPECT_TRUE(has_basis(store().db(), run_, protocol_));
      note(changes_of(1, one.kept), one.documents);  // the same ones again
      EXPECT_TRUE(has_basis(store().db(), run_, protocol_));
      note(changes_of(one.kept + 1, 1), one.documents, "plain/1");
      EXPECT_TRUE(has_basis(store().db(), run_, protocol_));
      note(changes_of(one.kept + 1, 1), one.documents);
      EXPECT_FALSE(has_basis(store().db(), run_, protocol_));
    }
    keep(some_candidates(2));
    note(changes_of(1, one.kept + 1), one.documents);
    EXPECT_FALSE(has_basis(store().db(), run_, protocol_));
  }
  EXPECT_EQ(number("SELECT count(*) FROM link_basis_change"), 0);
}

}  // namespace
}  // namespace residue::query::testing
