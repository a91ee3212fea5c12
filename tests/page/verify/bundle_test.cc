// What a page says can be checked without its store: every byte, and every number from the records behind it.
#include "page/verify/bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "page/release/page_request.h"
#include "page/release/release_page.h"
#include "page/verify/verify_page.h"
#include "query/gates/gates.h"
#include "tests/verbs/small_store.h"
#include "verbs/release/release.h"

namespace residue::page {
namespace {

class BundleTest : public verbs::SmallStore {
 protected:
  void SetUp() override { evaluate("bm25/first:1"); }

  std::string page(const verbs::ReleaseOptions& wanted) {
    PageOptions options;
    options.version = "residue test";
    options.made_ms = 1'700'000'000'000;
    return release_page(verbs::release(*store_, wanted), wanted, options);
  }
  static verbs::ReleaseOptions wanted() {
    verbs::ReleaseOptions options;
    options.what.dataset = "d";
    options.what.protocols = "bm25/first:1";
    options.gates.gates.push_back(query::parse_gate("leak_rate > 0.5"));
    return options;
  }
};

TEST_F(BundleTest, IsWholeAsItWasPackedAndEveryNumberIsComputedAgain) {
  for (const auto missing : {query::MissingPolicy::kLeaked, query::MissingPolicy::kDrop}) {
    verbs::ReleaseOptions options = wanted();
    options.what.missing = missing;
    const BundleCheck check = verify_bundle(bundle_of(page(options)));
    EXPECT_TRUE(check.sound());
    EXPECT_EQ(check.dataset, "d");
    EXPECT_GT(check.numbers, 300U);
    ASSERT_EQ(check.runs.size(), 4U);
    EXPECT_EQ(check.runs[0].first, "failing");
  }
}

TEST_F(BundleTest, NoChangedByteGoesUnnoticed) {
  const std::string bundle = bundle_of(page(wanted()));
  std::size_t named = 0;
  for (std::size_t at = 0; at < bundle.size(); at += at < 6000 ? 13 : 3001) {
    std::string other = bundle;
    other[at] = static_cast<char>(other[at] ^ 1);
    try {
      const BundleCheck check = verify_bundle(other);
      EXPECT_FALSE(check.sound()) << at;
      EXPECT_FALSE(check.changed.empty()) << at;
      ++named;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
    }
  }
  EXPECT_GT(named, 300U);
  EXPECT_FALSE(verify_bundle(bundle + std::string(512, '\0')).sound());
  EXPECT_THROW(verify_bundle("a text"), Error);
}

// Whoever packs again what he changed has digests that fit: the arithmetic tells.
TEST_F(BundleTest, ANumberThatItsRecordsDoNotGiveIsNamed) {
  std::string html = page(wanted());
  const std::string row = "<tr data-run=\"half\" data-metric=\"leak_rate\">";
  const std::size_t at = html.find("data-value=\"", html.find(row)) + 12;
  html[at] = html[at] == '0' ? '1' : '0';
  const BundleCheck check = verify_bundle(bundle_of(html));
  EXPECT_TRUE(check.changed.empty());
  ASSERT_EQ(check.differences.size(), 1U);
  EXPECT_EQ(check.differences[0].run, "half");
  EXPECT_EQ(check.differences[0].metric, "leak_rate");
  EXPECT_EQ(check.differences[0].field, "value");
  EXPECT_FALSE(check.sound());
}

// The order of the records would tell whose rows they are.
TEST_F(BundleTest, RowsStandInTheOrderOfTheirUnits) {
  const verbs::Release release = verbs::release(*store_, wanted());
  std::size_t tiers = 0;
  for (const verbs::RunProof& run : release.proof.runs) {
    for (const verbs::ProvenTier& tier : run.tiers) {
      EXPECT_TRUE(std::ranges::is_sorted(tier.units));
      ++tiers;
    }
  }
  EXPECT_GE(tiers, 10U);
}

TEST_F(BundleTest, HoldsNoTextsAndNoIds) {
  verbs::ReleaseOptions options = wanted();
  options.texts = true;
  EXPECT_THROW(bundle_of(page(options)), Error);
  options = wanted();
  options.proof = false;
  EXPECT_THROW(bundle_of(page(options)), Error);
}

TEST_F(BundleTest, TheStoreMakesTheSamePageAndNamesWhatChanged) {
  const std::string html = page(wanted());
  const PageCheck same = verify_page(*store_, html, "residue test");
  EXPECT_TRUE(same.same);
  EXPECT_TRUE(same.changed.empty());
  EXPECT_TRUE(same.differences.empty());
  EXPECT_EQ(verify_page(*store_, html, "residue other").changed.size(), 1U);
  evaluate("bm25/last:1");
  const PageCheck since = verify_page(*store_, html, "residue test");
  EXPECT_FALSE(since.same);
  EXPECT_TRUE(since.differences.empty());
  ASSERT_EQ(since.changed.size(), 1U);
  EXPECT_EQ(since.changed.front(), "the attacker bm25/last:1/sentences was evaluated since");
  EXPECT_THROW(verify_page(*store_, "<p>", "residue test"), Error);
  EXPECT_THROW(verify_page(*store_, html.substr(0, html.find("id=\"data\"")), "residue test"), Error);
  EXPECT_FALSE(verify_page(*store_, html.substr(0, html.size() - 1), "residue test").same);
}

}  // namespace
}  // namespace residue::page
